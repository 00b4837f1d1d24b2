import type { Display } from '../../base/display.ts';
import { clip, openStart, subtract, type Interval } from '../../base/interval.ts';
import { dayMs, hourMs, minuteMs } from '../../base/time.ts';
import { t } from '../shared/translate.ts';

type Unit = 'days' | 'hours' | 'minutes';

const unitMs: Readonly<Record<Unit, number>> = { days: dayMs, hours: hourMs, minutes: minuteMs };

/**
 * How much of a period these parts are: `42 of 90 days`, `6 minutes of 30 days`. The parts are rounded down and
 * the period up: what is missing never vanishes. A period from 0 on has no known length.
 */
export function partOfPeriodText(
  parts: readonly Interval[],
  period: Interval,
  display: Display,
): string {
  const known = clip(parts, period);
  if (period.from === openStart) return partOfAllText(known, period.to, display);
  return partText(lengthMs(known, display), lengthMs([period], display), display);
}

/** In place of a headline. */
export function incompleteText(part: string): string {
  return t('Incomplete: {0}', part);
}

function partOfAllText(known: readonly Interval[], to: number, display: Display): string {
  const [first] = known;
  if (!first) return t('none of it');
  if (first.from === openStart) {
    const missing = lengthMs(subtract([{ from: openStart, to }], known), display);
    return t('all but {0}', roundedText(missing, Math.ceil, display));
  }
  const [knownMs, wholeMs] = [known, [{ from: first.from, to }]].map((each) =>
    lengthMs(each, display),
  ) as [number, number];
  const shown =
    knownMs === wholeMs
      ? roundedText(knownMs, Math.floor, display)
      : partText(knownMs, wholeMs, display);
  return t('{0}, earlier unknown', shown);
}

function partText(knownMs: number, wholeMs: number, display: Display): string {
  const wholeUnit = unitOf(wholeMs - 1);
  const whole = Math.max(1, Math.ceil(wholeMs / unitMs[wholeUnit]));
  const isOfUnit = knownMs === 0 || knownMs >= unitMs[wholeUnit];
  const unit = isOfUnit ? wholeUnit : unitOf(knownMs);
  const known = Math.floor(knownMs / unitMs[unit]);
  const knownText = isOfUnit ? display.count(known) : durationText(known, unit, display);
  return t('{0} of {1}', knownText, durationText(whole, wholeUnit, display));
}

/** Rounded down: `3 days`. */
export function lengthText(periods: readonly Interval[], display: Display): string {
  return roundedText(lengthMs(periods, display), Math.floor, display);
}

/** A day in which clocks are set has 24 hours here, as every other day. */
function lengthMs(intervals: readonly Interval[], { zone }: Display): number {
  return intervals.reduce(
    (sum, { from, to }) => sum + zone.toLocalMs(to) - zone.toLocalMs(from),
    0,
  );
}

function roundedText(
  durationMs: number,
  round: (count: number) => number,
  display: Display,
): string {
  const unit = unitOf(durationMs);
  return durationText(round(durationMs / unitMs[unit]), unit, display);
}

function unitOf(durationMs: number): Unit {
  if (durationMs >= dayMs) return 'days';
  return durationMs >= hourMs ? 'hours' : 'minutes';
}

function durationText(count: number, unit: Unit, display: Display): string {
  const shown = display.count(count);
  if (count === 0) return t('less than a minute');
  if (count === 1) return { days: t('1 day'), hours: t('1 hour'), minutes: t('1 minute') }[unit];
  return {
    days: t('{0} days', shown),
    hours: t('{0} hours', shown),
    minutes: t('{0} minutes', shown),
  }[unit];
}

/** Which part of a month is complete, or `otherwise` if none is; and whether rows of it may still come. */
export function monthCoverageText(
  complete: readonly Interval[],
  month: Interval,
  now: number,
  display: Display,
  otherwise: string,
): string {
  const isOver = month.to <= now;
  const past = isOver ? month : { from: month.from, to: Math.max(month.from, now) };
  const texts = [
    completeText(clip(complete, past), past, isOver, display) ?? otherwise,
    isOver ? '' : t('month not over yet'),
  ];
  return texts.filter((text) => text !== '').join(' · ');
}

function completeText(
  parts: readonly Interval[],
  past: Interval,
  isOver: boolean,
  display: Display,
): string | null {
  const [first, ...others] = parts;
  if (!first) return null;
  if (isOver && subtract([past], parts).length === 0) return t('complete');
  if (others.length > 0) return t('{0} complete', partOfPeriodText(parts, past, display));
  const [from, to] = [first.from, first.to].map((time) => display.timeToSecond(time));
  if (first.from === past.from) return t('complete to {0}', to ?? '');
  return first.to === past.to
    ? t('complete from {0}', from ?? '')
    : t('complete from {0} to {1}', from ?? '', to ?? '');
}

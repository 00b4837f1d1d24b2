import { l10n } from 'vscode';
import type { Display } from '../../base/display.ts';
import { dayMs, hourMs, minuteMs } from '../../base/time.ts';
import { clip } from '../../ledger/coverage/intervals.ts';
import type { Interval } from '../../ledger/ledger.ts';

type Unit = 'days' | 'hours' | 'minutes';

const unitMs: Readonly<Record<Unit, number>> = { days: dayMs, hours: hourMs, minutes: minuteMs };

/**
 * How much of a period these parts are: `42 of 90 days`, `6 minutes of 30 days`. The parts are rounded down and
 * the period up: what is missing never vanishes.
 */
export function partOfPeriodText(
  parts: readonly Interval[],
  period: Interval,
  display: Display,
): string {
  const knownMs = clip(parts, period).reduce((sum, each) => sum + localMs(each, display), 0);
  const wholeMs = localMs(period, display);
  const wholeUnit = unitOf(wholeMs - 1);
  const whole = Math.max(1, Math.ceil(wholeMs / unitMs[wholeUnit]));
  const isOfUnit = knownMs === 0 || knownMs >= unitMs[wholeUnit];
  const unit = isOfUnit ? wholeUnit : unitOf(knownMs);
  const known = Math.floor(knownMs / unitMs[unit]);
  const knownText = isOfUnit ? display.count(known) : durationText(known, unit, display);
  return l10n.t('{0} of {1}', knownText, durationText(whole, wholeUnit, display));
}

/** A day in which clocks are set has 24 hours here, as every other day. */
function localMs({ from, to }: Interval, { zone }: Display): number {
  return zone.toLocalMs(to) - zone.toLocalMs(from);
}

function unitOf(durationMs: number): Unit {
  if (durationMs >= dayMs) return 'days';
  return durationMs >= hourMs ? 'hours' : 'minutes';
}

function durationText(count: number, unit: Unit, display: Display): string {
  const { t } = l10n;
  const shown = display.count(count);
  if (count === 0) return t('less than a minute');
  if (count === 1) return { days: t('1 day'), hours: t('1 hour'), minutes: t('1 minute') }[unit];
  return {
    days: t('{0} days', shown),
    hours: t('{0} hours', shown),
    minutes: t('{0} minutes', shown),
  }[unit];
}

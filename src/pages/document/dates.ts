import type { Display } from '../../base/display.ts';
import {
  always,
  isAlways,
  isEmpty,
  openEnd,
  openStart,
  type Interval,
} from '../../base/interval.ts';
import { secondMs } from '../../base/time.ts';
import { dateTimeInputValue, parseDateTimeInput } from '../controls/dateInput.ts';
import type { DocumentTexts } from '../fill.ts';

export type End = keyof Interval;
export type TypedDates = Readonly<Record<End, string>>;
export type DateErrors = Readonly<Partial<Record<End, string>>>;

export const ends = ['from', 'to'] as const;
const openEnds: Readonly<Record<End, number>> = { from: openStart, to: openEnd };

/** Dates as a choice has them; null if it is something else. */
export function readDates(value: string): Interval | null {
  const [from = '', to] = value.split('/');
  if (to === undefined) return null;
  return { from: from === '' ? openStart : Number(from), to: to === '' ? openEnd : Number(to) };
}

/** Empty if both ends are open. */
export function writeDates(dates: Interval): string {
  const { from, to } = dates;
  if (isAlways(dates)) return '';
  return `${from === openStart ? '' : from}/${to === openEnd ? '' : to}`;
}

/** What a custom period says, or the sentences that say why it is invalid, by field. An empty field is an open end. */
export function parseDates(
  typed: TypedDates,
  { zone }: Pick<Display, 'zone'>,
  texts: DocumentTexts,
): { readonly dates: Interval } | { readonly errors: DateErrors } {
  const read = (end: End): number => {
    if (typed[end].trim() === '') return openEnds[end];
    const instant = parseDateTimeInput(typed[end], zone, end === 'to' ? 'last' : 'first');
    return Date.parse(instant ?? '') + (end === 'to' ? secondMs : 0);
  };
  const dates = { from: read('from'), to: read('to') };
  const invalid = ends.filter((end) => Number.isNaN(dates[end]));
  if (invalid.length > 0) {
    const sentence = (end: End): string => texts.invalidInstant(texts[end]);
    return { errors: Object.fromEntries(invalid.map((end) => [end, sentence(end)])) };
  }
  const reversed = texts.fromAfterTo(texts.from, texts.to);
  return isEmpty(dates) ? { errors: { from: reversed } } : { dates };
}

/** The first and the last moment of a custom period, as they are typed. */
export function typedOf(dates: Interval | null, { zone }: Display): TypedDates {
  const { from, to } = dates ?? always;
  const typed = (epochMs: number): string =>
    dateTimeInputValue(new Date(epochMs).toISOString(), zone);
  return {
    from: from === openStart ? '' : withoutTime(typed(from), 'T00:00'),
    to: to === openEnd ? '' : withoutTime(typed(to - secondMs), 'T23:59:59'),
  };
}

/** Without a time that the day has anyway. */
function withoutTime(typed: string, time: string): string {
  return typed.endsWith(time) ? typed.slice(0, -time.length) : typed;
}

/** `2026-01-01 – 2026-03-31`, `From 2026-01-01` or `Until 2026-03-31`. */
export function datesText(dates: Interval, display: Display, texts: DocumentTexts): string {
  const typed = typedOf(dates, display);
  const { from, to } = { from: typed.from.replace('T', ' '), to: typed.to.replace('T', ' ') };
  if (to === '') return texts.since(from);
  if (from === '') return texts.until(to);
  return texts.fromTo(from, to);
}

import type { Display } from '../../base/display.ts';
import { secondMs } from '../../base/time.ts';
import { dateTimeInputValue, parseDateTimeInput } from '../controls/dateInput.ts';
import type { DocumentTexts } from '../fill.ts';

/** From a moment up to but without another, in epoch milliseconds; null for an open end. */
export type ChosenDates = { readonly from: number | null; readonly to: number | null };
export type End = keyof ChosenDates;
export type TypedDates = Readonly<Record<End, string>>;
export type DateErrors = Readonly<Partial<Record<End, string>>>;

export const ends = ['from', 'to'] as const;
const noDates: ChosenDates = { from: null, to: null };

/** Dates as a choice has them; null if it is something else. */
export function readDates(value: string): ChosenDates | null {
  const [from = '', to] = value.split('/');
  const read = (text: string): number | null => (text === '' ? null : Number(text));
  return to === undefined ? null : { from: read(from), to: read(to) };
}

/** Empty if both ends are open. */
export function writeDates({ from, to }: ChosenDates): string {
  return from === null && to === null ? '' : `${from ?? ''}/${to ?? ''}`;
}

/** What a custom period says, or the sentences that say why it is invalid, by field. An empty field is an open end. */
export function parseDates(
  typed: TypedDates,
  { zone }: Pick<Display, 'zone'>,
  texts: DocumentTexts,
): { readonly dates: ChosenDates } | { readonly errors: DateErrors } {
  const read = (end: End): number | null => {
    if (typed[end].trim() === '') return null;
    const instant = parseDateTimeInput(typed[end], zone, end === 'to' ? 'last' : 'first');
    return Date.parse(instant ?? '') + (end === 'to' ? secondMs : 0);
  };
  const dates = { from: read('from'), to: read('to') };
  const invalid = ends.filter((end) => Number.isNaN(dates[end]));
  if (invalid.length > 0) {
    const sentence = (end: End): string => texts.invalidInstant(texts[end]);
    return { errors: Object.fromEntries(invalid.map((end) => [end, sentence(end)])) };
  }
  const { from, to } = dates;
  const isReversed = from !== null && to !== null && from >= to;
  const reversed = texts.fromAfterTo(texts.from, texts.to);
  return isReversed ? { errors: { from: reversed } } : { dates };
}

/** The first and the last moment of a custom period, as they are typed. */
export function typedOf(dates: ChosenDates | null, { zone }: Display): TypedDates {
  const { from, to } = dates ?? noDates;
  const typed = (epochMs: number | null): string =>
    epochMs === null ? '' : dateTimeInputValue(new Date(epochMs).toISOString(), zone);
  return {
    from: withoutTime(typed(from), 'T00:00'),
    to: withoutTime(typed(to && to - secondMs), 'T23:59:59'),
  };
}

/** Without a time that the day has anyway. */
function withoutTime(typed: string, time: string): string {
  return typed.endsWith(time) ? typed.slice(0, -time.length) : typed;
}

/** `2026-01-01 – 2026-03-31`, `From 2026-01-01` or `Until 2026-03-31`. */
export function datesText(dates: ChosenDates, display: Display, texts: DocumentTexts): string {
  const typed = typedOf(dates, display);
  const { from, to } = { from: typed.from.replace('T', ' '), to: typed.to.replace('T', ' ') };
  if (to === '') return texts.since(from);
  if (from === '') return texts.until(to);
  return texts.fromTo(from, to);
}

import { lastDays } from '../../base/lastDays.ts';
import type { TimeZone } from '../../base/timeZone.ts';
import type { Filter, TableFilters, TableQuery } from '../../protocol/table.ts';
import { toInstant, toLocal } from './instant.ts';
import type { Words } from './words.ts';

/** The step of the date controls. */
const secondMs = 1000;

/** What one control holds; null is a date and time that is only partly filled in. */
export type DraftValue = string | readonly string[] | null;

/** What stands in the filter bar, by parameter, applied or not. */
export type Draft = Readonly<Record<string, DraftValue>>;

/** A sentence for each parameter that cannot be sent. */
export type Problems = Readonly<Record<string, string>>;

/** The controls' values that show a query. */
export function draftOf(query: TableQuery, filters: readonly Filter[], zone: TimeZone): Draft {
  return Object.fromEntries(
    filters.map((filter) => [
      filter.parameter,
      shownValue(query.filters[filter.parameter], filter, zone),
    ]),
  );
}

/** What a draft is read with: the filters that there are, the zone in which dates are typed, and what was sent last. */
export type Reading = {
  readonly filters: readonly Filter[];
  readonly zone: TimeZone;
  readonly sent: TableFilters;
  readonly words: Words;
};

/** The draft as a query's filters, trimmed and without what is empty, or what keeps it from being sent. */
export function readDraft(
  draft: Draft,
  reading: Reading,
): { filters: TableFilters; problems: null } | { filters: null; problems: Problems } {
  const { filters } = reading;
  const problems = { ...incompleteInstants(draft, reading), ...reversedPeriods(draft, reading) };
  if (Object.keys(problems).length > 0) return { filters: null, problems };
  const entries = filters.flatMap((filter) => {
    const value = sentValue(draft[filter.parameter] ?? '', filter, reading);
    return value === null || value.length === 0 ? [] : [[filter.parameter, value] as const];
  });
  return { filters: Object.fromEntries(entries), problems: null };
}

function shownValue(
  value: string | string[] | undefined,
  filter: Filter,
  zone: TimeZone,
): DraftValue {
  if (filter.kind === 'choices') return Array.isArray(value) ? value : [];
  if (typeof value !== 'string') return '';
  return filter.kind === 'instant' ? toLocal(value, zone) : value;
}

function sentValue(
  value: string | readonly string[],
  filter: Filter,
  reading: Reading,
): string | string[] | null {
  if (typeof value !== 'string') return filter.options.filter((option) => value.includes(option));
  return filter.kind === 'instant' ? instantOf(value, filter.parameter, reading) : value.trim();
}

function incompleteInstants(draft: Draft, reading: Reading): Problems {
  const incomplete = reading.filters.filter(({ kind, parameter }) => {
    const value = draft[parameter];
    if (kind !== 'instant' || value === '' || value === undefined) return false;
    return instantOf(value, parameter, reading) === null;
  });
  return Object.fromEntries(
    incomplete.map(({ parameter, label }) => [parameter, reading.words.incompleteInstant(label)]),
  );
}

/** A period is two instants whose parameters differ in `From` and `To`; the sentence stands at the first. */
function reversedPeriods(draft: Draft, reading: Reading): Problems {
  const instants = reading.filters.filter(({ kind }) => kind === 'instant');
  const reversed = instants.flatMap((from) => {
    const to = instants.find(
      ({ parameter }) => parameter === from.parameter.replace(/From$/, 'To'),
    );
    if (!to || to === from) return [];
    const [start, end] = [from, to].map(({ parameter }) =>
      Date.parse(instantOf(draft[parameter], parameter, reading) ?? ''),
    );
    if (!(Number(start) > Number(end))) return [];
    return [[from.parameter, reading.words.fromAfterTo(from.label, to.label)] as const];
  });
  return Object.fromEntries(reversed);
}

/** One that nobody touched stays the instant that was sent, also where clocks show two instants alike. */
function instantOf(
  value: DraftValue | undefined,
  parameter: string,
  { zone, sent }: Reading,
): string | null {
  if (typeof value !== 'string') return null;
  const before = sent[parameter];
  const isUntouched = typeof before === 'string' && toLocal(before, zone) === value;
  return isUntouched && value !== '' ? before : toInstant(value, zone);
}

/**
 * A draft for the last days of a zone: today alone, or with the days before it. Its end is the last
 * second of today: a query takes all of the second that a person names as its end. Where clocks go
 * back at midnight that second has a twin an hour before; a second too many is better than an hour
 * too few.
 */
export function draftOfDays(draft: Draft, count: number, now: number, zone: TimeZone): Draft {
  const { from, to } = lastDays(count, now, zone);
  const local = (epochMs: number): string => toLocal(new Date(epochMs).toISOString(), zone);
  const last = local(to - secondMs);
  const isClear = toInstant(last, zone) === new Date(to - secondMs).toISOString();
  return { ...draft, dateFrom: local(from), dateTo: isClear ? last : local(to) };
}

import type { Filter, TableFilters, TableQuery } from '../../protocol/table.ts';
import { toInstant, toLocal } from './instant.ts';
import { words } from './words.ts';

/** What one control holds; null is a date and time that is only partly filled in. */
export type DraftValue = string | readonly string[] | null;

/** What stands in the filter bar, by parameter, applied or not. */
export type Draft = Readonly<Record<string, DraftValue>>;

/** A sentence for each parameter that cannot be sent. */
export type Problems = Readonly<Record<string, string>>;

/** The controls' values that show a query. */
export function draftOf(query: TableQuery, filters: readonly Filter[]): Draft {
  return Object.fromEntries(
    filters.map((filter) => [
      filter.parameter,
      shownValue(query.filters[filter.parameter], filter),
    ]),
  );
}

/** The draft as a query's filters, trimmed and without what is empty, or what keeps it from being sent. */
export function readDraft(
  draft: Draft,
  filters: readonly Filter[],
): { filters: TableFilters; problems: null } | { filters: null; problems: Problems } {
  const problems = { ...incompleteInstants(draft, filters), ...reversedPeriods(draft, filters) };
  if (Object.keys(problems).length > 0) return { filters: null, problems };
  const entries = filters.flatMap((filter) => {
    const value = sentValue(draft[filter.parameter] ?? '', filter);
    return value === null || value.length === 0 ? [] : [[filter.parameter, value] as const];
  });
  return { filters: Object.fromEntries(entries), problems: null };
}

function shownValue(value: string | string[] | undefined, filter: Filter): DraftValue {
  if (filter.kind === 'choices') return Array.isArray(value) ? value : [];
  if (typeof value !== 'string') return '';
  return filter.kind === 'instant' ? toLocal(value) : value;
}

function sentValue(value: string | readonly string[], filter: Filter): string | string[] | null {
  if (typeof value !== 'string') return filter.options.filter((option) => value.includes(option));
  return filter.kind === 'instant' ? toInstant(value) : value.trim();
}

function incompleteInstants(draft: Draft, filters: readonly Filter[]): Problems {
  const incomplete = filters.filter(({ kind, parameter }) => {
    const value = draft[parameter];
    return kind === 'instant' && value !== '' && value !== undefined && instantOf(value) === null;
  });
  return Object.fromEntries(
    incomplete.map(({ parameter, label }) => [parameter, words.incompleteInstant(label)]),
  );
}

/** A period is two instants whose parameters differ in `From` and `To`; the sentence stands at the first. */
function reversedPeriods(draft: Draft, filters: readonly Filter[]): Problems {
  const instants = filters.filter(({ kind }) => kind === 'instant');
  const reversed = instants.flatMap((from) => {
    const to = instants.find(
      ({ parameter }) => parameter === from.parameter.replace(/From$/, 'To'),
    );
    if (!to || to === from) return [];
    const [start, end] = [instantOf(draft[from.parameter]), instantOf(draft[to.parameter])];
    if (start === null || end === null || start <= end) return [];
    return [[from.parameter, words.fromAfterTo(from.label, to.label)] as const];
  });
  return Object.fromEntries(reversed);
}

function instantOf(value: DraftValue | undefined): string | null {
  return typeof value === 'string' ? toInstant(value) : null;
}

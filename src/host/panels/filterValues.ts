import { l10n } from 'vscode';
import { SentenceError } from '../../base/sentenceError.ts';
import type { TableFilters } from '../../protocol/table.ts';

type FilterValue = TableFilters[string] | undefined;

/** The value of a filter that takes one text. */
export function textOf(value: FilterValue): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The values of a filter that takes several. */
export function listOf(value: FilterValue): readonly string[] | undefined {
  return typeof value === 'string' ? [value] : value;
}

/** The step of the page's date controls. */
const secondMs = 1000;

/**
 * The half-open period in epoch milliseconds: a person who names a second as its end means all of
 * it. Throws a SentenceError where an end is no instant.
 */
export function periodOf({ dateFrom, dateTo }: TableFilters): {
  readonly dateFrom: number | undefined;
  readonly dateTo: number | undefined;
} {
  const last = instantOf(dateTo);
  return {
    dateFrom: instantOf(dateFrom),
    dateTo: last === undefined ? undefined : last + secondMs,
  };
}

/** The page sends ISO instants; one that is none fails the query rather than widen it. */
function instantOf(value: FilterValue): number | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const epochMs = Date.parse(value);
  if (Number.isNaN(epochMs))
    throw new SentenceError(l10n.t('A date filter is no date: set it again.'));
  return epochMs;
}

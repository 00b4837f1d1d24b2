import type { ConventionResolver } from './conventionResolver.ts';
import type { Observation } from './learnedConventions.ts';
import { detectSortOrder, pageSizeEvidence, type PageSummary } from './pageSummary.ts';

/** What an ordinary page was requested with; its filters beside number and size. */
type PageQuery = { readonly page: number; readonly size?: number | undefined };

/** Learns from an ordinary page: the order of rows, and the page cap. */
export function observePage(
  conventions: ConventionResolver,
  query: PageQuery,
  page: PageSummary,
  observation: Observation,
  now: number,
): void {
  observeOrder(conventions, page, observation, now);
  observePageCap(conventions, query, page, observation, now);
}

/** Only the first page of an unfiltered query: the totals of a filtered one may be those of all rows. */
function observePageCap(
  conventions: ConventionResolver,
  { page, size, ...filters }: PageQuery,
  summary: PageSummary,
  observation: Observation,
  now: number,
): void {
  if (page > 0 || size === undefined || isFiltered(filters)) return;
  const cap = pageSizeEvidence(size, summary);
  if (cap?.kind !== 'cap' || cap.size === conventions.maxPageSize(observation.operation)) return;
  conventions.recordFinding('maxPageSize', {
    concluded: cap.size,
    reason: 'smallerPages',
    evidence: [observation],
    seenAt: now,
  });
}

function observeOrder(
  conventions: ConventionResolver,
  { rows }: PageSummary,
  observation: Observation,
  now: number,
): void {
  const { sort } = conventions.current;
  const order = detectSortOrder(rows);
  const isNews =
    order && (conventions.sourceOf('sort') === 'assumed' || (sort !== 'none' && sort !== order));
  if (!isNews) return;
  const contradicts = conventions.sourceOf('sort') === 'seen' || order === 'none';
  conventions.recordFinding('sort', {
    concluded: contradicts ? 'none' : order,
    reason: contradicts ? 'timesOutOfOrder' : 'timesInOrder',
    evidence: [observation],
    seenAt: now,
  });
}

function isFiltered(filters: object): boolean {
  return Object.values(filters).some(
    (value: unknown) => value !== undefined && value !== '' && !isEmptyList(value),
  );
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

import { parseCount } from '../../base/decimal.ts';
import type { HistoryName } from '../../api/operations.ts';
import { ExchangeError } from '../exchangeError.ts';
import { orderOf, type HistoryPage } from './page.ts';
import type { ExchangeConventions } from './exchangeConventions.ts';
import {
  maxRecordedParameters,
  maxRecordedTextLength,
  type Observation,
} from './learnedConventions.ts';
import type { QueryPairs } from '../auth/signRequest.ts';

/** A page or the refusal of its request, and what may be stored about it. */
export type PageAnswer = {
  readonly answer: HistoryPage | ExchangeError;
  readonly observation: Observation;
};

/** What a page was requested with. */
type PageQuery = {
  readonly operation: HistoryName;
  readonly page: number;
  readonly size?: number | undefined;
  readonly isFiltered: boolean;
};

/** Learns from an ordinary page what it shows: the order of rows, and the page cap. */
export function judgePage(
  conventions: ExchangeConventions,
  query: PageQuery,
  page: HistoryPage<unknown>,
  observation: Observation,
  now: number,
): void {
  const learned = { evidence: [observation], seenAt: now };
  const order = newOrder(conventions, page);
  if (order) conventions.recordFinding('sort', { ...order, ...learned });
  const cap = newCap(conventions, query, page);
  if (cap !== undefined)
    conventions.recordFinding(`maxPageSize.${query.operation}`, {
      concluded: cap,
      reason: 'smallerPages',
      ...learned,
    });
}

/** An order that contradicts the one that was seen before shows that there is none. */
function newOrder(conventions: ExchangeConventions, { rows }: HistoryPage<unknown>) {
  const { sort } = conventions.current;
  const source = conventions.sourceOf('sort');
  const order = orderOf(rows);
  if (!order || (source !== 'assumed' && (sort === 'none' || sort === order))) return undefined;
  return source === 'learned' || order === 'none'
    ? ({ concluded: 'none', reason: 'timesOutOfOrder' } as const)
    : ({ concluded: order, reason: 'timesInOrder' } as const);
}

/** Only the first page of an unfiltered query: the totals of a filtered one may be those of all rows. */
function newCap(
  conventions: ExchangeConventions,
  { operation, page: number, size, isFiltered }: PageQuery,
  page: HistoryPage<unknown>,
): number | undefined {
  if (number > 0 || size === undefined || isFiltered) return undefined;
  const cap = pageCap(size, page);
  return cap === 'none' || cap === conventions.maxPageSize(operation) ? undefined : cap;
}

/**
 * What the first page says of the page cap: how many rows a page holds at most, or `none` if as many came as were
 * asked for; undefined if it says nothing. The `size` of an envelope may be the number of its rows, and its total
 * may ignore the filters: a cap is believed only if the number of pages agrees with both.
 */
export function pageCap(
  askedSize: number,
  { sent, totals, count }: HistoryPage<unknown>,
): number | 'none' | undefined {
  if (sent >= askedSize) return 'none';
  if (sent === 0 || parseCount(totals.size) !== sent || count === null || count <= sent)
    return undefined;
  return parseCount(totals.totalPages) === Math.ceil(count / sent) ? sent : undefined;
}

const recordedParameters: ReadonlySet<string> = new Set([
  'page',
  'size',
  'dateFrom',
  'dateTo',
  'statuses',
]);

/** What is stored of a request and its answer. Only parameters that may be stored: no symbol, no asset. */
export function observationOf(
  operation: HistoryName,
  pairs: QueryPairs,
  answer: HistoryPage<unknown> | ExchangeError,
): Observation {
  const recorded = pairs.filter(([name]) => recordedParameters.has(name.replace('[]', '')));
  const asked = recorded
    .slice(0, maxRecordedParameters)
    .map(([name, value]) => [name, value.slice(0, maxRecordedTextLength)] as const);
  return { operation, asked, answer: observedAnswer(answer) };
}

function observedAnswer(answer: HistoryPage<unknown> | ExchangeError): Observation['answer'] {
  if (answer instanceof ExchangeError)
    return { kind: 'refused', status: answer.failure.status ?? null };
  const { rows, sent, totals, count } = answer;
  const timeOf = (index: number): number | null => {
    const time = rows.at(index)?.time ?? Number.NaN;
    return Number.isNaN(time) ? null : time;
  };
  const textOf = (whole: string | null): string => String(parseCount(whole) ?? '—');
  return {
    kind: 'rows',
    rows: sent,
    firstTime: timeOf(0),
    lastTime: timeOf(-1),
    size: textOf(totals.size),
    totalPages: textOf(totals.totalPages),
    totalElements: String(count ?? '—'),
  };
}

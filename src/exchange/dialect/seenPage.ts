import { countIn, idOf, timeOf, type HistoryName } from '../histories.ts';
import type { Decoded, Page } from '../records.ts';
import type { QueryPairs } from './dialect.ts';
import { longestAsked, mostAsked, type Observation, type SeenRows } from './facts.ts';

/** One row as detection sees it. */
export type SeenRow = { readonly id: string; readonly time: number | undefined };

/** One page as detection sees it. */
export type SeenPage = {
  readonly rows: readonly SeenRow[];
  /** How many records the page had, also those that could not be read. */
  readonly records: number;
  /** What the envelope claims; undefined where it is no count at all. */
  readonly size: number | undefined;
  readonly totalPages: number | undefined;
  readonly totalElements: number | undefined;
};

export function seenPage({ value, badRecords }: Decoded<Page<object>>): SeenPage {
  const rows = value.content.map((item) => ({ id: idOf(item), time: timeOf(item) }));
  const { size, totalPages, totalElements } = value;
  return {
    rows,
    records: rows.length + badRecords.length,
    size: countIn(size),
    totalPages: countIn(totalPages),
    totalElements: countIn(totalElements),
  };
}

/** What is remembered of a page as evidence. */
export function seenRows(page: SeenPage): SeenRows {
  const said = (claim: number | undefined) => (claim === undefined ? '—' : String(claim));
  return {
    kind: 'rows',
    rows: page.records,
    firstTime: page.rows.at(0)?.time ?? null,
    lastTime: page.rows.at(-1)?.time ?? null,
    size: said(page.size),
    totalPages: said(page.totalPages),
    totalElements: said(page.totalElements),
  };
}

const told: ReadonlySet<string> = new Set(['page', 'size', 'dateFrom', 'dateTo', 'statuses']);

/** An observation of what may be told of a request: no symbol, no asset. */
export function observed(
  operation: HistoryName,
  pairs: QueryPairs,
  answer: Observation['answer'],
): Observation {
  const asked = pairs.filter(([name]) => told.has(name.replace('[]', '')));
  const short = asked
    .slice(0, mostAsked)
    .map(([name, value]) => [name, value.slice(0, longestAsked)] as const);
  return { operation, asked: short, answer };
}

/** The statuses that were asked for, in whichever form of lists. */
export function statusesIn(asked: Observation['asked']): readonly string[] {
  const values = asked.filter(([name]) => name.replace('[]', '') === 'statuses');
  return values.flatMap(([, value]) => value.split(','));
}

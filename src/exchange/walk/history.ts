import type { Unmatched } from '../dialect/historyPage.ts';
import type { BadRecord } from '../records.ts';

/** From `from` on, up to but without `to`: epoch milliseconds. No `from`: from the first record on. */
export type TimeRange = { readonly from: number | undefined; readonly to: number };

/** A unit of time: from `from` on, up to but without `to`, in epoch milliseconds. */
export type Unit = { readonly from: number; readonly to: number };

/** One answer of a history: only rows inside the asked range, as the exchange ordered them. */
export type HistoryAnswer<Item> = {
  readonly items: readonly Item[];
  readonly badRecords: readonly BadRecord[];
  /** Rows of the answer that lay outside the asked range and are not in `items`. */
  readonly outside: number;
  /** Filters that the exchange did not heed; `dateFrom` and `dateTo` where even the written step is passed. */
  readonly unmatched: readonly Unmatched[];
  /** What the exchange claims; null where its claim is no count at all. It may lie. */
  readonly totalElements: number | null;
  readonly totalPages: number | null;
  /** The page was refused: it may be past the last one, or not to be had. */
  readonly isRefused?: boolean;
};

/** A history as a walk reads it, whatever operation, filters and dialect are behind it. */
export type History<Item> = {
  /** Reads one page, counted from 0. Rejects with ExchangeError or the signal's reason. */
  read(
    range: TimeRange,
    page: number,
    size: number,
    signal?: AbortSignal,
  ): Promise<HistoryAnswer<Item>>;
  /** Tells records of this history apart. */
  idOf(item: Item): string;
  /** Epoch milliseconds. */
  timeOf(item: Item): number;
  /**
   * The unit that a moment lies in, of those in which the exchange understands a range's ends: 1 ms,
   * a second, or a local day, which may have 23 or 25 hours. Units adjoin and never change.
   */
  unitOf(timeMs: number): Unit;
  /** How many rows a page holds at most; null where no cap is known. */
  readonly maxPageSize: number | null;
  /** How long a range may be asked at once; null where no bound is known. */
  readonly maxRangeMs: number | null;
};

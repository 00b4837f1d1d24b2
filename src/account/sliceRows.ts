import type { HistoryPage } from '../exchange/dialect/historyPage.ts';

/** How the rows of a slice lie on the exchange's pages. */
export type SlicePages = {
  /** As the exchange counts them, by which its pages go: also rows outside the slice. */
  readonly counted: number;
  /** How many a page holds. */
  readonly size: number;
  /** Whether no more than the slice was asked for: pages that nobody read are taken to be full of its rows. */
  readonly isExact: boolean;
};

/** The rows of one slice, as far as its pages were read. */
export class SliceRows {
  readonly size: number;
  private readonly parts: SlicePages;
  private readonly own = new Map<number, number>();

  constructor(parts: SlicePages, firstPage: HistoryPage<unknown>) {
    this.parts = parts;
    this.size = parts.size;
    this.note(0, firstPage);
  }

  get pages(): number {
    return Math.ceil(this.parts.counted / this.size);
  }

  /** How many rows of the slice there are; null where that is not known. */
  get total(): number | null {
    return this.before(this.pages);
  }

  note(page: number, { value, badRecords }: HistoryPage<unknown>): void {
    this.own.set(page, value.content.length + badRecords.length);
  }

  /** How many rows of the slice stand before a page; null where pages before it may hold others and were not read. */
  before(page: number): number | null {
    return sumOf(Array.from({ length: page }, (_, index) => this.on(index)));
  }

  private on(page: number): number | null {
    const { counted, size, isExact } = this.parts;
    const full = Math.min(size, counted - page * size);
    return this.own.get(page) ?? (isExact ? full : null);
  }
}

/** Null where one of them is not known. */
export function sumOf(counts: readonly (number | null)[]): number | null {
  return counts.reduce<number | null>(
    (sum, count) => (sum === null || count === null ? null : sum + count),
    0,
  );
}

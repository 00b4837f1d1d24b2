import type { TableFilters } from '../../protocol/table.ts';

/** Filters that somebody asked a page to begin with, until it asks for rows of them. */
export class FirstFilters {
  private wanted: TableFilters | null = null;
  private isDescribed = false;

  /** Whether the page must be told: one that loads asks by itself. */
  want(filters: TableFilters): boolean {
    this.wanted = filters;
    return this.isDescribed;
  }

  /** For the table's description; null where nobody asked for any. */
  describe(): TableFilters | null {
    this.isDescribed = true;
    return this.wanted;
  }

  /** A description may get lost on its way, when the page asks again: only such a query shows that one came. */
  noteQuery(filters: TableFilters): void {
    if (this.wanted && hasFilters(filters, this.wanted)) this.wanted = null;
  }

  /** A hidden page is gone, and is loaded anew when it is shown. */
  noteHidden(): void {
    this.isDescribed = false;
  }
}

function hasFilters(filters: TableFilters, wanted: TableFilters): boolean {
  const isSame = (name: string): boolean =>
    JSON.stringify(filters[name] ?? '') === JSON.stringify(wanted[name]);
  return Object.keys(wanted).every(isSame);
}

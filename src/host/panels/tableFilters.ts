import { l10n } from 'vscode';
import type { AccountSession } from '../../account/session/accountSession.ts';
import { UserFacingError } from '../../base/errors.ts';
import type { Account, ExchangeInformation } from '../../exchange/records.ts';
import { maxFilterLength, type Filter, type TableFilters } from '../../protocol/table.ts';

/** The names that filters suggest: those of the account first. */
export type FilterSuggestions = {
  readonly symbols: readonly string[];
  readonly assets: readonly string[];
};

/**
 * From the account's newest snapshot and from exchange information. If exchange information cannot be
 * read, or not within a second, its names are missing.
 */
export async function filterSuggestions(session: AccountSession): Promise<FilterSuggestions> {
  const information = await session.exchangeInformation.getOrCached();
  return suggestionsFrom(session.store.state.snapshot?.account, information?.symbols ?? []);
}

function suggestionsFrom(
  account: Account | undefined,
  listed: ExchangeInformation['symbols'],
): FilterSuggestions {
  const own = account ?? { positions: [], assets: [] };
  return {
    symbols: uniqueNames([...own.positions, ...listed].map(({ symbol }) => symbol)),
    assets: uniqueNames([
      ...own.assets.map(({ name }) => name),
      ...listed.flatMap(({ marginAsset, quoteAsset }) => [marginAsset, quoteAsset]),
    ]),
  };
}

function uniqueNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => name !== '' && name.length <= maxFilterLength);
}

// The filters of more than one history (sections 4.1 to 4.4).

export function symbolFilter({ symbols }: FilterSuggestions): Filter {
  return { parameter: 'symbol', label: l10n.t('Symbol'), kind: 'text', options: symbols };
}

export function sideFilter(): Filter {
  return { parameter: 'side', label: l10n.t('Side'), kind: 'choice', options: ['BUY', 'SELL'] };
}

export function periodFilters(): readonly Filter[] {
  return [
    { parameter: 'dateFrom', label: l10n.t('From'), kind: 'instant', options: [] },
    { parameter: 'dateTo', label: l10n.t('To'), kind: 'instant', options: [] },
  ];
}

type FilterValue = TableFilters[string] | undefined;

/** The value of a filter with one value. */
export function textFilter(value: FilterValue): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The values of a filter with several values. */
export function listFilter(value: FilterValue): readonly string[] | undefined {
  return typeof value === 'string' ? [value] : value;
}

/** The step of the page's date controls. */
const secondMs = 1000;

/**
 * The half-open period in epoch milliseconds. It includes the whole second of its last instant. Throws
 * UserFacingError for an invalid date: to ignore it would widen the query.
 */
export function periodFilter({ dateFrom, dateTo }: TableFilters): {
  readonly from: number | undefined;
  readonly to: number | undefined;
} {
  const last = parseInstant(dateTo);
  return {
    from: parseInstant(dateFrom),
    to: last === undefined ? undefined : last + secondMs,
  };
}

function parseInstant(value: FilterValue): number | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const epochMs = Date.parse(value);
  if (Number.isNaN(epochMs))
    throw new UserFacingError(l10n.t('A date filter is not a valid date. Set it again.'));
  return epochMs;
}

/** The filters that a command opened the table with, until the page requests their rows. */
export class PendingFilters {
  private pending: TableFilters | null = null;
  private isDescribed = false;

  /** Returns whether the page must be notified: a page that still loads requests its description anyway. */
  request(filters: TableFilters): boolean {
    this.pending = filters;
    return this.isDescribed;
  }

  /** For the table's description; null if there are none. */
  takeForDescription(): TableFilters | null {
    this.isDescribed = true;
    return this.pending;
  }

  /** A page may never receive its description and request it again, so only this query ends the wait. */
  onQuery(filters: TableFilters): void {
    if (this.pending && hasFilters(filters, this.pending)) this.pending = null;
  }

  /** VS Code discards a hidden page and loads it again when it is shown. */
  onHidden(): void {
    this.isDescribed = false;
  }
}

function hasFilters(filters: TableFilters, expected: TableFilters): boolean {
  const isSame = (name: string): boolean =>
    JSON.stringify(filters[name] ?? '') === JSON.stringify(expected[name]);
  return Object.keys(expected).every(isSame);
}

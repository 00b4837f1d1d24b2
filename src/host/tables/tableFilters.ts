import { l10n } from 'vscode';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { Account, ExchangeInformation } from '../../exchange/records.ts';
import {
  filterNames,
  maxFilterLength,
  type Filter,
  type TableFilters,
} from '../../protocol/table.ts';
import { knownSymbols } from './symbolUnits.ts';

export type FilterOf<Parameter> = Filter & { readonly parameter: Parameter };

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
  await session.exchangeInformation.getOrCached();
  return knownSuggestions(session);
}

/** The same without a request. */
export function knownSuggestions(session: AccountSession): FilterSuggestions {
  return suggestionsFrom(session.store.state.snapshot?.account, knownSymbols(session));
}

function suggestionsFrom(
  account: Account | undefined,
  listed: ExchangeInformation['symbols'],
): FilterSuggestions {
  const positions = account?.positions ?? [];
  const assets = account?.assets ?? [];
  return {
    symbols: uniqueNames([...positions, ...listed].map(({ symbol }) => symbol)),
    assets: uniqueNames([
      ...assets.map(({ name }) => name),
      ...listed.flatMap(({ marginAsset, quoteAsset }) => [marginAsset, quoteAsset]),
    ]),
  };
}

function uniqueNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => name !== '' && name.length <= maxFilterLength);
}

// The filters of more than one history (sections 4.1 to 4.4).

export function symbolFilter({ symbols }: FilterSuggestions): FilterOf<'symbol'> {
  return { parameter: 'symbol', label: l10n.t('Symbol'), kind: 'text', options: symbols };
}

export function sideFilter(): FilterOf<'side'> {
  return { parameter: 'side', label: l10n.t('Side'), kind: 'choice', options: ['BUY', 'SELL'] };
}

export function periodFilters(): readonly FilterOf<'dateFrom' | 'dateTo'>[] {
  return [
    { parameter: 'dateFrom', label: l10n.t('From'), kind: 'instant', options: [] },
    { parameter: 'dateTo', label: l10n.t('To'), kind: 'instant', options: [] },
  ];
}

/** The filters that a command opened the table with, until the page requests their rows. */
export class PendingFilters {
  private pending: TableFilters | null = null;
  private isOfStoredRow = false;
  private isDescribed = false;

  /** Null if there are none. */
  get filters(): TableFilters | null {
    return this.pending;
  }

  /** Whether their rows are those of the ledger, and the details of one of them are wanted. */
  get areOfStoredRow(): boolean {
    return this.pending !== null && this.isOfStoredRow;
  }

  /** Returns whether the page must be notified: a page that still loads requests its description anyway. */
  request(filters: TableFilters, areOfStoredRow: boolean): boolean {
    this.pending = filters;
    this.isOfStoredRow = areOfStoredRow;
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
  return filterNames.every(
    (name) =>
      expected[name] === undefined ||
      JSON.stringify(filters[name] ?? '') === JSON.stringify(expected[name]),
  );
}

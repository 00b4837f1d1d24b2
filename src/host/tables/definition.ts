import type { AccountSession } from '../../account/session/accountSession.ts';
import type { Snapshot } from '../../account/session/accountStore.ts';
import type { Display } from '../../base/display.ts';
import type { ByKind } from '../../exchange/decoders.ts';
import type { HistoryFilters, HistoryName } from '../../exchange/history/historyRecords.ts';
import type { BadRecord, ExchangeInformation } from '../../exchange/records.ts';
import type { Column, Filter, SummaryGroup, TablePage } from '../../protocol/table.ts';
import type { RowTexts } from '../../protocol/texts.ts';
import type { CellRow } from '../webview/recordCells.ts';

type TableParts = {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly texts: RowTexts;
  /** A remark above the rows. */
  readonly note?: string;
};

/** A history: read page by page, with filters. */
type HistoryTableOf<Name extends HistoryName> = TableParts & {
  readonly kind: 'history';
  readonly operation: Name;
  filters(
    suggestions: FilterSuggestions,
  ): readonly FilterOf<keyof HistoryFilters<Name> | 'dateFrom' | 'dateTo'>[];
  /** The values that are sent unless others are chosen. */
  readonly defaults?: Partial<HistoryFilters<Name>>;
};
export type HistoryTables = { readonly [Name in HistoryName]: HistoryTableOf<Name> };
export type HistoryTable = HistoryTables[HistoryName];

export type FilterOf<Parameter> = Filter & { readonly parameter: Parameter };

/** The names that filters suggest: those of the account first. */
export type FilterSuggestions = {
  readonly symbols: readonly string[];
  readonly assets: readonly string[];
};

/** Reference data: read at once, without filters or pages. */
export type ReferenceTable = TableParts & {
  readonly kind: 'reference';
  readonly operation: 'exchangeInfo' | 'leverage' | 'feeTiers';
  /** Rejects with ExchangeError or the signal's reason. */
  read(exchange: AccountSession['reference'], signal: AbortSignal): Promise<ReferenceData>;
  /** The marks and figures that come from the account; they follow its newest snapshot. */
  readonly accountAnnotations?: (
    rows: readonly CellRow[],
    snapshot: Snapshot | undefined,
    display: Display,
  ) => Pick<TablePage, 'marks' | 'summary'>;
};

type ReferenceData = {
  readonly value: readonly object[];
  readonly badRecords: readonly BadRecord[];
  readonly summary?: readonly SummaryGroup[];
};

export type TableDefinition = HistoryTable | ReferenceTable;

/** How a field can be shown, by what it is. */
type CellKinds = {
  text: 'text' | 'enum' | 'link';
  number: 'decimal' | 'percent' | 'distance';
  id: 'id';
  flag: 'flag';
  time: 'time';
};

type ColumnsOf<Kinds> = {
  readonly [Field in keyof Kinds]: Omit<Column, 'field' | 'kind'> & {
    readonly kind: ByKind<Kinds, CellKinds>[Field];
  };
};

/** A column for each field of a record, in this order. A field that is left out does not compile. */
export function recordColumns<Kinds>(columns: ColumnsOf<Kinds>): Column[] {
  return Object.entries<object>(columns).map(([field, column]) => ({ field, ...column }) as Column);
}

type Symbols = ExchangeInformation['symbols'];

/** As exchange information was read last; none until then. */
export function knownSymbols({
  exchangeInformation,
}: Pick<AccountSession, 'exchangeInformation'>): Symbols {
  return exchangeInformation.cached?.value.symbols ?? [];
}

/**
 * Columns whose numbers are in an asset of the row’s symbol. The record names only the symbol, and
 * exchange information its assets (section 2.7): the numbers of an unknown symbol stay apart.
 */
export function withSymbolUnits(columns: readonly Column[], symbols: Symbols): Column[] {
  return columns.map((column) => {
    const { unitField } = column;
    if (unitField !== 'marginAsset' && unitField !== 'quoteAsset') return column;
    const units = Object.fromEntries(symbols.map((one) => [one.symbol, one[unitField]]));
    return { ...column, unitField: 'symbol', units };
  });
}

import {
  records,
  type AnyField,
  type FieldKind,
  type FieldName,
  type NamedValue,
  type RecordName,
} from '../../api/fields.ts';
import type { HistoryName, ListName } from '../../api/operations.ts';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { Snapshot } from '../../account/session/accountStore.ts';
import type { Display } from '../../base/display.ts';
import type { ComputedField } from '../../base/fieldPrivacy.ts';
import type { BadRecord, ExchangeInformation } from '../../exchange/records.ts';
import type { Column, SummaryGroup, TablePage, Word } from '../../protocol/table.ts';
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
export type HistoryTables = {
  readonly [Name in HistoryName]: TableParts & {
    readonly kind: 'history';
    readonly operation: Name;
  };
};
export type HistoryTable = HistoryTables[HistoryName];

/** The names that filters suggest: those of the account first. */
export type FilterSuggestions = {
  readonly symbols: readonly string[];
  readonly assets: readonly string[];
};

/** Reference data: read at once, without filters or pages. */
export type ReferenceTable = TableParts & {
  readonly kind: 'reference';
  readonly operation: 'exchangeInfo' | ListName;
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

type ColumnText = Omit<Column, 'field' | 'kind'>;

/** A column for each field of a record, and for figures that are computed. A field, or a word for one of its values, that is left out does not compile. */
export type RecordColumns<Name extends RecordName> = {
  readonly [Each in FieldName<Name>]: Omit<ColumnText, 'words'> & {
    readonly kind?: Column['kind'];
    readonly words?: Readonly<Record<NamedValue<Name, Each>, Word>>;
  };
} & Readonly<Partial<Record<ComputedField, ColumnText & Pick<Column, 'kind'>>>>;

export function recordColumns<Name extends RecordName>(
  name: Name,
  columns: RecordColumns<Name>,
): Column[] {
  return someColumns(name, columns);
}

export function someColumns<Name extends RecordName>(
  name: Name,
  columns: Partial<RecordColumns<Name>>,
): Column[] {
  const fields = new Map(Object.entries<AnyField>(records[name].fields));
  return Object.entries<object | undefined>(columns).map(
    ([field, column]) => ({ field, kind: cellKind(fields.get(field)), ...column }) as Column,
  );
}

/** How a field is shown unless its column says otherwise. */
function cellKind(field: AnyField | undefined): Column['kind'] | undefined {
  if (field === undefined || field.kind === 'list') return undefined;
  return field.values ? 'enum' : cellKinds[field.kind];
}

const cellKinds: Readonly<Record<FieldKind, Column['kind']>> = {
  word: 'text',
  reference: 'text',
  number: 'decimal',
  id: 'id',
  flag: 'flag',
  time: 'time',
};

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

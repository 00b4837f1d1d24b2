import * as v from 'valibot';
import type { DisplaySettings } from '../base/display.ts';

/** The words between a table page and the host. A table is a list of columns and a list of filters. */

export const tableNames = [
  'orders',
  'trades',
  'lots',
  'transactions',
  'exchangeInformation',
  'leverageRules',
  'feeTiers',
] as const;
export type TableName = (typeof tableNames)[number];

/**
 * How a cell is shown. `decimal`, `percent`, `id` and `time` are numbers on the wire, `flag` is true
 * or false; `percent` only where the interface states percent units. A `link` is text that a person
 * may ask the host to open.
 */
export type CellKind = 'text' | 'enum' | 'id' | 'decimal' | 'percent' | 'time' | 'flag' | 'link';

export type Column = {
  /** The record's field in the service interface. */
  readonly field: string;
  readonly label: string;
  readonly kind: CellKind;
};

/** A value as the wire wrote it, or a mask where privacy hides it; null where the record has none. */
export type Cell = string | null;

/**
 * One parameter of the operation. `text` with suggestions but free; `choice` one of the options;
 * `choices` any number of them; `instant` a date and time, shown and typed in the zone of the display; `switch` always exactly one of the
 * options, at first the first.
 */
export type Filter = {
  readonly parameter: string;
  readonly label: string;
  readonly kind: 'text' | 'choice' | 'choices' | 'instant' | 'switch';
  readonly options: readonly string[];
};

/** Whose rows these are; shown wherever rows are shown. */
export type TableContext = {
  /** The profile's name; null when no account is open. */
  readonly profile: string | null;
  /** LIVE, TEST or PRACTICE; empty when no account is open. */
  readonly environment: string;
  /** Differs for each opening of an account, so that no row outlives the one it was read from; 0 for none. */
  readonly session: number;
};

/** The longest text that a filter holds, in UTF-16 code units. */
export const maxFilterText = 200;
const text = v.pipe(v.string(), v.maxLength(maxFilterText));

/** Filters by parameter name. */
export const tableFiltersSchema = v.record(
  text,
  v.union([text, v.pipe(v.array(text), v.maxLength(20))]),
);

/** What a page asks for: filters, the page counted from 0, and its size. */
export const tableQuerySchema = v.strictObject({
  filters: tableFiltersSchema,
  page: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000_000)),
  size: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500)),
});
/** An `instant` crosses as ISO 8601 in UTC (`2026-11-20T10:00:00.000Z`), `choices` as an array. */
export type TableQuery = v.InferOutput<typeof tableQuerySchema>;
export type TableFilters = TableQuery['filters'];

export type TableDescription = {
  /** Names the table in the state that outlives the page. */
  readonly table: TableName;
  readonly title: string;
  /** What a reader must know of all rows; empty where there is nothing to say. */
  readonly note: string;
  readonly columns: readonly Column[];
  readonly filters: readonly Filter[];
  /** Empty for a table that comes whole. */
  readonly pageSizes: readonly number[];
  /** Whether all rows of a query can go to a file. */
  readonly canExport: boolean;
  readonly context: TableContext;
  readonly display: DisplaySettings;
  /** Filters to begin with in place of those that were kept; null where nobody asked for any. */
  readonly startWith: TableFilters | null;
};

/** What outlives a page: only what to ask for, never what came back. */
export const tableStateSchema = v.object({
  v: v.literal(1),
  table: v.picklist(tableNames),
  query: v.optional(tableQuerySchema),
});
export type TableState = v.InferOutput<typeof tableStateSchema>;

/** One value that stands above the rows. */
export type Fact = Column & { readonly cell: Cell };
export type FactGroup = { readonly title: string; readonly facts: readonly Fact[] };

export type TablePage = {
  /** Names the page among all that the host sent, so that its cells can be asked for. */
  readonly number: number;
  /** One array of cells a record, in the order of the columns. */
  readonly rows: readonly (readonly Cell[])[];
  /** Rows that stand out, by index, and the words that say why. */
  readonly marks: readonly { readonly row: number; readonly label: string }[];
  /** The row that somebody asked to see, by index: the page begins there; null where nobody did. */
  readonly startRow: number | null;
  /** What the answer says beside its rows. */
  readonly facts: readonly FactGroup[];
  /** What a reader must know of these rows: a sentence each. */
  readonly notes: readonly string[];
  /** How many rows the exchange answered that lie outside the period and are not shown. */
  readonly leftOut: number;
  /** How many rows stand before these, where not every page before is full; else null. */
  readonly rowsBefore: number | 'unknown' | null;
  /** As the server counts them, in its own digits; null where it does not say. */
  readonly size: string | null;
  readonly totalPages: string | null;
  readonly totalElements: string | null;
  /** Records that broke their type: a sentence each, naming the field. */
  readonly badRecords: readonly string[];
  /** When the rows were read, in epoch milliseconds. */
  readonly readAt: number;
};

const index = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000));

/** A cell of the page with this number, by its row and column. */
export const cellOfPageSchema = v.strictObject({
  page: v.pipe(v.number(), v.integer()),
  row: index,
  column: index,
});
export type CellOfPage = v.InferOutput<typeof cellOfPageSchema>;

/** What the host answers a table page. */
export type TableMethods = {
  'table/open': { params: null; result: TableDescription };
  'table/page': { params: TableQuery; result: TablePage };
  /** A link's text as the wire wrote it. Answered once it is accepted, before a person has agreed. */
  'table/openLink': { params: string; result: null };
  /** All rows of these filters go to a file. Answered once it is accepted; the host asks and tells the rest. */
  'table/export': { params: TableFilters; result: null };
  /** Copies a cell that is masked on the page. Answered before a person has agreed to it. */
  'table/copy': { params: CellOfPage; result: null };
};

/** What the host tells a table page. */
export type TableEvents = {
  /** The last page that was sent, as it is shown now: in another look, or beside newer figures of the account. */
  'table/display': { readonly display: DisplaySettings; readonly page: TablePage | null };
  /** The cell that was asked for is in the clipboard. */
  'table/copied': null;
  /** Another account is open now: what stands on the page is not its. */
  'table/context': TableContext;
  /** The account has changed since this page was read: there may be newer rows. */
  'table/newer': { readonly page: number };
  /** The description has filters to begin with: open again. */
  'table/reopen': null;
};

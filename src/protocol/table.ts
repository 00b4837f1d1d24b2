import * as v from 'valibot';

/** The words between a table page and the host. A table is a list of columns and a list of filters. */

/** How a cell is shown: `decimal` and `id` and `time` are numbers on the wire, the rest is text. */
export type CellKind = 'text' | 'enum' | 'id' | 'decimal' | 'time';

export type Column = {
  /** The record's field in the service interface. */
  readonly field: string;
  readonly label: string;
  readonly kind: CellKind;
};

/** A value as the wire wrote it; null where the record has none. */
export type Cell = string | null;

/**
 * One parameter of the operation. `text` with suggestions but free; `choice` one of the options;
 * `choices` any number of them; `instant` a UTC date and time.
 */
export type Filter = {
  readonly parameter: string;
  readonly label: string;
  readonly kind: 'text' | 'choice' | 'choices' | 'instant';
  readonly options: readonly string[];
};

/** Whose rows these are; shown wherever rows are shown. */
export type TableContext = {
  /** The profile's name; null when no account is open. */
  readonly profile: string | null;
  /** LIVE, TEST or PRACTICE; empty when no account is open. */
  readonly environment: string;
};

export type TableDescription = {
  /** Names the table in the state that outlives the page. */
  readonly table: string;
  readonly title: string;
  readonly columns: readonly Column[];
  readonly filters: readonly Filter[];
  readonly pageSizes: readonly number[];
  readonly context: TableContext;
};

const maxText = 200;
const text = v.pipe(v.string(), v.maxLength(maxText));

/** What a page asks for: filters by parameter name, the page counted from 0, and its size. */
export const tableQuerySchema = v.strictObject({
  filters: v.record(text, v.union([text, v.pipe(v.array(text), v.maxLength(20))])),
  page: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000_000)),
  size: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500)),
});
/** An `instant` crosses as ISO 8601 in UTC (`2026-11-20T10:00:00.000Z`), `choices` as an array. */
export type TableQuery = v.InferOutput<typeof tableQuerySchema>;

/** What outlives a page: only what to ask for, never what came back. */
export const tableStateSchema = v.object({
  v: v.literal(1),
  table: v.picklist(['orders']),
  query: v.optional(tableQuerySchema),
});
export type TableState = v.InferOutput<typeof tableStateSchema>;

export type TablePage = {
  /** One array of cells a record, in the order of the columns. */
  readonly rows: readonly (readonly Cell[])[];
  /** As the server counts them, in its own digits. */
  readonly totalPages: string;
  readonly totalElements: string;
  /** Records that broke their type: a sentence each, naming the field. */
  readonly badRecords: readonly string[];
  /** When the rows were read, in epoch milliseconds. */
  readonly readAt: number;
};

/** What the host answers a table page. */
export type TableMethods = {
  'table/open': { params: null; result: TableDescription };
  'table/page': { params: TableQuery; result: TablePage };
};

/** What the host tells a table page. */
export type TableEvents = {
  /** Another account is open now: what stands on the page is not its. */
  'table/context': TableContext;
};

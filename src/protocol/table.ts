import * as v from 'valibot';
import type { PeriodPart } from '../base/interval.ts';
import {
  historyNames,
  parametersOf,
  type DateParameter,
  type FilterParameter,
  type HistoryName,
  type ParameterName,
} from '../api/operations.ts';
import type { DisplaySettings } from '../base/display.ts';
import { lastDateMs } from '../base/time.ts';
import { isDisplayField, type DisplayField } from '../base/fieldPrivacy.ts';
import {
  gridParams,
  gridViewSchema,
  rowOfPageSchema,
  sortSchema,
  type ColumnLayout,
  type GridEvents,
} from './gridMessages.ts';
import { accountActions, type MethodsOf, type RpcFailure } from './messages.ts';
import { ledgerPageSize, maxFilterLength, tableSources, type TableSource } from './values.ts';

/** What the host and a table page know of a table: a list of columns, a list of filters, and pages of rows. */

export const referenceNames = ['exchangeInformation', 'leverageRules', 'feeTiers'] as const;
export const tableNames = [...historyNames, ...referenceNames] as const;
export type TableName = (typeof tableNames)[number];

/**
 * How a cell is shown. `decimal`, `percent`, `id` and `time` are numbers in the exchange's answer,
 * `flag` is true or false. `percent` is for fields that the API documents in percent. The host can
 * open a `link` after it asked the user. A `distance` is in percent, below 0 once it is passed.
 */
const cellKind = v.picklist([
  'text',
  'enum',
  'id',
  'decimal',
  'percent',
  'time',
  'flag',
  'link',
  'distance',
]);

export const displayField = v.custom<DisplayField>(isDisplayField);

/** How a `distance` is drawn: as a bar with a word. */
const scaleSchema = v.object({
  /** The percentage at which the bar is full. */
  full: v.number(),
  /** From the least on. A distance has the word of the first step that it does not exceed. */
  steps: v.pipe(v.array(v.object({ upTo: v.number(), word: v.string() })), v.readonly()),
  /** The word beyond all steps; empty if there is none. */
  beyond: v.string(),
});
export type DistanceScale = v.InferOutput<typeof scaleSchema>;

const wordSchema = v.object({
  text: v.string(),
  /** A colour for what the text says too. */
  tone: v.exactOptional(v.picklist(['gain', 'loss', 'critical'])),
  /** The fields whose percentage stands behind the text. */
  share: v.exactOptional(v.object({ part: displayField, whole: displayField })),
});
export type Word = v.InferOutput<typeof wordSchema>;

export const columnSchema = v.object({
  /** The record's field, of the API or of our own. Privacy depends on it. */
  field: displayField,
  label: v.string(),
  kind: cellKind,
  /** The column that has the unit of these numbers: only numbers of one unit are added up. */
  unitField: v.exactOptional(displayField),
  /** The units that the cells of that column name; a cell without one is a unit itself. */
  units: v.exactOptional(v.record(v.string(), v.string())),
  /** What to know of these cells, in the tooltip of the header. */
  detail: v.exactOptional(v.string()),
  /** Of a column of kind `distance`. */
  scale: v.exactOptional(scaleSchema),
  /** What is shown in place of these values of the exchange. */
  words: v.exactOptional(v.record(v.string(), wordSchema)),
  /** Its sign says what the account gains or loses. */
  isSigned: v.exactOptional(v.boolean()),
});
export type Column = v.InferOutput<typeof columnSchema>;

/** The exchange's own text, or a mask if privacy hides it; null if the record has no value. */
export type Cell = string | null;

/**
 * One parameter of the operation. `text`: any text, with the options as suggestions. `choice`: one
 * option or none. `choices`: any number of options. `switch`: always one option, the first by
 * default. `instant`: a date and time in the display's time zone.
 */
export type Filter = {
  readonly parameter: FilterName;
  /** The field whose values it takes, if that has another name. */
  readonly field?: DisplayField;
  readonly label: string;
  readonly kind: 'text' | 'choice' | 'choices' | 'instant' | 'switch';
  readonly options: readonly string[];
};

/** The account that rows belong to; shown wherever rows are shown. */
export type TableContext = {
  /** The profile's name; null when no account is open. */
  readonly profile: string | null;
  /** LIVE, TEST or PRACTICE; empty when no account is open. */
  readonly environment: string;
  /** Changes each time an account is opened, so that rows never outlive their session; 0 for none. */
  readonly session: number;
};

const text = v.pipe(v.string(), v.maxLength(maxFilterLength));

/** The parameters of the histories that rows are filtered by. */
type FilterName = ParameterName<HistoryName, FilterParameter | DateParameter>;
const filterNames = historyNames.flatMap((history) =>
  [...parametersOf(history)]
    .filter(([, { kind }]) => kind !== 'page' && kind !== 'size')
    .map(([name]) => name as FilterName),
);

/** Filter values by parameter name. */
const tableFiltersSchema = v.record(
  v.picklist(filterNames),
  v.union([text, v.pipe(v.array(text), v.maxLength(20))]),
);

/** Filters, the page counted from 0, and the page size. */
export const tableQuerySchema = v.strictObject({
  filters: tableFiltersSchema,
  page: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000_000)),
  size: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(ledgerPageSize)),
  /** Names a part of a period that is too long for one request, by its end; the latest unless given. */
  part: v.optional(
    v.strictObject({
      to: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(lastDateMs)),
      isLatest: v.boolean(),
    }),
  ),
  /**
   * If the rows come from the ledger. `search` and `sort` apply to all rows; an empty `search` matches each. `isStart`
   * asks for the first rows of the page alone, which come sooner.
   */
  ledger: v.optional(
    v.strictObject({
      search: text,
      sort: v.nullable(sortSchema),
      isStart: v.exactOptional(v.literal(true)),
    }),
  ),
});
/** An `instant` is ISO 8601 in UTC (`2026-11-20T10:00:00.000Z`), `choices` are an array. */
export type TableQuery = v.InferOutput<typeof tableQuerySchema>;
export type TableFilters = TableQuery['filters'];

export type TableDescription = {
  readonly table: TableName;
  readonly title: string;
  /** A remark above the rows; may be empty. */
  readonly note: string;
  readonly columns: readonly Column[];
  readonly filters: readonly Filter[];
  /** Empty for a table without pages, which cannot be exported either. */
  readonly pageSizes: readonly number[];
  /** The size that the user chose last. */
  readonly pageSize: number;
  /** Where to read first; null without a ledger, which leaves no choice. */
  readonly source: TableSource | null;
  readonly context: TableContext;
  readonly display: DisplaySettings;
  /** The last query of this panel, also of before a reload; null if there was none. */
  readonly query: TableQuery | null;
  /** Filters that replace those of `query`, if a command opened the table with filters. */
  readonly initialFilters: TableFilters | null;
  /** Whether a command asked for the details of the row to scroll to. */
  readonly areDetailsOpen: boolean;
  /** As the user left it, in whichever window. */
  readonly layout: ColumnLayout;
  /** What an earlier page of this panel showed; null if it showed no rows of this account. */
  readonly kept: KeptPage | null;
};

/** The page is discarded while its panel is hidden. The host keeps this for the next one. */
export type KeptPage = {
  readonly shown: ShownRows | null;
  /** The last query if it failed after these rows were read. */
  readonly failed: { readonly query: TableQuery; readonly failure: RpcFailure } | null;
  readonly view: PageView | null;
  /** The page that the exchange may have newer rows than. */
  readonly outdatedPageId: number | null;
};

/** What a page saves for a reload: which panel it is. VS Code writes it to disk. */
export const tableStateSchema = v.object({
  v: v.literal(1),
  table: v.picklist(tableNames),
  /** The symbol that the panel was opened for; empty if none. */
  scope: text,
});
export type TableState = v.InferOutput<typeof tableStateSchema>;

/** A labelled value above the rows. */
export type SummaryItem = Column & { readonly cell: Cell };
export type SummaryGroup = { readonly title: string; readonly items: readonly SummaryItem[] };

/** Rows with the query that returned them. */
export type ShownRows = { readonly query: TableQuery; readonly page: TablePage };

export type TablePage = {
  /** Unique among the pages that the host sent; `grid/copy` refers to it. */
  readonly id: number;
  /** One array of cells for each record, in the order of the columns. */
  readonly rows: readonly (readonly Cell[])[];
  /** Highlighted rows, by index, each with a label that says why. */
  readonly marks: readonly { readonly row: number; readonly label: string }[];
  /** The index of the row to scroll to, if a command asked for one. */
  readonly startRow: number | null;
  /** A command asked for a row that is not among these. */
  readonly isStartMissing?: boolean;
  readonly summary: readonly SummaryGroup[];
  /** Sentences about these rows, shown above them. */
  readonly notes: readonly string[];
  /** How many rows of the answer are not shown: outside the period, filtered here, or unreadable. */
  readonly omittedRows: number;
  /** The part of the period that these rows and counts belong to; null if they belong to all of it. */
  readonly part: PeriodPart | null;
  /** The server's counts, in its own digits; null if the answer has none. */
  readonly size: string | null;
  readonly totalPages: string | null;
  readonly totalElements: string | null;
  /** One sentence for each record or field that could not be read, naming the field. */
  readonly badRecords: readonly string[];
  /** When the rows were read, in epoch milliseconds of the exchange. */
  readonly readAt: number;
  /** Only of rows of the ledger. */
  readonly ledger?: LedgerFigures;
};

/** What the ledger knows of all rows that match, on whichever page. */
export type LedgerFigures = {
  /** How complete they are, in words. */
  readonly coverage: string;
  /** How much of the period the sums are of; null if it is all. */
  readonly incomplete: string | null;
  /** Rows before this moment only the exchange has, in epoch milliseconds; null if the period has none. */
  readonly olderThan: number | null;
  readonly sums: readonly LedgerSum[];
};

/** The exact figures of one column in one unit; `unit` is null where the records name none. */
export type LedgerSum = {
  readonly field: DisplayField;
  readonly unit: string | null;
  /** How many rows lack the figure; the others are these. */
  readonly lacking: number;
  readonly sum: string;
  readonly min: string;
  readonly max: string;
  /** What was bought and sold; null for what has no side, or only one. */
  readonly bySide: { readonly bought: string; readonly sold: string } | null;
};

/** Every field of a record. `extra` are those that the API document does not name, as JSON. */
export type RecordFields = {
  readonly fields: readonly SummaryItem[];
  readonly extra: readonly { readonly name: string; readonly text: string }[];
};

export type RowDetails = RecordFields & {
  /** What the host can be asked to find, with a label that says what it costs; and what it found before. */
  readonly more?: {
    readonly label: string;
    readonly answer?: { readonly kind: 'loaded'; readonly value: RelatedRecords };
  };
  /** What became of the record since the ledger has it, each change in a sentence with what changed. */
  readonly sections?: readonly RelatedRecords[];
};

export type RelatedRecords = {
  /** What was found, and whether it is all. */
  readonly sentence: string;
  readonly records: readonly RecordFields[];
};

/** What the user typed but did not apply, by parameter, and what the grid shows of the rows. */
const pageViewSchema = v.strictObject({
  /** The time zone of the typed dates. */
  zone: text,
  formValues: v.record(text, v.union([text, v.pipe(v.array(text), v.maxLength(20))])),
  /** What is searched in the page; null if the search is closed. */
  find: v.nullable(text),
  grid: gridViewSchema,
});
export type PageView = v.InferOutput<typeof pageViewSchema>;

/** The requests of a table page. */
export const tableParams = {
  ...gridParams,
  'table/open': v.null(),
  'table/page': tableQuerySchema,
  /** Reads what is new into the ledger. */
  'table/synchronise': v.null(),
  /** Keeps the choice for this table. */
  'table/source': v.picklist(tableSources),
  /** Has the host read the next page before the user asks for it, if nothing waits for it. */
  'table/prefetch': tableQuerySchema,
  /** What the next page costs and what is left of the share, in words; empty without an account. */
  'table/weight': v.null(),
  /** Keeps this for the next page of the panel. */
  'table/keep': pageViewSchema,
  /** Takes the exchange's own text. Replies as soon as the link is valid, before the user confirms. */
  'table/openLink': v.string(),
  /** Runs the command of this name. */
  'table/runAction': v.picklist(accountActions),
  /** Exports all rows of these filters. Replies at once; the host shows the dialogs and the progress. */
  'table/export': tableFiltersSchema,
  'table/details': rowOfPageSchema,
  /** The records that belong to a row. Sends one request to the exchange unless the ledger has all of them. */
  'table/related': rowOfPageSchema,
  /** Opens the trades around an order, in their own panel. */
  'table/openTrades': rowOfPageSchema,
  /** Opens the position that an order or a trade is in. */
  'table/openPosition': rowOfPageSchema,
};
export type TableMethods = MethodsOf<
  typeof tableParams,
  {
    'table/open': TableDescription;
    'table/page': TablePage;
    'table/weight': string;
    'table/details': RowDetails;
    'table/related': RelatedRecords;
  }
>;

/** The events that the host sends to a table page. */
export type TableEvents = GridEvents & {
  /** The last page again: the display settings or the account's figures beside the rows have changed. */
  'table/display': { readonly display: DisplaySettings; readonly page: TablePage | null };
  /** Another account is open: the rows on the page are not its rows. */
  'table/context': TableContext;
  /** The account has changed since this page was read: there may be newer rows. */
  'table/newer': { readonly pageId: number };
  /** The ledger has other rows than this page: read it again. */
  'table/changed': { readonly pageId: number };
  /** The description has initial filters: request it again. */
  'table/reopen': null;
};

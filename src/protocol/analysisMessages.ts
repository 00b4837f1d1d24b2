import * as v from 'valibot';
import { chartSchema } from './chart.ts';
import { labelSchema, pageAccountSchema, tableSchema } from './documentTable.ts';
import {
  gridViewSchema,
  type GridEvents,
  type GridMethods,
  type RowOfPage,
} from './gridMessages.ts';
import { displayField, displaySchema, gridRowsSchema } from './documentRows.ts';

/**
 * The messages between the page of an analysis and the host. The page is a document of texts, charts and
 * rows: the host has translated, masked and cleaned them. Figures of charts and rows are exact texts.
 */

const text = v.string();
const texts = v.array(text);

const epochMs = v.pipe(v.number(), v.safeInteger());

/** What an analysis is of, as its tools choose it. `days` is null for everything. */
export const analysisChoicesSchema = v.strictObject({
  view: v.picklist([
    ...(['realizedPl', 'fees', 'funding', 'cashFlow', 'cash', 'equity', 'drawdown'] as const),
    'feeAudit',
  ]),
  days: v.nullable(v.picklist([1, 7, 30, 90])),
  /** In place of `days`: from the moment `from` up to but without `to`; null for an open end. */
  dates: v.nullable(v.strictObject({ from: v.nullable(epochMs), to: v.nullable(epochMs) })),
  groupBy: v.picklist(['day', 'week', 'month']),
  splitBy: v.picklist(['asset', 'symbol', 'side', 'type']),
  account: v.picklist(['FUTURE', 'SPOT']),
  /** Rows in place of charts. */
  isTable: v.boolean(),
});
export type AnalysisChoices = v.InferOutput<typeof analysisChoicesSchema>;

/** The page as it opens. */
export const firstChoices: AnalysisChoices = {
  view: 'realizedPl',
  days: 30,
  dates: null,
  groupBy: 'day',
  splitBy: 'asset',
  account: 'FUTURE',
  isTable: false,
};

/** Reads the gaps of what is shown, of its numbers, or of the transactions behind its drawdown. */
const fillActions = ['fillGaps', 'fillNumbersGaps', 'fillDrawdownGaps'] as const;
export type FillAction = (typeof fillActions)[number];

/** What a button of the page runs. */
export const analysisActionSchema = v.picklist([
  ...fillActions,
  'downloadHistory',
  'openReconciliation',
  'togglePrivacy',
  'tryPractice',
  'switchProfile',
]);
export type AnalysisAction = v.InferOutput<typeof analysisActionSchema>;

const buttonSchema = v.object({ action: analysisActionSchema, label: text });
export type AnalysisButton = v.InferOutput<typeof buttonSchema>;

/** The options of a choice, by the name that it has in `AnalysisChoices`. */
const toolSchema = v.object({
  name: v.picklist(['days', 'groupBy', 'splitBy', 'account']),
  label: text,
  options: v.array(v.object({ value: v.nullable(v.union([text, v.number()])), label: text })),
});
export type AnalysisTool = v.InferOutput<typeof toolSchema>;

const analysisChartSchema = v.object({
  title: text,
  /** Its asset, which is read out with each figure; empty if it is not known. */
  unit: text,
  field: displayField,
  /** Whether a single series has the colours of profit and loss. */
  isProfit: v.boolean(),
  /** How a point is named: by the day, week or month that it is, or by its moment. */
  points: v.picklist(['day', 'week', 'month', 'moment']),
  /** How much of the period its figures are of, if it is not all: then they are no headline. */
  incomplete: v.nullable(text),
  summary: text,
  notes: texts,
  /** Null if its figures are hidden. */
  data: v.nullable(chartSchema),
});
export type AnalysisChart = v.InferOutput<typeof analysisChartSchema>;

const cardSchema = v.object({
  label: text,
  /** How much of the period its figures are of, if it is not all: in place of a headline. */
  incomplete: v.nullable(text),
  /** The first line is the figure that matters. */
  lines: v.array(labelSchema),
  notes: texts,
});
export type AnalysisCard = v.InferOutput<typeof cardSchema>;

/** Whether rows may be missing in figures, and where. */
const coverageSchema = v.object({
  text,
  isComplete: v.boolean(),
  /** Each gap, and why. */
  gaps: texts,
  gapsLabel: text,
  button: v.nullable(buttonSchema),
});
export type CoverageTexts = v.InferOutput<typeof coverageSchema>;

const numbersSchema = v.object({
  title: text,
  /** Null if it says no more than the one before. */
  coverage: v.nullable(coverageSchema),
  notes: texts,
  cards: v.array(cardSchema),
});
export type AnalysisNumbers = v.InferOutput<typeof numbersSchema>;

const resultSchema = v.object({
  /** Names this result: a request to show rows refers to it. */
  id: v.number(),
  /** Null if there is nothing to say it of, as of a period in the future. */
  coverage: v.nullable(coverageSchema),
  notes: texts,
  /** Why there is no chart: no rows in the period, or hidden figures. */
  empty: v.nullable(v.object({ text, button: v.nullable(buttonSchema) })),
  charts: v.array(analysisChartSchema),
  tables: v.array(tableSchema),
  /** In place of charts. */
  grid: v.nullable(gridRowsSchema),
  /** The label of a button that opens the active row of the grid in its panel; null if it is not a record. */
  showRow: v.nullable(text),
  numbers: v.array(numbersSchema),
});
export type AnalysisResult = v.InferOutput<typeof resultSchema>;

export const analysisDocumentSchema = v.object({
  title: text,
  /** Null if no account is open. */
  account: v.nullable(pageAccountSchema),
  /** What is wrong, or how to begin. */
  notes: texts,
  buttons: v.array(buttonSchema),
  choices: analysisChoicesSchema,
  views: v.array(v.object({ view: analysisChoicesSchema.entries.view, label: text })),
  tools: v.array(toolSchema),
  result: v.nullable(resultSchema),
  display: displaySchema,
  hiddenWord: text,
});
export type AnalysisDocument = v.InferOutput<typeof analysisDocumentSchema>;

/** The rows of a point: of one series, or of all if it is null. */
export const chartPlaceSchema = v.strictObject({
  id: v.number(),
  chart: v.number(),
  point: v.number(),
  series: v.nullable(v.number()),
});
export type ChartPlace = v.InferOutput<typeof chartPlaceSchema>;

/** What the page saves for a reload: what was chosen, and how its grid is arranged; no data of the account. */
export const analysisStateSchema = v.object({
  v: v.literal(1),
  scroll: v.number(),
  choices: analysisChoicesSchema,
  grid: v.optional(gridViewSchema),
});
export type AnalysisState = v.InferOutput<typeof analysisStateSchema>;

/** The texts of the page, beside those of its grid. */
export type AnalysisTexts = Readonly<
  Record<
    | 'view'
    | 'labelled'
    | 'hintWithoutRows'
    | 'fromTo'
    | 'since'
    | 'until'
    | 'custom'
    | 'from'
    | 'to'
    | 'inZone'
    | 'instantFormat'
    | 'invalidInstant'
    | 'fromAfterTo'
    | 'tools'
    | 'loading'
    | 'showAsTable'
    | 'showAsChart'
    | 'hint'
    | 'showRows'
    | 'showRowsOf'
    | 'widerRows'
    | 'noFigure'
    | 'notKnown'
    | 'incomplete',
    string
  >
>;

/** The requests of the page. */
export type AnalysisMethods = GridMethods & {
  /** What is chosen from now on, and its result; null as the host has it. */
  'analysis/open': { params: AnalysisChoices | null; result: AnalysisDocument };
  /** Replies at once; what the action changes follows as an event. */
  'analysis/press': { params: AnalysisAction; result: null };
  /** Opens the rows of a point; nothing if the result is no longer the one that is shown. */
  'analysis/show': { params: ChartPlace; result: null };
  /** The same of a row of the grid. */
  'analysis/showRow': { params: RowOfPage; result: null };
};

/** The events that the host sends to the page. */
export type AnalysisEvents = GridEvents & {
  /** The account, its ledger or the display settings have changed. */
  'analysis/changed': AnalysisDocument;
};

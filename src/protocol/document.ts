import * as v from 'valibot';
import { digitSettings } from '../base/display.ts';
import { chartSchema } from './chart.ts';
import { columnSchema, displayField } from './table.ts';
import { columnLayoutSchema, gridParams, gridViewSchema, type GridEvents } from './gridMessages.ts';
import type { MethodsOf } from './messages.ts';

/**
 * A document: a header and sections of blocks. The host has translated, masked and cleaned its texts, and the
 * page only draws them. What is not declared here does not cross to the page.
 */

const text = v.string();
const texts = v.array(text);

/** The account that a document is about. */
const accountSchema = v.object({
  /** LIVE or TEST; null for the practice exchange: its name says it. */
  environment: v.nullable(text),
  profile: text,
  origin: text,
  remark: v.nullable(text),
});
export type DocumentAccount = v.InferOutput<typeof accountSchema>;

const labelSchema = v.object({
  text,
  /** The long form, such as a time with its day. */
  detail: v.optional(text),
  /** A colour for what the text says too. */
  tone: v.optional(v.picklist(['gain', 'loss', 'near', 'critical'])),
});
export type Label = v.InferOutput<typeof labelSchema>;

/** `action` names what it does. The same action of the next version of a document does the same. */
const buttonSchema = v.object({
  action: text,
  label: text,
  /** Read aloud in place of the label. */
  spoken: v.exactOptional(text),
  /** Drawn as a box that is checked or not. */
  isChosen: v.exactOptional(v.boolean()),
});
export type DocumentButton = v.InferOutput<typeof buttonSchema>;

/** Drawn as an icon; a word beside it says the same. */
const stateSchema = v.picklist([
  ...(['done', 'problem', 'pending', 'skipped'] as const),
  ...(['failed', 'unknown', 'notSent'] as const),
]);
export type BlockState = v.InferOutput<typeof stateSchema>;

const cellSchema = v.object({
  ...labelSchema.entries,
  state: v.exactOptional(stateSchema),
  /** Below the text. */
  notes: v.exactOptional(texts),
  /** What is behind it, folded at first. */
  more: v.exactOptional(v.object({ summary: text, items: v.array(texts) })),
  button: v.exactOptional(buttonSchema),
});
export type Cell = v.InferOutput<typeof cellSchema>;

const tableEntries = {
  title: text,
  /** Sentences above the rows. */
  notes: texts,
  columns: v.array(v.object({ label: text, isNumeric: v.boolean() })),
  /** One cell for each column. */
  rows: v.array(v.array(cellSchema)),
};
export type DocumentTable = Omit<Extract<Block, { kind: 'table' }>, 'kind' | 'isStacked'>;

const tableSchema = v.object({
  kind: v.literal('table'),
  ...tableEntries,
  /** Each row is a block where the page is narrow. */
  isStacked: v.exactOptional(v.boolean()),
});

/** What stands alone: a sentence, or how something ended. */
const noticeSchema = v.object({
  kind: v.literal('notice'),
  tone: v.picklist(['plain', 'empty', 'information', 'success', 'warning', 'error']),
  /** A heading with its icon. */
  outcome: v.exactOptional(v.object({ state: stateSchema, word: text })),
  texts,
  /** The time of what it says. */
  asOf: v.exactOptional(text),
  button: v.exactOptional(buttonSchema),
});

/** Whether rows may be missing in figures, and where. */
const coverageSchema = v.object({
  kind: v.literal('coverage'),
  text,
  isComplete: v.boolean(),
  /** Each gap, and why. */
  gaps: texts,
  gapsLabel: text,
  button: v.nullable(buttonSchema),
});
export type CoverageBlock = v.InferOutput<typeof coverageSchema>;

const cardSchema = v.object({
  label: text,
  /** The age of its figures, if they are stale. */
  age: v.exactOptional(v.nullable(text)),
  /** How much of the period its figures are of, if it is not all: in place of a headline. */
  incomplete: v.exactOptional(v.nullable(text)),
  /** The first line is the figure that matters. */
  lines: v.array(labelSchema),
  notes: texts,
  buttons: v.exactOptional(v.array(buttonSchema)),
});
export type Card = v.InferOutput<typeof cardSchema>;

const cardsSchema = v.object({
  kind: v.literal('cards'),
  cards: v.array(cardSchema),
  /** One line of small figures. */
  isStrip: v.exactOptional(v.boolean()),
});

const detailsSchema = v.object({
  kind: v.literal('details'),
  items: v.array(v.object({ label: text, texts })),
});

/** Rows for the grid of the panels. Figures are as the exchange wrote them, and masked by the host. */
const gridRowsSchema = v.object({
  /** Names these rows: a request to copy refers to it. */
  pageId: v.number(),
  columns: v.array(columnSchema),
  rows: v.array(v.array(v.nullable(text))),
  /** The fields of each row that the API document does not name. */
  extras: v.array(v.array(v.object({ name: text, text }))),
  /** Names the record of each row, which may have another place after the next read. */
  keys: v.array(text),
  /** As the user arranged its columns last. */
  layout: columnLayoutSchema,
});
export type GridRows = v.InferOutput<typeof gridRowsSchema>;

const gridSchema = v.object({
  kind: v.literal('grid'),
  title: text,
  rows: gridRowsSchema,
  /** Opens the active row, whose index it gets. */
  button: v.exactOptional(buttonSchema),
});

const chartBlockSchema = v.object({
  kind: v.literal('chart'),
  title: text,
  /** Its asset, which is read out with each figure; empty if it is not known. */
  unit: text,
  field: displayField,
  /** Whether its bars have the colours of profit and loss. */
  isProfit: v.boolean(),
  /** How a point is named: by the day, week or month that it is, or by its moment. */
  points: v.picklist(['day', 'week', 'month', 'moment']),
  /** How much of the period its figures are of, if it is not all: then they are no headline. */
  incomplete: v.nullable(text),
  summary: text,
  notes: texts,
  /** Null if its figures are hidden. */
  data: v.nullable(chartSchema),
  /** Opens the rows of a point: it gets the index of the point, and of the series unless all are meant. */
  open: v.nullable(buttonSchema),
});
export type ChartBlock = v.InferOutput<typeof chartBlockSchema>;

const stepSchema = v.object({
  title: text,
  state: stateSchema,
  at: v.nullable(labelSchema),
  texts,
  /** What is done again after it, also what is still to come. */
  checks: v.array(v.object({ label: labelSchema, state: stateSchema, text })),
});
export type TimelineStep = v.InferOutput<typeof stepSchema>;

const timelineSchema = v.object({ kind: v.literal('timeline'), steps: v.array(stepSchema) });

const monthStateSchema = v.picklist([
  ...(['complete', 'drifted', 'unknown', 'neverRead', 'beingRead'] as const),
  /** Later than now. */
  'ahead',
]);
export type MonthState = v.InferOutput<typeof monthStateSchema>;

/** A month by its name, what is known of it in words, and the patterns of its parts with their share of it. */
const monthSchema = v.object({
  label: text,
  parts: v.array(v.object({ state: monthStateSchema, share: v.number() })),
  detail: text,
});
export type MapMonth = v.InferOutput<typeof monthSchema>;

const mapLineSchema = v.object({
  label: text,
  summary: text,
  months: v.array(monthSchema),
  /** Each period that is not complete, and why. */
  gaps: texts,
});
export type MapLine = v.InferOutput<typeof mapLineSchema>;

const mapSchema = v.object({
  kind: v.literal('map'),
  legend: v.array(v.object({ state: monthStateSchema, label: text })),
  lines: v.array(mapLineSchema),
});

/** What a day brought, and what opens its rows. */
const daySchema = v.object({
  /** In the column of its weekday, from 0 on. */
  weekday: v.number(),
  figure: labelSchema,
  /** How strong its colour is: from 0 to 4, by its share of the largest figure. */
  strength: v.number(),
  isIncomplete: v.boolean(),
  /** Below the figure. */
  note: text,
  /** Its label is the number of the day; what is read aloud has the whole day. */
  button: buttonSchema,
});
export type CalendarDay = v.InferOutput<typeof daySchema>;

const calendarSchema = v.object({
  kind: v.literal('calendar'),
  /** From Monday on, and that of the sum of a week. */
  columns: texts,
  /** Newest first, each with its sum; their weeks and days are oldest first. */
  months: v.array(
    v.object({
      title: text,
      sum: labelSchema,
      weeks: v.array(v.object({ sum: labelSchema, days: v.array(daySchema) })),
    }),
  ),
});
export type CalendarBlock = v.InferOutput<typeof calendarSchema>;

const findingSchema = v.object({
  title: text,
  notes: texts,
  /** The records that it is about, each in one line. */
  rows: v.array(v.object({ text, button: buttonSchema })),
  buttons: v.array(buttonSchema),
});
export type Finding = v.InferOutput<typeof findingSchema>;

const checkSchema = v.object({
  label: text,
  state: stateSchema,
  /** The state in a word; else the texts say it. */
  word: v.exactOptional(text),
  figure: v.exactOptional(v.object({ label: text, text })),
  texts,
  /** What may be wrong. */
  findings: v.exactOptional(v.object({ label: text, list: v.array(findingSchema) })),
  /** Folded unless `isOpen`; a person may open or close it. */
  table: v.exactOptional(v.object({ ...tableEntries, isOpen: v.boolean() })),
});
export type Check = v.InferOutput<typeof checkSchema>;

const checklistSchema = v.object({ kind: v.literal('checklist'), items: v.array(checkSchema) });

const blockSchema = v.variant('kind', [
  noticeSchema,
  coverageSchema,
  cardsSchema,
  detailsSchema,
  tableSchema,
  gridSchema,
  chartBlockSchema,
  timelineSchema,
  mapSchema,
  calendarSchema,
  checklistSchema,
]);
export type Block = v.InferOutput<typeof blockSchema>;

const sectionSchema = v.object({
  /** Read aloud only if it is spoken; empty for blocks that need no heading. */
  title: text,
  isSpoken: v.exactOptional(v.boolean()),
  /** The age of its figures, if they are stale. */
  age: v.exactOptional(v.nullable(text)),
  buttons: v.exactOptional(v.array(buttonSchema)),
  notes: texts,
  blocks: v.array(blockSchema),
});
export type Section = v.InferOutput<typeof sectionSchema>;

/** What is chosen, by the name of its choice. */
const choicesSchema = v.record(v.pipe(text, v.maxLength(20)), v.pipe(text, v.maxLength(60)));
export type Choices = v.InferOutput<typeof choicesSchema>;

/** `tabs` stand side by side, a `menu` unfolds, a `switch` has two options and shows the other one. */
const choiceSchema = v.object({
  name: text,
  label: text,
  kind: v.picklist(['tabs', 'menu', 'switch']),
  options: v.array(v.object({ value: text, label: text })),
  /** Also takes two dates of the user’s own, as `from/to` in epoch milliseconds; an open end is empty. */
  takesDates: v.exactOptional(v.boolean()),
});
export type Choice = v.InferOutput<typeof choiceSchema>;

/** The settings for figures and times. */
const displaySchema = v.object({
  hidesMoney: v.boolean(),
  digits: v.picklist(digitSettings),
  timeZone: text,
  otherTimeZone: text,
  locale: text,
});

export const documentSchema = v.object({
  title: text,
  /** What it is of; saved for a reload. */
  key: text,
  /** Null if no account is open. */
  account: v.nullable(accountSchema),
  /** When it was made, or its figures were read. */
  time: v.nullable(labelSchema),
  isStale: v.exactOptional(v.boolean()),
  /** What is wrong. */
  notes: texts,
  buttons: v.array(buttonSchema),
  choices: v.exactOptional(v.array(choiceSchema)),
  /** What its sections are of. */
  chosen: v.exactOptional(choicesSchema),
  sections: v.array(sectionSchema),
  display: displaySchema,
});
export type Document = v.InferOutput<typeof documentSchema>;

/** What a page saves for a reload: no data of the account. VS Code writes it to disk. */
export const documentStateSchema = v.object({
  v: v.literal(1),
  kind: text,
  key: text,
  scroll: v.number(),
  choices: v.optional(choicesSchema),
  grid: v.optional(gridViewSchema),
});
export type DocumentState = v.InferOutput<typeof documentStateSchema>;

/** What a page gets first. */
export type OpenedDocument = {
  readonly document: Document;
  /** The document that the page before it showed last: what is selected stays with its records. */
  readonly before: Document | null;
};

const index = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A button, and where it was pressed: in which row or point, and of which series. */
const pressSchema = v.strictObject({
  action: v.pipe(text, v.maxLength(1000)),
  at: v.pipe(v.array(index), v.maxLength(2)),
});
export type Press = v.InferOutput<typeof pressSchema>;

export const documentParams = {
  ...gridParams,
  /** What is chosen from now on; null as the host has it. */
  'document/open': v.nullable(choicesSchema),
  /** Replies once it is done, with a word that says so; null if nothing is to be said. */
  'document/press': pressSchema,
};
export type DocumentMethods = MethodsOf<
  typeof documentParams,
  { 'document/open': OpenedDocument; 'document/press': string | null }
>;

export type DocumentEvents = GridEvents & { 'document/changed': Document };

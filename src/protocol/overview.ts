import * as v from 'valibot';
import { labelSchema, pageAccountSchema, tableSchema } from './documentTable.ts';
import { gridViewSchema, type GridEvents, type GridMethods } from './gridMessages.ts';
import { gridRowsSchema } from './documentRows.ts';

/**
 * The messages between the account overview and the host. The overview is a document of texts: the host
 * has translated, masked and cleaned them, and the page only draws them.
 */

const text = v.string();

/** What a button of the page runs: a command, or a read that costs weight. */
export const overviewActionSchema = v.picklist([
  'tryPractice',
  'addProfile',
  'importProfiles',
  'switchProfile',
  'setCredentials',
  'testConnection',
  'refresh',
  'cancelAllOrders',
  'editProfile',
  'openOrderHistory',
  'openTradeHistory',
  'openTransactionHistory',
  'openReconciliation',
  'openAnalysis',
  'readFeeTiers',
  'readRecent',
]);
export type OverviewAction = v.InferOutput<typeof overviewActionSchema>;

const buttonSchema = v.object({ action: overviewActionSchema, label: text });
export type OverviewButton = v.InferOutput<typeof buttonSchema>;

const cardSchema = v.object({
  label: text,
  /** Shows the account as it was read last, and is as old as that. */
  isOfAccount: v.boolean(),
  /** The first line is the figure that matters. */
  lines: v.array(labelSchema),
  notes: v.array(text),
  buttons: v.array(buttonSchema),
});
export type OverviewCard = v.InferOutput<typeof cardSchema>;

const sectionSchema = v.object({
  ...tableSchema.entries,
  /** In place of a table. */
  grid: v.exactOptional(gridRowsSchema),
  /** Shows the account as it was read last, and is as old as that; else it was read on demand. */
  isOfAccount: v.boolean(),
  buttons: v.array(buttonSchema),
});
export type OverviewSection = v.InferOutput<typeof sectionSchema>;

export const overviewDocumentSchema = v.object({
  title: text,
  /** Null if no account is open. */
  account: v.nullable(pageAccountSchema),
  time: v.nullable(labelSchema),
  /** The age of stale figures, shown beside each of them; null while they are fresh. */
  age: v.nullable(text),
  /** What is wrong with the account or its figures. */
  problems: v.array(text),
  /** What to do if there are no figures. */
  advice: v.nullable(text),
  buttons: v.array(buttonSchema),
  cards: v.array(cardSchema),
  sections: v.array(sectionSchema),
  /** Read aloud in place of a masked figure. */
  hiddenWord: text,
});
export type OverviewDocument = v.InferOutput<typeof overviewDocumentSchema>;

/** What the page saves for a reload: where it and its grid are scrolled to, and what is selected; no data of the account. */
export const overviewStateSchema = v.object({
  v: v.literal(1),
  scroll: v.number(),
  grid: v.optional(gridViewSchema),
});
export type OverviewState = v.InferOutput<typeof overviewStateSchema>;

/** What a page gets first. */
export type OpenedOverview = {
  readonly document: OverviewDocument;
  /** The document that the page before it showed last: what is selected stays with its records. */
  readonly before: OverviewDocument | null;
};

/** The requests of the account overview. */
export type OverviewMethods = GridMethods & {
  'overview/open': { params: null; result: OpenedOverview };
  /** Replies at once; what the action changes follows as an event. */
  'overview/press': { params: OverviewAction; result: null };
};

/** The events that the host sends to the account overview. */
export type OverviewEvents = GridEvents & {
  /** The account, its age, a read on demand or the display settings have changed. */
  'overview/changed': OverviewDocument;
};

import * as v from 'valibot';
import { gridRowsSchema } from './documentRows.ts';
import { labelSchema, pageAccountSchema, tableSchema } from './documentTable.ts';
import { gridViewSchema, type GridEvents, type GridMethods } from './gridMessages.ts';

/**
 * The messages between a receipt page and the host. A receipt is a document of texts: the host has
 * translated, masked and cleaned them, and the page only draws them.
 */

const text = v.string();

const outcomeIcon = v.picklist(['done', 'partial', 'refused', 'notSent', 'unknown', 'inProgress']);
export type OutcomeIcon = v.InferOutput<typeof outcomeIcon>;

export const stepStateSchema = v.picklist(['done', 'problem', 'pending', 'skipped']);
export type StepState = v.InferOutput<typeof stepStateSchema>;

const stepSchema = v.object({
  title: text,
  state: stepStateSchema,
  at: v.nullable(labelSchema),
  texts: v.array(text),
  /** The read-backs after the request, also those that are still to come. */
  checks: v.array(v.object({ label: labelSchema, state: stepStateSchema, text })),
});
export type ReceiptStep = v.InferOutput<typeof stepSchema>;

const receiptTableSchema = v.object({
  ...tableSchema.entries,
  /** What the page shows in place of the rows. */
  grid: v.exactOptional(gridRowsSchema),
});
export type ReceiptTable = v.InferOutput<typeof receiptTableSchema>;

export const receiptDocumentSchema = v.object({
  title: text,
  account: pageAccountSchema,
  sentAt: text,
  outcome: v.object({
    icon: outcomeIcon,
    tone: v.picklist(['information', 'warning', 'error']),
    word: text,
    /** How the request ended, then what is locked since. */
    sentences: v.array(text),
    /** The time of the last read-back. */
    asOf: v.nullable(text),
  }),
  notes: v.array(text),
  timeline: v.object({ title: text, steps: v.array(stepSchema) }),
  tables: v.array(receiptTableSchema),
  buttons: v.object({ copy: text, copied: text, save: text }),
  /** Read aloud in place of a masked figure. */
  hiddenWord: text,
});
export type ReceiptDocument = v.InferOutput<typeof receiptDocumentSchema>;

/** What a page saves for a reload: which receipt it shows and how its grid is arranged, and no content of the receipt. */
export const receiptStateSchema = v.object({
  v: v.literal(1),
  receipt: text,
  grid: v.optional(gridViewSchema),
});
export type ReceiptState = v.InferOutput<typeof receiptStateSchema>;

/** The requests of a receipt page. */
export type ReceiptMethods = GridMethods & {
  'receipt/open': { params: null; result: ReceiptDocument };
  /** Whether the receipt was copied: in privacy mode, the user confirms that first. */
  'receipt/copy': { params: null; result: boolean };
  'receipt/save': { params: null; result: null };
};

/** The events that the host sends to a receipt page. */
export type ReceiptEvents = GridEvents & {
  /** A re-check has ended, or the display settings have changed. */
  'receipt/changed': ReceiptDocument;
};

import * as v from 'valibot';
import { pageAccountSchema, tableSchema } from './documentTable.ts';

/**
 * The messages between the page of a reconciliation and the host. The page is a document of texts: the
 * host has translated, masked and cleaned them, and the page only draws them.
 */

const text = v.string();
const texts = v.array(text);

const verdictSchema = v.picklist(['proved', 'contradicted', 'undecided']);
export type LineState = v.InferOutput<typeof verdictSchema>;

const index = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A row of a candidate, or the rows of one history around a missing one, by its place in the document. */
export const rowPlaceSchema = v.strictObject({
  /** When the document was computed. */
  computedAt: v.number(),
  section: index,
  line: index,
  candidate: index,
  /** Of the candidate's rows, or of its buttons. */
  row: index,
});
export type RowPlace = v.InferOutput<typeof rowPlaceSchema>;

const showButtonSchema = v.object({ label: text, place: rowPlaceSchema });
export type ShowButton = v.InferOutput<typeof showButtonSchema>;

const candidateSchema = v.object({
  title: text,
  notes: texts,
  /** The records that it is about, each in one line. */
  rows: v.array(v.object({ text, button: showButtonSchema })),
  /** For a row that is not there: those around it. */
  buttons: v.array(showButtonSchema),
});
export type ReconciliationCandidate = v.InferOutput<typeof candidateSchema>;

/** What was found of one asset or symbol. */
const lineSchema = v.object({
  label: text,
  state: verdictSchema,
  word: text,
  /** The first remainder, in all digits. */
  remainder: text,
  /** The interval, or the reason of the verdict. */
  notes: texts,
  candidates: v.array(candidateSchema),
  /** What was compared in each interval; null if there is nothing to list. */
  intervals: v.nullable(
    v.object({
      ...tableSchema.entries,
      /** Whether it is open at first. */
      isOpen: v.boolean(),
    }),
  ),
});
export type ReconciliationLine = v.InferOutput<typeof lineSchema>;

const sectionSchema = v.object({
  title: text,
  /** What is compared, and what is known of it on this exchange. */
  notes: texts,
  lines: v.array(lineSchema),
});
export type ReconciliationSection = v.InferOutput<typeof sectionSchema>;

export const reconciliationDocumentSchema = v.object({
  title: text,
  /** Null if no account is open. */
  account: v.nullable(pageAccountSchema),
  /** When it was computed, or that it is being computed. */
  time: text,
  /** What is wrong, or what to do without a ledger. */
  notes: texts,
  sections: v.array(sectionSchema),
  remainderLabel: text,
  candidatesLabel: text,
  refresh: text,
  /** Read aloud in place of a masked figure. */
  hiddenWord: text,
});
export type ReconciliationDocument = v.InferOutput<typeof reconciliationDocumentSchema>;

/** The requests of a reconciliation page. */
export type ReconciliationMethods = {
  'reconciliation/open': { params: null; result: ReconciliationDocument };
  /** Computes it again. Replies at once; the result follows as an event. */
  'reconciliation/refresh': { params: null; result: null };
  /** Opens these rows of the ledger; nothing if it was computed again since. */
  'reconciliation/show': { params: RowPlace; result: null };
};

/** The events that the host sends to a reconciliation page. */
export type ReconciliationEvents = {
  /** It was computed, or the account, its ledger or the display settings have changed. */
  'reconciliation/changed': ReconciliationDocument;
};

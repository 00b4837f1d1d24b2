import * as v from 'valibot';

/**
 * The messages between the page of a reconciliation and the host. The page is a document of texts: the
 * host has translated, masked and cleaned them, and the page only draws them.
 */

const text = v.string();
const texts = v.array(text);

const verdictSchema = v.picklist(['proved', 'contradicted', 'undecided']);
export type LineState = v.InferOutput<typeof verdictSchema>;

const candidateSchema = v.object({
  title: text,
  notes: texts,
  /** The records that it is about, each in one line. */
  rows: texts,
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
  account: v.nullable(v.object({ environment: text, profile: text, origin: text })),
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
};

/** The events that the host sends to a reconciliation page. */
export type ReconciliationEvents = {
  /** It was computed, or the account, its ledger or the display settings have changed. */
  'reconciliation/changed': ReconciliationDocument;
};

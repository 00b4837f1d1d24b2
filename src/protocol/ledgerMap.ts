import * as v from 'valibot';
import { pageAccountSchema } from './documentTable.ts';

/**
 * The messages between the page of a ledger and the host. The page is a document of texts: the host has
 * translated and cleaned them, and the page only draws them.
 */

const text = v.string();
const texts = v.array(text);

/** What a button of the page runs. */
export const ledgerActionSchema = v.picklist([
  'downloadHistory',
  'fillGaps',
  'writeStatement',
  'backUpLedger',
  'deleteLedger',
  'openAnalysis',
  'openReconciliation',
  'tryPractice',
  'switchProfile',
]);
export type LedgerAction = v.InferOutput<typeof ledgerActionSchema>;

const stateSchema = v.picklist([
  ...(['complete', 'drifted', 'unknown', 'neverRead', 'beingRead'] as const),
  /** Later than now. */
  'ahead',
]);
export type LedgerMonthState = v.InferOutput<typeof stateSchema>;
const buttonSchema = v.object({ action: ledgerActionSchema, label: text });

/** A month by its name, what is known of it in words, and the patterns of its parts with their share of it. */
const monthSchema = v.object({
  label: text,
  parts: v.array(v.object({ state: stateSchema, share: v.number() })),
  detail: text,
});
export type LedgerMonth = v.InferOutput<typeof monthSchema>;

const historySchema = v.object({
  label: text,
  /** How many rows, and up to when they are complete. */
  summary: text,
  months: v.array(monthSchema),
  /** Each period that is not complete, and why. */
  gaps: texts,
});
export type LedgerHistoryMap = v.InferOutput<typeof historySchema>;

export const ledgerDocumentSchema = v.object({
  title: text,
  /** Null if no account is open. */
  account: v.nullable(pageAccountSchema),
  /** What is wrong, or what to do without a ledger. */
  notes: texts,
  buttons: v.array(buttonSchema),
  details: v.array(v.object({ label: text, text })),
  /** Null without a ledger. */
  map: v.nullable(
    v.object({
      title: text,
      legend: v.array(v.object({ state: stateSchema, label: text })),
      histories: v.array(historySchema),
    }),
  ),
});
export type LedgerDocument = v.InferOutput<typeof ledgerDocumentSchema>;

/** What the page saves for a reload: where it is scrolled to, and no data of the account. */
export const ledgerStateSchema = v.object({ v: v.literal(1), scroll: v.number() });
export type LedgerPageState = v.InferOutput<typeof ledgerStateSchema>;

export type LedgerPageMethods = {
  'ledger/open': { params: null; result: LedgerDocument };
  /** Replies at once; what the action changes follows as an event. */
  'ledger/press': { params: LedgerAction; result: null };
};

export type LedgerPageEvents = {
  /** The account, its ledger or the display settings have changed. */
  'ledger/changed': LedgerDocument;
};

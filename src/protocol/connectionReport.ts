import * as v from 'valibot';
import { pageAccountSchema } from './documentTable.ts';
import { stepStateSchema } from './receipt.ts';

/**
 * The messages between the page of a connection report and the host. A report is a document of texts:
 * the host has translated, masked and cleaned them, and the page only draws them.
 */

const text = v.string();
const texts = v.array(text);

/** A convention by its key in `dialect`. */
const conventionKeySchema = v.picklist([
  'firstPage',
  'dates',
  'lists',
  'maxPageSize',
  'maxRangeDays',
  'sort',
  'dateTo',
  'overLimitStatuses',
]);
export type ConventionKey = v.InferOutput<typeof conventionKeySchema>;

const checkSchema = v.object({ label: text, state: stepStateSchema, texts });
export type ReportCheck = v.InferOutput<typeof checkSchema>;

const conventionRowSchema = v.object({
  key: conventionKeySchema,
  label: text,
  value: text,
  /** Set by hand, proven by answers, or a default; with the time of the answers. */
  proof: v.object({ state: stepStateSchema, word: text, texts }),
  /** What the answers showed, and the requests with their answers. */
  evidence: v.object({
    conclusion: text,
    summary: text,
    requests: v.array(v.object({ asked: text, answered: text })),
  }),
  /** The name of its button; null if nothing can be set. */
  override: v.nullable(text),
});
export type ConventionRow = v.InferOutput<typeof conventionRowSchema>;

export const reportDocumentSchema = v.object({
  title: text,
  account: pageAccountSchema,
  writtenAt: text,
  notes: texts,
  checklist: v.object({ title: text, items: v.array(checkSchema) }),
  conventions: v.object({
    title: text,
    notes: texts,
    columns: v.tuple([text, text, text, text, text]),
    rows: v.array(conventionRowSchema),
  }),
  details: v.object({ title: text, items: v.array(v.object({ label: text, texts })) }),
  buttons: v.object({ test: text, copy: text, copied: text, override: text }),
  state: v.object({ v: v.literal(1), profile: text }),
});
export type ReportDocument = v.InferOutput<typeof reportDocumentSchema>;

/** What a page saves for a reload: the name of the profile that it is about. */
export const reportStateSchema = reportDocumentSchema.entries.state;

/** The key of the convention to override. */
export const overrideSchema = conventionKeySchema;

/** The requests of a report page. */
export type ReportMethods = {
  'report/open': { params: null; result: ReportDocument };
  'report/copy': { params: null; result: null };
  /** Tests the connection. Replies when the test and its message have ended. */
  'report/test': { params: null; result: null };
  /** Lets the user pick a value and writes it to the profile. */
  'report/override': { params: ConventionKey; result: null };
};

/** The events that the host sends to a report page. */
export type ReportEvents = {
  /** The connection was tested, or the profile or the display settings have changed. */
  'report/changed': ReportDocument;
};

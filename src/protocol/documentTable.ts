import * as v from 'valibot';

/** The parts that pages with a document of texts share, translated and masked by the host. */

const text = v.string();

/** The account that a page is about. */
export const pageAccountSchema = v.object({
  /** LIVE or TEST; null for the practice exchange: its name says it. */
  environment: v.nullable(text),
  profile: text,
  origin: text,
  remark: v.nullable(text),
});
export type PageAccount = v.InferOutput<typeof pageAccountSchema>;

export const labelSchema = v.object({
  text,
  /** The long form, such as a time with its day. */
  detail: v.optional(text),
  /** A colour for what the text says too. */
  tone: v.optional(v.picklist(['gain', 'loss', 'near', 'critical'])),
});
export type Label = v.InferOutput<typeof labelSchema>;

export const tableSchema = v.object({
  title: text,
  /** Sentences above the rows. */
  notes: v.array(text),
  columns: v.array(v.object({ label: text, isNumeric: v.boolean() })),
  /** One cell for each column. */
  rows: v.array(v.array(labelSchema)),
});
export type DocumentTable = v.InferOutput<typeof tableSchema>;

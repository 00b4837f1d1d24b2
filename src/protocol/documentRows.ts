import * as v from 'valibot';
import { columnLayoutSchema } from './gridMessages.ts';
import { columnSchema } from './table.ts';

/** The rows of a grid that is a part of a document. */

const text = v.string();

/** The settings for figures and times. */
export const displaySchema = v.object({
  hidesMoney: v.boolean(),
  timeZone: text,
  otherTimeZone: text,
  locale: text,
});

/** Rows for the grid of the panels. Figures are as the exchange wrote them, and masked by the host. */
export const gridRowsSchema = v.object({
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

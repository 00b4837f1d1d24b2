import * as v from 'valibot';
import type { MethodsOf } from './messages.ts';
import { columnWidthLimits } from './values.ts';

/** How the user arranges, selects and copies the cells of a table. */

const field = v.pipe(v.string(), v.maxLength(40));

/** How the user arranged the columns of a table. Fields that it does not name come last. */
export const columnLayoutSchema = v.strictObject({
  order: v.pipe(v.array(field), v.maxLength(40)),
  hidden: v.pipe(v.array(field), v.maxLength(40)),
  /** In CSS pixels; a column without a width fits its cells. */
  widths: v.record(
    field,
    v.pipe(v.number(), v.minValue(columnWidthLimits.min), v.maxValue(columnWidthLimits.max)),
  ),
});
export type ColumnLayout = v.InferOutput<typeof columnLayoutSchema>;

const index = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000));

const pageId = v.pipe(v.number(), v.integer());

const copyFormat = v.picklist(['tsv', 'tsvWithHeaders', 'json', 'markdown']);
export type CopyFormat = v.InferOutput<typeof copyFormat>;

/** Cells of a page, by their indices in it, in the order in which they are shown. */
const cellSelectionSchema = v.strictObject({
  pageId,
  columns: v.array(index),
  /** Each with its selected columns. */
  rows: v.array(v.strictObject({ row: index, columns: v.array(index) })),
  /** Whether every column of these rows is selected. */
  isRows: v.boolean(),
});
export type CellSelection = v.InferOutput<typeof cellSelectionSchema>;

const copyRequestSchema = v.strictObject({
  selection: cellSelectionSchema,
  format: copyFormat,
});
export type CopyRequest = v.InferOutput<typeof copyRequestSchema>;

/** A row by its page and its index there. */
export const rowOfPageSchema = v.strictObject({ pageId, row: index });
export type RowOfPage = v.InferOutput<typeof rowOfPageSchema>;

const fieldCopySchema = v.strictObject({
  ...rowOfPageSchema.entries,
  field: v.pipe(v.string(), v.maxLength(1000)),
  /** Whether the API document does not name the field. */
  isExtra: v.boolean(),
  as: v.picklist(['text', 'iso']),
  /** Of a record that was found for the row, by its place among them. */
  related: v.optional(index),
});
export type FieldCopy = v.InferOutput<typeof fieldCopySchema>;

/** A cell by its place among the shown rows and columns. Row −1 is the header. */
const place = v.strictObject({
  row: v.pipe(v.number(), v.integer(), v.minValue(-1)),
  column: index,
});

export const sortSchema = v.strictObject({ field, isDescending: v.boolean() });

/** What the grid shows of its rows: it stays while the panel is hidden. */
export const gridViewSchema = v.strictObject({
  sort: v.nullable(sortSchema),
  active: place,
  selection: v.pipe(
    v.array(v.strictObject({ anchor: place, end: place, isRows: v.boolean() })),
    v.readonly(),
  ),
  /** The page of `active` and `selection`. */
  pageId: v.nullable(pageId),
  /** In CSS pixels. */
  scroll: v.nullable(v.strictObject({ pageId, top: v.number(), left: v.number() })),
  areDetailsOpen: v.boolean(),
});
export type GridView = v.InferOutput<typeof gridViewSchema>;

/** What a menu of VS Code asks a page to do with its selected cells, its active row or its active column. */
export type GridCommand =
  | { readonly kind: 'copy'; readonly format: CopyFormat; readonly isRows: boolean }
  | { readonly kind: 'filter' | 'openTrades' | 'openPosition' | 'showDetails' }
  | { readonly kind: 'sortColumn' | 'hideColumn' | 'fitColumn' };

/** The requests of a page about its grid. */
export const gridParams = {
  /** Copies cells, with the real values of masked ones. Replies before the user confirms. */
  'grid/copy': copyRequestSchema,
  /** The same of one field of a record. */
  'grid/copyField': fieldCopySchema,
  'grid/layout': columnLayoutSchema,
};
export type GridMethods = MethodsOf<typeof gridParams, object>;

/** The events that the host sends to the grid of a page. */
export type GridEvents = {
  /** These cells are in the clipboard; null for a text that is not of the grid. */
  'grid/copied': CellSelection | null;
  'grid/command': GridCommand;
};

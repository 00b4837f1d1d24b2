import * as v from 'valibot';

/** How the user arranges, selects and copies the cells of a table. */

const field = v.pipe(v.string(), v.maxLength(40));

/** How the user arranged the columns of a table. Fields that it does not name come last. */
export const columnLayoutSchema = v.strictObject({
  order: v.pipe(v.array(field), v.maxLength(40)),
  hidden: v.pipe(v.array(field), v.maxLength(40)),
  /** In CSS pixels; a column without a width fits its cells. */
  widths: v.record(field, v.pipe(v.number(), v.minValue(32), v.maxValue(2000))),
});
export type ColumnLayout = v.InferOutput<typeof columnLayoutSchema>;

const index = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000));

export const copyFormats = ['tsv', 'tsvWithHeaders', 'json', 'markdown'] as const;
export type CopyFormat = (typeof copyFormats)[number];

/** Cells of a page, by their indices in it, in the order in which they are shown. */
export const cellSelectionSchema = v.strictObject({
  pageId: v.pipe(v.number(), v.integer()),
  columns: v.array(index),
  /** Each with its selected columns. */
  rows: v.array(v.strictObject({ row: index, columns: v.array(index) })),
  /** Whether every column of these rows is selected. */
  isRows: v.boolean(),
});
export type CellSelection = v.InferOutput<typeof cellSelectionSchema>;

export const copyRequestSchema = v.strictObject({
  selection: cellSelectionSchema,
  format: v.picklist(copyFormats),
});
export type CopyRequest = v.InferOutput<typeof copyRequestSchema>;

/** A row by its page and its index there. */
export const rowOfPageSchema = v.strictObject({
  pageId: v.pipe(v.number(), v.integer()),
  row: index,
});
export type RowOfPage = v.InferOutput<typeof rowOfPageSchema>;

/** The records that belong to a row: of an order, of a trade, of a transfer. */
export const kinNames = ['tradesOfOrder', 'orderOfTrade', 'otherSide'] as const;
export type KinName = (typeof kinNames)[number];
export const kinRequestSchema = v.strictObject({
  ...rowOfPageSchema.entries,
  kin: v.picklist(kinNames),
});

export type KinRequest = v.InferOutput<typeof kinRequestSchema>;

export const fieldCopySchema = v.strictObject({
  ...rowOfPageSchema.entries,
  field: v.pipe(v.string(), v.maxLength(1000)),
  /** Whether the API document does not name the field. */
  isExtra: v.boolean(),
  as: v.picklist(['text', 'iso']),
});
export type FieldCopy = v.InferOutput<typeof fieldCopySchema>;

/** What a menu of VS Code asks a page to do with its selected cells or its active row. */
export type GridCommand =
  | { readonly kind: 'copy'; readonly format: CopyFormat; readonly isRows: boolean }
  | { readonly kind: 'filter' | 'openTrades' | 'showDetails' };

import { clip, type Interval } from '../../base/interval.ts';
import { dayMs, secondMs } from '../../base/time.ts';
import type { Display } from '../../base/display.ts';
import type { DisplayField } from '../../base/fieldPrivacy.ts';
import type { ColumnLayout } from '../../protocol/gridMessages.ts';
import type { GridRows } from '../../protocol/document.ts';
import type { Cell, Column } from '../../protocol/table.ts';
import { t } from '../shared/translate.ts';
import { maskCells } from '../webview/recordCells.ts';
import { partOfPeriodText } from '../text/partOfPeriodText.ts';
import { dayText, minuteText, type Covered } from './coverage.ts';

/** Rows with every digit: privacy hides nothing here. */
export type ViewRows = {
  readonly columns: Column[];
  readonly rows: Cell[][];
  /** Names each row, which may have another place in the next result. */
  readonly keys: string[];
};

/** Columns, each with its cell of an item. */
export type CellColumns<Item> = readonly (readonly [Column, (item: Item) => Cell])[];

export function rowsOfItems<Item>(
  columns: CellColumns<Item>,
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ViewRows {
  return {
    columns: columns.map(([each]) => each),
    rows: items.map((item) => columns.map(([, cellOf]) => cellOf(item))),
    keys: items.map(keyOf),
  };
}

export type Row = { readonly at: number; readonly key: string; readonly cells: Cell[] };

/** Newest first, as in the panels. */
export function rowsOf(columns: Column[], rows: readonly Row[]): ViewRows {
  const newestFirst = rows.toSorted((one, other) => other.at - one.at);
  return {
    columns,
    rows: newestFirst.map(({ cells }) => cells),
    keys: newestFirst.map(({ key }) => key),
  };
}

export function gridRows(
  { columns, rows, keys }: ViewRows,
  pageId: number,
  layout: ColumnLayout,
  display: Display,
): GridRows {
  const masked = rows.map((cells) => maskCells(cells, columns, display));
  return { pageId, columns, keys, layout, rows: masked, extras: [] };
}

/** In seconds if it is a whole one: a day begins without a fraction. */
export function timeCell(epochMs: number): string {
  return String(epochMs % secondMs === 0 ? epochMs / secondMs : epochMs);
}

export function column(
  field: DisplayField,
  label: string,
  kind: Column['kind'] = 'decimal',
  unitField?: DisplayField,
): Column {
  return { field, label, kind, ...(unitField && { unitField }) };
}

/** Where a bucket begins, as text: a day, with its time if it is cut at the start of a period. */
export function fromColumn(): Column {
  return column('time', t('From'), 'text');
}

export function fromCell(epochMs: number, display: Display): string {
  const isMidnight = display.zone.toLocalMs(epochMs) % dayMs === 0;
  return isMidnight ? dayText(epochMs, display) : minuteText(epochMs, display);
}

/** A figure, and how much there is of it: only where rows may be missing. */
export function figureColumns(field: DisplayField, label: string, { coverage }: Covered): Column[] {
  return [
    column(field, label, 'decimal', 'asset'),
    column('asset', t('Asset'), 'text'),
    column('rows', t('Rows')),
    ...(coverage.gaps.length === 0 ? [] : [column('complete', t('Complete'), 'text')]),
  ];
}

/** How much of a bucket is complete. */
export function partCells({ coverage }: Covered, bucket: Interval, display: Display): Cell[] {
  const { gaps, complete } = coverage;
  if (gaps.length === 0) return [];
  const isPartial = clip(gaps, bucket).length > 0;
  return [isPartial ? partOfPeriodText(complete, bucket, display) : t('yes')];
}

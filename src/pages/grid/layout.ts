import { columnWidthLimits, type ColumnLayout } from '../../protocol/gridMessages.ts';
import type { Column } from '../../protocol/table.ts';

type Fields = readonly Pick<Column, 'field'>[];

/** The indices of all columns in the user's order. */
export function orderedColumns(columns: Fields, { order }: ColumnLayout): readonly number[] {
  const place = ({ field }: Fields[number]): number => {
    const index = order.indexOf(field);
    return index < 0 ? order.length : index;
  };
  return columns
    .map((column, index) => ({ index, place: place(column) }))
    .sort((one, other) => one.place - other.place || one.index - other.index)
    .map(({ index }) => index);
}

/** The indices of the columns that are shown, in the user's order: always at least one. */
export function shownColumns(columns: Fields, layout: ColumnLayout): readonly number[] {
  const ordered = orderedColumns(columns, layout);
  const shown = ordered.filter((index) => !isHidden(layout, columns[index]?.field));
  return shown.length > 0 ? shown : ordered.slice(0, 1);
}

export function isHidden({ hidden }: ColumnLayout, field: string | undefined): boolean {
  return field !== undefined && hidden.includes(field);
}

/** Moves a column to the place that another one has. */
export function moveColumn(
  columns: Fields,
  layout: ColumnLayout,
  field: string,
  target: string,
): ColumnLayout {
  const order = orderedColumns(columns, layout).map((index) => String(columns[index]?.field));
  const to = order.indexOf(target);
  if (to < 0 || !order.includes(field)) return layout;
  const others = order.filter((other) => other !== field);
  return { ...layout, order: [...others.slice(0, to), field, ...others.slice(to)] };
}

/** Shows a hidden column, or hides a shown one unless it is the last. */
export function toggleColumn(columns: Fields, layout: ColumnLayout, field: string): ColumnLayout {
  if (isHidden(layout, field))
    return { ...layout, hidden: layout.hidden.filter((other) => other !== field) };
  const isLast = shownColumns(columns, layout).length < 2;
  return isLast ? layout : { ...layout, hidden: [...layout.hidden, field] };
}

/** Null makes the column fit its cells. */
export function resizeColumn(
  layout: ColumnLayout,
  field: string,
  width: number | null,
): ColumnLayout {
  const others = Object.entries(layout.widths).filter(([name]) => name !== field);
  const widths = Object.fromEntries(others);
  if (width === null) return { ...layout, widths };
  const { min, max } = columnWidthLimits;
  const limited = Math.round(Math.max(min, Math.min(width, max)));
  return { ...layout, widths: { ...widths, [field]: limited } };
}

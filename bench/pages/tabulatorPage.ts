import {
  ClipboardModule,
  ExportModule,
  FormatModule,
  FrozenColumnsModule,
  InteractionModule,
  KeybindingsModule,
  MoveColumnsModule,
  ResizeColumnsModule,
  SelectRangeModule,
  SortModule,
  Tabulator,
} from 'tabulator-tables';
import { columnWidth, rowHeight, startPeer } from './peerPage.ts';

/** What it has of our grid: ranges of cells by mouse and key, copying, sorting, columns that move. */
Tabulator.registerModule([
  ClipboardModule,
  ExportModule,
  FormatModule,
  FrozenColumnsModule,
  InteractionModule,
  KeybindingsModule,
  MoveColumnsModule,
  ResizeColumnsModule,
  SelectRangeModule,
  SortModule,
]);

void startPeer((element, columns, data) => {
  const table = new Tabulator(element, {
    height: '100%',
    layout: 'fitData',
    rowHeight,
    movableColumns: true,
    selectableRange: true,
    selectableRangeColumns: true,
    selectableRangeRows: true,
    clipboard: 'copy',
    clipboardCopyRowRange: 'range',
    columns: columns.map(({ field, label }, index) => ({
      field,
      title: label,
      width: columnWidth,
      frozen: index === 0,
    })),
    data,
  });
  return (rows) => void table.setData(rows);
});

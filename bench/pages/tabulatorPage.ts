import {
  FormatModule,
  FrozenColumnsModule,
  ResizeColumnsModule,
  SortModule,
  Tabulator,
} from 'tabulator-tables';
import { columnWidth, rowHeight, startPeer } from './peerPage.ts';

Tabulator.registerModule([FormatModule, FrozenColumnsModule, ResizeColumnsModule, SortModule]);

void startPeer((element, columns, data) => {
  const table = new Tabulator(element, {
    height: '100%',
    layout: 'fitData',
    rowHeight,
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

import {
  ClientSideRowModelModule,
  createGrid,
  ModuleRegistry,
  themeQuartz,
} from 'ag-grid-community';
import { columnWidth, rowHeight, startPeer, type PeerRow } from './peerPage.ts';

ModuleRegistry.registerModules([ClientSideRowModelModule]);

const theme = themeQuartz.withParams({
  backgroundColor: 'var(--vscode-editor-background)',
  foregroundColor: 'var(--vscode-foreground)',
  fontFamily: 'var(--vscode-font-family)',
  fontSize: 13,
});

void startPeer((element, columns, rowData) => {
  const grid = createGrid<PeerRow>(element, {
    theme,
    styleNonce: 'x',
    rowHeight,
    headerHeight: rowHeight,
    columnDefs: columns.map(({ field, label }, index) => ({
      field,
      headerName: label,
      width: columnWidth,
      pinned: index === 0 ? 'left' : null,
    })),
    rowData,
  });
  return (rows) => grid.setGridOption('rowData', rows);
});

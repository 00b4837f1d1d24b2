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
import { acquireApi, hostClient } from '../../src/pages/hostClient.ts';
import type { Column, TablePage, TableEvents, TableMethods } from '../../src/protocol/table.ts';

/** A row by the fields of its columns. */
type Row = Readonly<Record<string, string | null>>;

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

/**
 * Asks our host for the same rows by the same messages as our own page, and has the other library draw them
 * as it gets them. The grid leaves as much room for a toolbar and a footer as ours.
 */
async function startPage(): Promise<void> {
  const client = hostClient<TableMethods, TableEvents>(acquireApi(), {} as never);
  const { columns } = await client.request('table/open', null);
  const rowsOf = ({ rows }: TablePage): Row[] =>
    rows.map((row) => Object.fromEntries(columns.map(({ field }, at) => [field, row[at] ?? null])));
  const read = async (page: number): Promise<Row[]> =>
    rowsOf(await client.request('table/page', { filters: {}, page, size: 500 }));
  const table = drawTable(columns, await read(0));
  const button = document.createElement('button');
  button.textContent = 'Next page';
  let page = 0;
  button.addEventListener(
    'click',
    () => void read((page += 1)).then((rows) => table.setData(rows)),
  );
  document.querySelector('main')?.append(button);
}

/** In a place of its own, which the styles of the library do not move. Of columns so wide, no cell is measured. */
function drawTable(columns: readonly Column[], data: Row[]): Tabulator {
  const place = document.createElement('div');
  place.id = 'peer';
  const element = document.createElement('div');
  element.style.height = '100%';
  place.append(element);
  document.querySelector('main')?.append(place);
  return new Tabulator(element, {
    height: '100%',
    layout: 'fitData',
    rowHeight: 24,
    movableColumns: true,
    selectableRange: true,
    selectableRangeColumns: true,
    selectableRangeRows: true,
    clipboard: 'copy',
    clipboardCopyRowRange: 'range',
    columns: columns.map(({ field, label }, index) => ({
      ...{ field, title: label, width: 120, frozen: index === 0 },
    })),
    data,
  });
}

void startPage();

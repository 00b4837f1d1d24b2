import { acquireApi, hostClient } from '../../src/pages/hostClient.ts';
import type { Column, TablePage, TableEvents, TableMethods } from '../../src/protocol/table.ts';

/** A row by the fields of its columns. */
export type PeerRow = Readonly<Record<string, string | null>>;

/** Draws the first page in an element, and gives what draws the next ones. */
export type DrawRows = (
  element: HTMLElement,
  columns: readonly Column[],
  rows: PeerRow[],
) => (rows: PeerRow[]) => void;

/** Of each column, in CSS pixels: no peer has to measure its cells. */
export const columnWidth = 120;
export const rowHeight = 24;

/**
 * A page that asks our host for the same rows by the same messages as our own page, and has another
 * library draw them as it gets them. The grid leaves as much room for a toolbar and a footer as ours.
 */
export async function startPeer(drawRows: DrawRows): Promise<void> {
  const client = hostClient<TableMethods, TableEvents>(acquireApi(), {} as never);
  const { columns } = await client.request('table/open', null);
  const rowsOf = ({ rows }: TablePage): PeerRow[] =>
    rows.map((row) => Object.fromEntries(columns.map(({ field }, at) => [field, row[at] ?? null])));
  const read = async (page: number): Promise<PeerRow[]> =>
    rowsOf(await client.request('table/page', { filters: {}, page, size: 500 }));
  const first = await read(0);
  const redraw = drawRows(gridElement(), columns, first);
  let page = 0;
  nextButton().addEventListener('click', () => void read((page += 1)).then(redraw));
}

/** In a place of its own, which the styles of a library do not move. */
function gridElement(): HTMLElement {
  const place = document.createElement('div');
  place.id = 'peer';
  const element = document.createElement('div');
  element.style.height = '100%';
  place.append(element);
  document.querySelector('main')?.append(place);
  return element;
}

function nextButton(): HTMLButtonElement {
  const button = document.createElement('button');
  button.textContent = 'Next page';
  document.querySelector('main')?.append(button);
  return button;
}

import { cleanText } from '../../base/cleanText.ts';
import { isNumberText, plain, unknownText } from '../../base/decimal.ts';
import { mask, type Display } from '../../base/display.ts';
import {
  headerText,
  isNumeric,
  isPriceOfMarketOrder,
  sharedZone,
  timeWithoutZone,
  wordOf,
  wordText,
} from '../../protocol/cellRules.ts';
import type { DocumentButton, DocumentTable, Label, Section } from '../../protocol/document.ts';
import type { Column } from '../../protocol/table.ts';
import { t } from '../shared/translate.ts';
import type { Live } from '../webview/documentPanel.ts';
import { historyTables } from '../tables/histories.ts';
import { cellOf } from '../webview/recordCells.ts';
import { errorText } from '../text/failureText.ts';
import type { AccountContext } from './overviewContext.ts';
import { profitLabel } from '../text/profitLabel.ts';
import { requestsText } from '../text/progressText.ts';
import { recentCount, recentNames, type RecentName, type RecentRows } from './recentRows.ts';

/** The newest rows of three histories: one button reads them, and nothing is read before it is pressed. */
export function recentSections(context: AccountContext): Live<Section>[] {
  return [
    buttonSection(context),
    historySection(context, 'orders', {
      title: t('Last orders'),
      button: { action: 'openOrderHistory', label: t('Open Order History') },
    }),
    historySection(context, 'trades', {
      title: t('Last trades'),
      button: { action: 'openTradeHistory', label: t('Open Trade History') },
    }),
    historySection(context, 'transactions', {
      title: t('Last transactions (FUTURE)'),
      button: { action: 'openTransactionHistory', label: t('Open Transaction History') },
    }),
  ].filter((section) => section !== undefined);
}

function buttonSection({ reads, session, display }: AccountContext): Live<Section> {
  const all = [reads.orders, reads.trades, reads.transactions];
  const states = all.map(({ state }) => state);
  const count = display.count(recentCount);
  const run = () => Promise.all(all.map((each) => each.start(session)));
  return {
    title: t('Last orders, trades and transactions'),
    notes: states.some(({ last, failure }) => last ?? failure)
      ? []
      : [t('The last {0} of each, read only when you press the button.', count)],
    buttons: [{ action: 'readRecent', label: readLabel(states, display), run }],
    blocks: [],
  };
}

function readLabel(
  states: readonly { isReading: boolean; last?: unknown }[],
  display: Display,
): string {
  if (states.some(({ isReading }) => isReading)) return t('Reading…');
  const cost = requestsText(recentNames.length, display);
  return states.some(({ last }) => last) ? t('Read Again ({0})', cost) : t('Read ({0})', cost);
}

/** Undefined until the history was read, or could not be. */
function historySection(
  { reads, display }: AccountContext,
  name: RecentName,
  { title, button }: { readonly title: string; readonly button: Live<DocumentButton> },
): Live<Section> | undefined {
  const { last, failure } = reads[name].state;
  if (!last && failure === undefined) return undefined;
  const { columns } = historyTables()[name];
  const table = recentTable(last?.value.items ?? [], columns, display);
  return {
    title,
    notes: [
      ...(failure === undefined ? [] : [errorText(failure, display)]),
      ...(last ? [t('Read at {0}.', display.timeOfDay(last.readAt))] : []),
      ...(last ? [...placeNotes(last.value), ...last.value.notes, ...last.value.badRecords] : []),
    ],
    buttons: [button],
    blocks: [{ kind: 'table', title, notes: [], ...table }],
  };
}

function placeNotes({ items, place, badRecords }: RecentRows): string[] {
  if (place === 'oldest')
    return [
      t('This API lists the oldest rows first: the last ones are at the end of the history.'),
    ];
  if (items.length === 0 && badRecords.length === 0) return [t('No rows.')];
  if (place === 'newest') return [];
  return [
    t(
      'Newer rows may exist: this API does not list the newest first, or its order is not verified.',
    ),
  ];
}

/** Records in the columns of their history; an address that only a panel can open is left out. */
function recentTable(
  items: readonly object[],
  allColumns: readonly Column[],
  display: Display,
): Live<Pick<DocumentTable, 'columns' | 'rows'>> {
  const columns = allColumns
    .filter(({ kind }) => kind !== 'link')
    .map((column) => ({ ...column, zone: zoneOf(column, items, display) }));
  return {
    columns: columns.map((column) => ({
      label: headerText(column, column.zone),
      isNumeric: isNumeric(column.kind),
    })),
    rows: items.map((item) => columns.map((column) => cellLabel(item, column, display))),
  };
}

/** The zone that a header has once for all times of its column. */
function zoneOf({ field, kind }: Column, items: readonly object[], display: Display): string {
  if (kind !== 'time') return '';
  return sharedZone(
    items.map((item) => cellOf(item, field)),
    display,
  );
}

function cellLabel(
  item: object,
  { field, kind, zone, ...column }: Column & { readonly zone: string },
  display: Display,
): Label {
  const cell = cellOf(item, field);
  if (cell === null) return { text: unknownText };
  if (display.hides(field)) return { text: mask };
  const word = wordOf(cell, column);
  if (word) {
    const text = wordText(word, (name) => cellOf(item, name), display);
    return { text, detail: cleanText(cell), ...(word.tone && { tone: word.tone }) };
  }
  if (!isNumberText(cell) || kind === 'text' || kind === 'enum') return { text: cleanText(cell) };
  if (kind === 'time') {
    const text = zone === '' ? display.timeToSecond(cell) : timeWithoutZone(cell, display);
    return { text, detail: display.timeInBothZones(cell) };
  }
  if (kind === 'id') return { text: plain(cell) };
  if (field === 'rpnl') return profitLabel(field, cell, display);
  const text = display.full(field, cell);
  return isPriceOfMarketOrder(field, cell, cellOf(item, 'type'))
    ? { text: unknownText, detail: text }
    : { text };
}

import type { CancelReport } from '../../account/cancelAll/cancelAll.ts';
import {
  lastReadBack,
  type Receipt,
  type ReceiptRecord,
} from '../../account/cancelAll/receipts.ts';
import { type Display, mask } from '../../base/display.ts';
import type { ColumnLayout } from '../../protocol/gridMessages.ts';
import type { Block, Label } from '../../protocol/document.ts';
import { t } from '../shared/translate.ts';
import { pageAccount, localized } from '../text/messageText.ts';
import type { Live, LiveDocument } from '../webview/documentPanel.ts';
import { outcomeLook } from './outcomeText.ts';
import { receiptTimeline } from './receiptTimeline.ts';
import type { LockedFigures } from '../../exchange/records.ts';
import { cleanText } from '../../base/cleanText.ts';
import { unknownText, isNumberText } from '../../base/decimal.ts';
import { bothSides, isLocked, type LockedSide } from '../text/lockedOrdersText.ts';
import { isTimestamp } from '../../base/time.ts';
import { returnedOrderColumns, returnedOrderRows } from './returnedOrdersGrid.ts';

type TableBlock = Extract<Live<Block>, { kind: 'table' }>;
type GridBlock = Extract<Live<Block>, { kind: 'grid' }>;

/** What the buttons of a receipt do. */
export type ReceiptActions = {
  readonly copy: () => Promise<string | null>;
  readonly save: () => Promise<void>;
  /** Of a LIVE receipt, unless the name of the profile is typed already. */
  readonly typeName?: () => Promise<void>;
};

/**
 * Everything in a receipt, with every digit that privacy mode leaves, and times in both zones. With a layout
 * the returned orders are a grid in place of a table: both of 20,000 orders would be too much at once.
 */
export function receiptDocument(
  report: CancelReport,
  display: Display,
  actions: ReceiptActions,
  layout?: ColumnLayout,
): LiveDocument {
  const { receipt } = report;
  const steps = receiptTimeline(report, display);
  return {
    title: t('Cancel-all receipt'),
    key: receipt.id,
    account: pageAccount({ ...receipt, name: receipt.profile }, receipt.origin),
    time: { text: display.timeInBothZones(receipt.sentAt) },
    notes: [],
    buttons: [
      { action: 'copy', label: t('Copy as Markdown'), run: actions.copy },
      { action: 'save', label: t('Save as JSON…'), run: actions.save },
      ...(actions.typeName
        ? [{ action: 'typeName', label: t('Always Type Profile Name'), run: actions.typeName }]
        : []),
    ],
    sections: [
      { title: '', notes: [], blocks: [outcomeNotice(report, display), ...unsavedNotices(report)] },
      { title: t('Timeline'), isSpoken: true, notes: [], blocks: [{ kind: 'timeline', steps }] },
      ...[lockedTable(receipt, display), ...returnedOrders(receipt, display, layout)].map(
        (block) => ({ title: block.title, notes: [], blocks: [block] }),
      ),
    ],
    display: display.settings,
  };
}

function outcomeNotice({ receipt, isActive }: CancelReport, display: Display): Live<Block> {
  const { state, tone, label, sentences } = outcomeLook(receipt, isActive);
  const read = lastReadBack(receipt);
  return {
    kind: 'notice',
    tone,
    outcome: { state, word: label() },
    texts: sentences.map((write) => write(receipt, display)),
    ...(read && { asOf: t('As of {0}.', display.timeOfDay(read.at)) }),
  };
}

function unsavedNotices({ isSaved }: CancelReport): Live<Block>[] {
  if (isSaved) return [];
  const text = t('This receipt could not be stored. Save it as JSON to keep it.');
  return [{ kind: 'notice', tone: 'warning', texts: [text] }];
}

/** What was locked at one moment; a symbol that is missing was not locked, unless `isComplete` is false. */
type LockedThen = { readonly locked: readonly LockedFigures[]; readonly isComplete: boolean };

const unknown: LockedThen = { locked: [], isComplete: false };

/** What open orders locked before the request, and at the last read after it, per symbol and side. */
function lockedTable(receipt: Receipt, display: Display): TableBlock {
  const hasAfter = receipt.after.length > 0;
  const then = [lockedBefore(receipt), ...(hasAfter ? [lockedAfter(receipt)] : [])];
  const number = (label: string) => ({ label, isNumeric: true });
  return {
    kind: 'table',
    title: hasAfter ? t('Locked before and after') : t('Locked before'),
    notes: [...timeNotes(receipt, display), ...notes(receipt, then)],
    columns: [
      { label: t('Symbol'), isNumeric: false },
      { label: t('Side'), isNumeric: false },
      ...[t('Size before'), t('Locked before')].map(number),
      ...(hasAfter ? [t('Size after'), t('Locked after')].map(number) : []),
    ],
    rows: rows(then, display),
  };
}

function lockedBefore({ before }: Receipt): LockedThen {
  return { locked: before.locked, isComplete: before.asOf !== null && before.unread.length === 0 };
}

function lockedAfter(receipt: Receipt): LockedThen {
  const read = lastReadBack(receipt);
  return read ? { locked: read.locked, isComplete: true } : unknown;
}

function rows(then: readonly LockedThen[], display: Display): Live<Label>[][] {
  const symbols = new Set(then.flatMap(({ locked }) => locked.map(({ symbol }) => symbol)));
  return [...symbols].flatMap((symbol) => {
    const found = then.flatMap(({ locked }) => locked.filter((one) => one.symbol === symbol));
    const sides = bothSides().filter((side) => found.some((one) => isLocked(one, side)));
    return sides.map((side) => [
      { text: cleanText(symbol, 60) },
      { text: side.label },
      ...then.flatMap((one) => figures(one, symbol, side, display)),
    ]);
  });
}

function figures(
  { locked, isComplete }: LockedThen,
  symbol: string,
  side: LockedSide,
  display: Display,
): Live<Label>[] {
  const found = locked.find((one) => one.symbol === symbol);
  const missing = isComplete ? t('none') : unknownText;
  return [side.size, side.locked].map((field) => ({
    text: found ? display.full(field, found[field]) : missing,
  }));
}

function timeNotes(receipt: Receipt, display: Display): string[] {
  const time = (at: number): string => display.timeOfDay(at);
  const { asOf } = receipt.before;
  const read = lastReadBack(receipt);
  const times = [
    ...(asOf === null ? [] : [t('Before: {0}.', time(asOf))]),
    ...(read ? [t('After: {0}.', time(read.at))] : []),
  ];
  return times.length === 0 ? [] : [times.join(' ')];
}

function notes({ before }: Receipt, [then, after]: readonly LockedThen[]): string[] {
  const isUnknown = before.asOf === null || (then?.isComplete === false && !then.locked.length);
  return [
    ...(before.isFresh ? [] : [t('Confirmed without current figures.')]),
    ...before.unread.map((problem) =>
      t('A part of the account could not be read: {0}.', cleanText(localized(problem))),
    ),
    ...(isUnknown ? [t('What was locked before is unknown.')] : []),
    ...(then?.isComplete && !then.locked.length ? [t('Nothing was locked before.')] : []),
    ...(after?.isComplete === false ? [t('What is still locked could not be read.')] : []),
    ...(after?.isComplete && !after.locked.length ? [t('Nothing is locked afterwards.')] : []),
  ];
}

/** The orders that the exchange returned, and the records that could not be read, with all their fields. */
function returnedOrders(
  receipt: Receipt,
  display: Display,
  layout: ColumnLayout | undefined,
): (TableBlock | GridBlock)[] {
  const { canceled, unread, failure, endedAt } = receipt;
  const isAnswered = endedAt !== null && failure === null;
  if (!isAnswered) return [];
  const title = t('Returned orders ({0})', display.count(canceled.length));
  const none = t('The exchange returned no order that could be read.');
  const notes = canceled.length === 0 ? [none] : [];
  return [
    layout && canceled.length > 0
      ? { kind: 'grid', title, rows: returnedOrderRows(receipt, display, layout) }
      : { kind: 'table', title, notes, ...recordsTable(canceled, display) },
    ...(unread.length > 0 ? [unreadTable(unread, display)] : []),
  ];
}

function unreadTable(unread: Receipt['unread'], display: Display): TableBlock {
  const { columns, rows } = recordsTable(
    unread.map(({ record = [] }) => record),
    display,
  );
  return {
    kind: 'table',
    title: t('Records that could not be read ({0})', display.count(unread.length)),
    notes: [],
    columns: [{ label: t('Problem'), isNumeric: false }, ...columns],
    rows: unread.map((one, index) => [{ text: cleanText(localized(one)) }, ...(rows[index] ?? [])]),
  };
}

/** A column for each field of any record, in the order of first appearance. A field that a record lacks is empty. */
function recordsTable(
  records: readonly ReceiptRecord[],
  display: Display,
): Pick<TableBlock, 'columns' | 'rows'> {
  const names = [...new Set(records.flatMap((record) => record.map(([name]) => name)))];
  const known = new Map<string, OrderColumn>(
    returnedOrderColumns().map((column) => [column.field, column]),
  );
  return {
    columns: names.map((name) => ({
      label: cleanText(name, 60),
      isNumeric: known.get(name)?.kind === 'decimal',
    })),
    rows: records.map((record) => {
      const values = new Map(record);
      return names.map((name) => {
        const value = values.get(name);
        return value === undefined ? { text: '' } : fieldLabel(known.get(name), value, display);
      });
    }),
  };
}

type OrderColumn = ReturnType<typeof returnedOrderColumns>[number];

/**
 * A field that the API does not name may contain anything, and so may one that broke its type: privacy
 * mode hides all their digits.
 */
function fieldLabel(
  column: OrderColumn | undefined,
  text: string | null,
  display: Display,
): Live<Label> {
  if (text === null) return { text: unknownText };
  if (column?.kind === 'decimal' && isNumberText(text))
    return { text: display.full(column.field, text) };
  if (column?.kind === 'time' && isTimestamp(text))
    return { text: display.time(text), detail: `${text} · ${display.timeInBothZones(text)}` };
  const isText = column && column.kind !== 'decimal' && column.kind !== 'time';
  const isHarmless = isText && !/^[[{]/.test(text);
  if (!isHarmless && display.settings.hidesMoney && /\d/.test(text)) return { text: mask };
  return { text: cleanText(text, 2000) };
}

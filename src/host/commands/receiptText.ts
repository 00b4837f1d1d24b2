import { l10n } from 'vscode';
import type { FieldTexts } from '../../account/fieldTexts.ts';
import type { Evidence, LockedFigures, Receipt, UnreadRecord } from '../../account/receipts.ts';
import { cleanText } from '../../base/cleanText.ts';
import { isNumberText } from '../../base/decimal.ts';
import { isTimestamp } from '../../base/instant.ts';
import { mask, type Display } from '../../base/display.ts';
import { unknownValue } from '../../base/format.ts';
import type { Phrase } from '../../base/phrase.ts';
import type { CanceledOrder, Order } from '../../exchange/records.ts';
import type { Documents } from '../documents.ts';
import { lockedWords } from '../lockedWords.ts';
import { inWords, whose } from '../words.ts';
import { historyUnreadWords, outcomeWords } from './outcomeWords.ts';

/** Opens a receipt to be read. */
export async function showReceipt(receipt: Receipt, documents: Documents): Promise<void> {
  await documents.show(l10n.t('Cancel-all receipt.txt'), (display) =>
    receiptText(receipt, display),
  );
}

/** All that a receipt holds, every digit that privacy leaves, times in both zones. */
export function receiptText(receipt: Receipt, display: Display): string {
  const { before, canceled, unread, after, evidence } = receipt;
  const sections = [
    headWords(receipt),
    outcomeWords(receipt, display),
    timeWords(receipt, display),
    [
      before.isFresh
        ? l10n.t('Locked before:')
        : l10n.t('Locked before, as it was read last, not anew:'),
      ...lockedLines(before.locked, display),
      ...unreadLines(before.unread),
    ].join('\n'),
    l10n.t('Orders that the exchange returned: {0}', returnedCount(receipt, display)),
    ...canceled.map((order) => recordBlock(order, display)),
    ...unread.map((one) => unreadBlock(one, display)),
    ...after.map(({ at, locked }) =>
      [
        l10n.t('Locked at {0}:', display.timeInBoth(String(at))),
        ...(locked ? lockedLines(locked, display) : [l10n.t('(could not be read)')]),
      ].join('\n'),
    ),
    ...(evidence ? evidenceSections(evidence, display) : []),
  ];
  return sections.join('\n\n') + '\n';
}

function headWords({ profile: name, environment, origin }: Receipt): string {
  const title = l10n.t('Receipt of a cancel-all');
  return [title, whose({ name, environment }), cleanText(origin)].join('\n');
}

function timeWords({ before, sentAt, endedAt }: Receipt, display: Display): string {
  const line = (label: string, at: number | null): string =>
    `${label.padEnd(12)} ${at === null ? unknownValue : display.timeInBoth(String(at))}`;
  return [
    line(l10n.t('account read'), before.asOf),
    line(l10n.t('sent'), sentAt),
    line(l10n.t('ended'), endedAt),
  ].join('\n');
}

function lockedLines(locked: readonly LockedFigures[], display: Display): string[] {
  return locked.length === 0 ? [l10n.t('nothing')] : locked.map((one) => lockedWords(one, display));
}

function returnedCount({ canceled, unread }: Receipt, display: Display): string {
  const count = display.count(canceled.length);
  if (unread.length === 0) return count;
  return unread.length === 1
    ? l10n.t('{0}, and 1 record that could not be read', count)
    : l10n.t('{0}, and {1} records that could not be read', count, display.count(unread.length));
}

/** What was wrong with a record of the answer, and the record as it came. */
function unreadBlock({ record = [], ...problem }: UnreadRecord, display: Display): string {
  const fields = record.length === 0 ? [] : [recordBlock(record, display)];
  return [...unreadLines([problem]), ...fields].join('\n');
}

/** What was wrong with a record repeats no digit of it. */
function unreadLines(problems: readonly Phrase[]): string[] {
  return problems.map((problem) =>
    l10n.t('A record could not be read: {0}', cleanText(inWords(problem))),
  );
}

function evidenceSections(evidence: Evidence, display: Display): string[] {
  const { readAt, since, mayBeMore, orders } = evidence;
  const count = display.count(orders.length);
  const [read, from] = [readAt, since].map((at) => display.timeInBoth(String(at)));
  return [
    l10n.t(
      'Orders that the history listed as CANCELED since {0} by the exchange’s clock: {1} (read {2})',
      from ?? '',
      mayBeMore ? l10n.t('at least {0}', count) : count,
      read ?? '',
    ),
    ...historyUnreadWords(evidence, display),
    ...orders.map((order) => recordBlock(order, display)),
  ];
}

type OrderField = keyof CanceledOrder | keyof Order;
const figures = ['amount', 'price', 'averageExecutionPrice', 'filled'] as const;
const times: readonly OrderField[] = ['updatedAt', 'time'];
const texts: readonly OrderField[] = [
  'symbol',
  'side',
  'orderId',
  'clientOrderId',
  'type',
  'status',
];

function recordBlock(record: FieldTexts, display: Display): string {
  return record
    .map(([name, text]) => `${cleanText(name, 60).padEnd(22)} ${shown(name, text, display)}`)
    .join('\n');
}

/**
 * A field that the interface does not name may tell anything, and so may one that broke its type: in
 * privacy none of its digits is shown.
 */
function shown(name: string, text: string | null, display: Display): string {
  if (text === null) return unknownValue;
  if (isOneOf(figures, name) && isNumberText(text)) return display.full(name, text);
  if (isOneOf(times, name) && isTimestamp(text))
    return `${cleanText(text)}  (${display.timeInBoth(text)})`;
  const isHarmless = isOneOf(texts, name) && !/^[[{]/.test(text);
  if (!isHarmless && display.settings.hidesMoney && /\d/.test(text)) return mask;
  return cleanText(text, 2000);
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name);
}

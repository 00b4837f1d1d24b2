import { l10n } from 'vscode';
import type { ReceiptRecord } from '../../account/cancelAll/receiptRecord.ts';
import type { LockedFigures, Receipt, UnreadRecord } from '../../account/cancelAll/receipts.ts';
import { cleanText } from '../../base/cleanText.ts';
import { isNumberText, unknownText } from '../../base/decimal.ts';
import { mask, type Display } from '../../base/display.ts';
import type { Phrase } from '../../base/phrase.ts';
import { isTimestamp } from '../../base/time.ts';
import type { CanceledOrder } from '../../exchange/records.ts';
import { unreadReasonText } from './cancelConfirmation.ts';
import { accountLabel, localized } from '../text/messageText.ts';
import { lockedOrdersText } from '../text/lockedOrdersText.ts';
import type { VirtualDocuments } from '../virtualDocuments.ts';
import { outcomeText } from './outcomeText.ts';

export async function showReceipt(receipt: Receipt, documents: VirtualDocuments): Promise<void> {
  await documents.show(l10n.t('Cancel-all receipt.txt'), (display) =>
    receiptText(receipt, display),
  );
}

/** Everything in a receipt, with every digit that privacy mode leaves, and times in both zones. */
export function receiptText(receipt: Receipt, display: Display): string {
  const { canceled, unread, after } = receipt;
  const sections = [
    headerText(receipt),
    outcomeText(receipt, display),
    timesText(receipt, display),
    beforeText(receipt, display),
    l10n.t('Orders that the exchange returned: {0}', returnedCount(receipt, display)),
    ...canceled.map((order) => recordBlock(order, display)),
    ...unread.map((one) => unreadBlock(one, display)),
    ...after.map(({ at, locked }) =>
      [
        l10n.t('Locked at {0}:', display.timeInBothZones(String(at))),
        ...(locked ? lockedLines(locked, display) : [l10n.t('(could not be read)')]),
      ].join('\n'),
    ),
  ];
  return sections.join('\n\n') + '\n';
}

function headerText({ profile: name, environment, origin }: Receipt): string {
  const title = l10n.t('Cancel-all receipt');
  return [title, accountLabel({ name, environment }), cleanText(origin)].join('\n');
}

function beforeText({ before }: Receipt, display: Display): string {
  const { asOf, isFresh, readFailure, readSkipped, unread } = before;
  const reason = readFailure ?? readSkipped;
  const header = isFresh
    ? l10n.t('Locked before:')
    : l10n.t('Confirmed without current figures. Locked before, as last read:');
  return [
    ...(reason
      ? [l10n.t('The account could not be read ({0}).', unreadReasonText(reason, display))]
      : []),
    header,
    ...(asOf === null ? [l10n.t('nothing was read yet')] : knownLines(before, display)),
    ...unreadLines(unread),
  ].join('\n');
}

function timesText({ before, sentAt, endedAt }: Receipt, display: Display): string {
  const line = (label: string, at: number | null): string =>
    `${label.padEnd(12)} ${at === null ? unknownText : display.timeInBothZones(String(at))}`;
  return [
    line(l10n.t('account read'), before.asOf),
    line(l10n.t('sent'), sentAt),
    line(l10n.t('ended'), endedAt),
  ].join('\n');
}

/** Nothing is written where nothing could be read. */
function knownLines({ locked, unread }: Receipt['before'], display: Display): string[] {
  const isUnknown = locked.length === 0 && unread.length > 0;
  return isUnknown ? [] : lockedLines(locked, display);
}

function lockedLines(locked: readonly LockedFigures[], display: Display): string[] {
  return locked.length === 0
    ? [l10n.t('nothing')]
    : locked.map((one) => lockedOrdersText(one, display));
}

function returnedCount({ canceled, unread }: Receipt, display: Display): string {
  const count = display.count(canceled.length);
  if (unread.length === 0) return count;
  return unread.length === 1
    ? l10n.t('{0}, and 1 record that could not be read', count)
    : l10n.t('{0}, and {1} records that could not be read', count, display.count(unread.length));
}

/** What was wrong with a record of the answer, and the record as received. */
function unreadBlock({ record = [], ...problem }: UnreadRecord, display: Display): string {
  const fields = record.length === 0 ? [] : [recordBlock(record, display)];
  return [...unreadLines([problem]), ...fields].join('\n');
}

/** The problems repeat no digit of a record. */
function unreadLines(problems: readonly Phrase[]): string[] {
  return problems.map((problem) =>
    l10n.t('A record could not be read: {0}', cleanText(localized(problem))),
  );
}

const numberFields = ['amount', 'price', 'averageExecutionPrice', 'filled'] as const;
const timeFields: readonly (keyof CanceledOrder)[] = ['updatedAt'];
const textFields: readonly (keyof CanceledOrder)[] = [
  'symbol',
  'side',
  'orderId',
  'clientOrderId',
  'type',
  'status',
];

function recordBlock(record: ReceiptRecord, display: Display): string {
  return record
    .map(
      ([name, text]) => `${cleanText(name, 60).padEnd(22)} ${fieldValueText(name, text, display)}`,
    )
    .join('\n');
}

/**
 * A field that the API does not name may contain anything, and so may one that broke its type: privacy
 * mode hides all their digits.
 */
function fieldValueText(name: string, text: string | null, display: Display): string {
  if (text === null) return unknownText;
  if (isOneOf(numberFields, name) && isNumberText(text)) return display.full(name, text);
  if (isOneOf(timeFields, name) && isTimestamp(text))
    return `${cleanText(text)}  (${display.timeInBothZones(text)})`;
  const isHarmless = isOneOf(textFields, name) && !/^[[{]/.test(text);
  if (!isHarmless && display.settings.hidesMoney && /\d/.test(text)) return mask;
  return cleanText(text, 2000);
}

function isOneOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return (names as readonly string[]).includes(name);
}

import { l10n } from 'vscode';
import {
  receiptField,
  isProvenRefusal,
  lastReadBack,
  secondsAfterAnswer,
  type Receipt,
} from '../../account/cancelAll/receipts.ts';
import { isCanceled, type LockedFigures } from '../../account/cancelAll/cancelOutcome.ts';
import type { Display } from '../../base/display.ts';
import type { OutcomeIcon } from '../../protocol/receipt.ts';
import { exchangeFailureText, readFailureText } from '../text/failureText.ts';
import { lockedOrdersText } from '../text/lockedOrdersText.ts';
import { untrustedText } from '../text/messageText.ts';

export type Severity = 'information' | 'warning' | 'error';

type Words = (receipt: Receipt, display: Display, maxListLength?: number) => string;

/**
 * How an outcome looks and reads: in a word or two, how the request ended and what is locked since, and in a
 * notification if that is shorter.
 */
type OutcomeLook = readonly [OutcomeIcon, Severity, () => string, readonly Words[], Words?];

const unverifiedLabel = (): string => l10n.t('answered, not verified');
const nothingLockedLabel = (): string => l10n.t('unknown; nothing locked');

/** `error` if orders may still be open. */
const outcomeLooks: Readonly<Record<Receipt['outcome'], OutcomeLook>> = {
  sending: ['unknown', 'error', () => l10n.t('sent, outcome unknown'), [sendingText]],
  notSent: ['notSent', 'error', () => l10n.t('not sent'), [notSentText]],
  refused: ['refused', 'error', () => l10n.t('refused'), [refusedText, lockedText]],
  done: ['done', 'information', () => l10n.t('done'), [canceledOrdersText, lockedText]],
  partly: ['partial', 'warning', () => l10n.t('partial'), [canceledOrdersText, lockedText]],
  unverified: ['unknown', 'error', unverifiedLabel, [canceledOrdersText, lockedText]],
  unknownNothingLocked: [
    'unknown',
    'warning',
    nothingLockedLabel,
    [uncertainText, lockedText],
    () => l10n.t('Result unknown. Nothing is locked now.'),
  ],
  unknown: [
    'unknown',
    'error',
    () => l10n.t('unknown'),
    [uncertainText, lockedText],
    unknownNotification,
  ],
};

export function outcomeIcon(outcome: Receipt['outcome']): OutcomeIcon {
  return outcomeLooks[outcome][0];
}

export function outcomeSeverity({ outcome, unread, after }: Receipt): Severity {
  const isReadingBack = outcome === 'unverified' && after.length === 0;
  if (isReadingBack || (outcome === 'done' && unread.length > 0)) return 'warning';
  return outcomeLooks[outcome][1];
}

/** An outcome in a word or two. */
export function outcomeLabel(outcome: Receipt['outcome']): string {
  return outcomeLooks[outcome][2]();
}

/** The outcome of a cancel-all in a few lines, as far as its receipt knows. */
export function outcomeText(receipt: Receipt, display: Display): string {
  return outcomeSentences(receipt, display, 120).join(' ');
}

/** How the request ended, then what is locked since. */
export function outcomeSentences(
  receipt: Receipt,
  display: Display,
  maxListLength?: number,
): string[] {
  const [, , , words] = outcomeLooks[receipt.outcome];
  return words.map((write) => write(receipt, display, maxListLength));
}

/** The outcome in a notification: the receipt of an unknown result has the reason and the figures. */
export function notificationText(receipt: Receipt, display: Display): string {
  const [, , , , write = outcomeText] = outcomeLooks[receipt.outcome];
  return write(receipt, display);
}

function unknownNotification(receipt: Receipt, display: Display): string {
  const read = lastReadBack(receipt);
  if (receipt.after.length < 2 || !read)
    return l10n.t('Result unknown. The request was sent once and not retried.');
  const seconds = display.count(secondsAfterAnswer(receipt, read.at));
  return l10n.t('Result unknown. Still locked after {0} s.', seconds);
}

function sendingText(): string {
  return l10n.t(
    'Result unknown. The request is still in progress, or its window closed before it ended.',
  );
}

function notSentText(receipt: Receipt, display: Display): string {
  return l10n.t('Not sent: no order was cancelled. {0}', failureReason(receipt, display));
}

function refusedText(receipt: Receipt, display: Display): string {
  const reason = failureReason(receipt, display);
  return isProvenRefusal(receipt)
    ? l10n.t('Refused: no order was cancelled. {0}', reason)
    : l10n.t('Refused. {0}', reason);
}

function uncertainText(receipt: Receipt, display: Display): string {
  const reason = failureReason(receipt, display);
  return l10n.t('Result unknown. The request was sent once and not retried. {0}', reason);
}

function unreadText({ after }: Receipt): string {
  return after.length === 0
    ? l10n.t('Not read back yet: what is still locked is unknown.')
    : l10n.t('What is still locked could not be read.');
}

/** What the last read-back found locked, and when. */
function lockedText(receipt: Receipt, display: Display, maxListLength?: number): string {
  const read = lastReadBack(receipt);
  if (!read) return unreadText(receipt);
  if (read.locked.length === 0)
    return receipt.outcome === 'refused' || receipt.canceled.length > 0 || hadNoOrder(receipt)
      ? l10n.t('Nothing is locked now.')
      : l10n.t('Nothing is locked now (cancelled or executed).');
  const locked = lockedListText(read.locked, display, maxListLength);
  if (receipt.outcome === 'partly')
    return l10n.t('Still locked (not cancelled, or placed since): {0}.', locked);
  if (receipt.after.at(-1)?.at !== read.at) {
    const time = display.timeOfDay(String(read.at));
    return l10n.t('Locked at {0}: {1}. Later reads failed.', time, locked);
  }
  const seconds = secondsAfterAnswer(receipt, read.at);
  return seconds < 1
    ? l10n.t('Still locked: {0}.', locked)
    : l10n.t('Still locked after {0} s: {1}.', display.count(seconds), locked);
}

function canceledOrdersText(receipt: Receipt, display: Display): string {
  const { canceled, unread } = receipt;
  if (hadNoOrder(receipt)) return l10n.t('According to the exchange, no order was open.');
  if (canceled.length === 0) return l10n.t('The exchange returned no order.');
  const statuses = canceled.map(
    (order) => untrustedText(receiptField(order, 'status') ?? '') || l10n.t('unknown'),
  );
  const others = statuses.filter((status) => !isCanceled(status));
  const done = statuses.length - others.length;
  const words = [
    done === 1
      ? l10n.t('1 order cancelled.')
      : l10n.t('{0} orders cancelled.', display.count(done)),
  ];
  const otherCount = display.count(others.length);
  const list = untrustedText([...new Set(others)].join(', '));
  if (list !== '') words.push(l10n.t('{0} returned with another status: {1}.', otherCount, list));
  return [...words, ...unreadRecordsText(unread, display)].join(' ');
}

/** Whether nothing was locked before, and an answer had no order. */
function hadNoOrder({ before, canceled, outcome }: Receipt): boolean {
  const wasLocked = before.locked.length + before.unread.length > 0 || !before.isFresh;
  return outcome === 'done' && canceled.length === 0 && !wasLocked;
}

/** Each may be an order that was cancelled, or one that was not. */
function unreadRecordsText({ length }: Receipt['unread'], display: Display): string[] {
  if (length === 0) return [];
  return length === 1
    ? [l10n.t('1 record of the answer could not be read.')]
    : [l10n.t('{0} records of the answer could not be read.', display.count(length))];
}

/** How the request failed, or that nothing in its answer could be read. */
function failureReason({ outcome, failure, unread }: Receipt, display: Display): string {
  const isAnswer = failure?.kind === 'refused' || failure?.kind === 'auth';
  const isOfExchange = isAnswer && !failure.isFromGateway && failure.status !== 407;
  if (isOfExchange && outcome !== 'refused')
    return l10n.t('The exchange returned {0}.', readFailureText(failure, display));
  if (failure) return exchangeFailureText(failure, display);
  return unreadRecordsText(unread, display).join('');
}

/** How many records the answer has. */
export function returnedCountText({ canceled, unread }: Receipt, display: Display): string {
  const orders =
    canceled.length === 1
      ? l10n.t('1 order returned')
      : l10n.t('{0} orders returned', display.count(canceled.length));
  return [orders, ...unreadRecordsText(unread, display)].join('. ');
}

/** Enough for a sentence; the receipt's table has all of it. */
const maxSentenceLength = 1000;
const maxEntryLength = 10_000;

/** Whole entries only: a part of a figure would be another figure. */
export function lockedListText(
  locked: readonly LockedFigures[],
  display: Display,
  maxListLength = maxSentenceLength,
): string {
  let list = '';
  let left = 0;
  for (const one of locked) {
    const words = untrustedText(lockedOrdersText(one, display), maxEntryLength);
    const longer = list === '' ? words : `${list}; ${words}`;
    if (list !== '' && longer.length > maxListLength) left += 1;
    else list = longer;
  }
  return left === 0 ? list : l10n.t('{0} and {1} more', list, display.count(left));
}

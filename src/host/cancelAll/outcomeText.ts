import {
  receiptField,
  isProvenRefusal,
  lastReadBack,
  secondsAfterAnswer,
  type Receipt,
} from '../../account/cancelAll/receipts.ts';
import { isCanceled } from '../../account/cancelAll/cancelOutcome.ts';
import type { LockedFigures } from '../../exchange/records.ts';
import type { Display } from '../../base/display.ts';
import type { BlockState } from '../../protocol/document.ts';
import { t } from '../shared/translate.ts';
import { exchangeFailureText, readFailureText } from '../text/failureText.ts';
import { lockedOrdersText } from '../text/lockedOrdersText.ts';
import { untrustedText } from '../text/messageText.ts';

type Words = (receipt: Receipt, display: Display, maxListLength?: number) => string;

/** How an outcome looks and reads. */
export type OutcomeLook = {
  readonly state: BlockState;
  /** In lists of VS Code. */
  readonly icon: 'pass' | 'warning' | 'error' | 'circle-slash' | 'question' | 'sync';
  /** `error` if orders may still be open. */
  readonly tone: 'success' | 'information' | 'warning' | 'error';
  /** In a word or two. */
  readonly label: () => string;
  /** How the request ended, then what is locked since. */
  readonly sentences: readonly Words[];
  /** In a notification, if that is shorter: the receipt has the reason and the figures. */
  readonly notification?: Words;
  /** The receipt opens once it was read back for the first time. */
  readonly opensReceipt?: true;
  /** The receipt is open since the request ended, and says itself that it could not be stored. */
  readonly isReceiptOpen?: true;
};

const unknown = { state: 'unknown', icon: 'question', tone: 'error' } as const;

const inProgress: OutcomeLook = {
  ...{ state: 'pending', icon: 'sync', tone: 'information' },
  label: () => t('in progress'),
  sentences: [() => t('The request was sent. Its answer is not here yet.')],
};

const outcomeLooks: Readonly<Record<Receipt['outcome'], OutcomeLook>> = {
  sending: {
    ...unknown,
    label: () => t('sent, outcome unknown'),
    sentences: [
      () =>
        t(
          'Result unknown. The request is still in progress, or its window closed before it ended.',
        ),
    ],
  },
  notSent: {
    ...{ state: 'notSent', icon: 'circle-slash', tone: 'error' },
    label: () => t('not sent'),
    sentences: [
      (receipt, display) =>
        t('Not sent: no order was cancelled. {0}', failureReason(receipt, display)),
    ],
  },
  refused: {
    ...{ state: 'failed', icon: 'error', tone: 'error' },
    label: () => t('refused'),
    sentences: [refusedText, lockedWords({ nothing: () => t('Nothing is locked now.') })],
  },
  done: {
    ...{ state: 'done', icon: 'pass', tone: 'success' },
    label: () => t('done'),
    sentences: [canceledOrdersText, lockedWords()],
  },
  partly: {
    ...{ state: 'skipped', icon: 'warning', tone: 'warning' },
    label: () => t('partial'),
    sentences: [
      canceledOrdersText,
      lockedWords({
        some: (locked) => t('Still locked (not cancelled, or placed since): {0}.', locked),
      }),
    ],
  },
  unverified: {
    ...unknown,
    label: () => t('answered, not verified'),
    sentences: [canceledOrdersText, lockedWords()],
  },
  unknownNothingLocked: {
    ...unknown,
    tone: 'warning',
    label: () => t('unknown; nothing locked'),
    sentences: [uncertainText, lockedWords()],
    notification: () => t('Result unknown. Nothing is locked now.'),
    opensReceipt: true,
  },
  unknown: {
    ...unknown,
    label: () => t('unknown'),
    sentences: [uncertainText, lockedWords()],
    notification: unknownNotification,
    isReceiptOpen: true,
  },
};

/** How a cancel-all ended, as far as its receipt knows; `isActive` while this window follows it. */
export function outcomeLook(receipt: Receipt, isActive = false): OutcomeLook {
  const { outcome, unread, after } = receipt;
  if (outcome === 'sending' && isActive) return inProgress;
  const look = outcomeLooks[outcome];
  const isReadingBack = outcome === 'unverified' && after.length === 0;
  const isWarning = isReadingBack || (outcome === 'done' && unread.length > 0);
  return isWarning ? { ...look, tone: 'warning' } : look;
}

/** An outcome in a few lines. */
export function outcomeText(receipt: Receipt, display: Display): string {
  const { sentences } = outcomeLook(receipt);
  return sentences.map((write) => write(receipt, display, 120)).join(' ');
}

function unknownNotification(receipt: Receipt, display: Display): string {
  const read = lastReadBack(receipt);
  if (receipt.after.length < 2 || !read)
    return t('Result unknown. The request was sent once and not retried.');
  const seconds = display.count(secondsAfterAnswer(receipt, read.at));
  return t('Result unknown. Still locked after {0} s.', seconds);
}

function refusedText(receipt: Receipt, display: Display): string {
  const reason = failureReason(receipt, display);
  return isProvenRefusal(receipt)
    ? t('Refused: no order was cancelled. {0}', reason)
    : t('Refused. {0}', reason);
}

function uncertainText(receipt: Receipt, display: Display): string {
  const reason = failureReason(receipt, display);
  return t('Result unknown. The request was sent once and not retried. {0}', reason);
}

function unreadText({ after }: Receipt): string {
  return after.length === 0
    ? t('Not read back yet: what is still locked is unknown.')
    : t('What is still locked could not be read.');
}

/** What an outcome says of what the last read-back found locked, unless it says how and when. */
type LockedWords = {
  readonly nothing?: () => string;
  readonly some?: (locked: string) => string;
};

function lockedWords({ nothing, some }: LockedWords = {}): Words {
  return (receipt, display, maxListLength) => {
    const read = lastReadBack(receipt);
    if (!read) return unreadText(receipt);
    if (read.locked.length === 0) return nothing?.() ?? nothingLockedText(receipt);
    const locked = lockedListText(read.locked, display, maxListLength);
    return some?.(locked) ?? stillLockedText(receipt, locked, read.at, display);
  };
}

function nothingLockedText(receipt: Receipt): string {
  return receipt.canceled.length > 0 || hadNoOrder(receipt)
    ? t('Nothing is locked now.')
    : t('Nothing is locked now (cancelled or executed).');
}

function stillLockedText(receipt: Receipt, locked: string, at: number, display: Display): string {
  if (receipt.after.at(-1)?.at !== at)
    return t('Locked at {0}: {1}. Later reads failed.', display.timeOfDay(at), locked);
  const seconds = secondsAfterAnswer(receipt, at);
  return seconds < 1
    ? t('Still locked: {0}.', locked)
    : t('Still locked after {0} s: {1}.', display.count(seconds), locked);
}

function canceledOrdersText(receipt: Receipt, display: Display): string {
  const { canceled, unread } = receipt;
  if (hadNoOrder(receipt)) return t('According to the exchange, no order was open.');
  if (canceled.length === 0) return t('The exchange returned no order.');
  const statuses = canceled.map(
    (order) => untrustedText(receiptField(order, 'status') ?? '') || t('unknown'),
  );
  const others = statuses.filter((status) => !isCanceled(status));
  const done = statuses.length - others.length;
  const words = [
    done === 1 ? t('1 order cancelled.') : t('{0} orders cancelled.', display.count(done)),
  ];
  const otherCount = display.count(others.length);
  const list = untrustedText([...new Set(others)].join(', '));
  if (list !== '') words.push(t('{0} returned with another status: {1}.', otherCount, list));
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
    ? [t('1 record of the answer could not be read.')]
    : [t('{0} records of the answer could not be read.', display.count(length))];
}

/** How the request failed, or that nothing in its answer could be read. */
function failureReason({ outcome, failure, unread }: Receipt, display: Display): string {
  const isAnswer = failure?.kind === 'refused' || failure?.kind === 'auth';
  const isOfExchange = isAnswer && !failure.isFromGateway && failure.status !== 407;
  if (isOfExchange && outcome !== 'refused')
    return t('The exchange returned {0}.', readFailureText(failure, display));
  if (failure) return exchangeFailureText(failure, display);
  return unreadRecordsText(unread, display).join('');
}

/** How many records the answer has. */
export function returnedCountText({ canceled, unread }: Receipt, display: Display): string {
  const orders =
    canceled.length === 1
      ? t('1 order returned')
      : t('{0} orders returned', display.count(canceled.length));
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
  return left === 0 ? list : t('{0} and {1} more', list, display.count(left));
}

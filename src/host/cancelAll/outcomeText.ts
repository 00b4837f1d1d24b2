import { l10n } from 'vscode';
import { receiptField } from '../../account/cancelAll/receiptRecord.ts';
import { isCanceled, type LockedFigures } from '../../account/cancelAll/cancelOutcome.ts';
import {
  isProvenRefusal,
  lastReadBack,
  secondsAfterAnswer,
  type Receipt,
} from '../../account/cancelAll/receipts.ts';
import type { Display } from '../../base/display.ts';
import type { OutcomeIcon } from '../../protocol/receipt.ts';
import { exchangeFailureText } from '../text/failureText.ts';
import { lockedOrdersText } from '../text/lockedOrdersText.ts';
import { untrustedText } from '../text/messageText.ts';

export type Severity = 'information' | 'warning' | 'error';

type OutcomeLook = {
  readonly icon: OutcomeIcon;
  /** `error` if orders may still be open. */
  readonly severity: Severity;
  /** In a word or two. */
  readonly label: () => string;
};

const look = (icon: OutcomeIcon, severity: Severity, label: () => string): OutcomeLook => {
  return { icon, severity, label };
};

/** How each outcome looks, wherever it is shown. */
const outcomeLooks: Readonly<
  Record<Receipt['outcome'] | 'inProgress' | 'readingBack', OutcomeLook>
> = {
  inProgress: look('inProgress', 'information', () => l10n.t('in progress')),
  readingBack: look('inProgress', 'information', () => l10n.t('answered, reading back')),
  sending: look('unknown', 'error', () => l10n.t('sent, outcome unknown')),
  notSent: look('notSent', 'error', () => l10n.t('not sent')),
  refused: look('refused', 'error', () => l10n.t('refused')),
  done: look('done', 'information', () => l10n.t('done')),
  partly: look('partial', 'warning', () => l10n.t('partial')),
  unverified: look('unknown', 'error', () => l10n.t('answered, not verified')),
  unknownNothingLocked: look('unknown', 'warning', () => l10n.t('unknown; nothing locked')),
  unknown: look('unknown', 'error', () => l10n.t('unknown')),
};

/** `isActive`: another version of the receipt follows. */
export function outcomeLook({ outcome, after, unread }: Receipt, isActive = false): OutcomeLook {
  if (isActive && outcome === 'sending') return outcomeLooks.inProgress;
  if (isActive && outcome === 'unverified' && after.length === 0) return outcomeLooks.readingBack;
  const isDoubtful = outcome === 'done' && unread.length > 0;
  return { ...outcomeLooks[outcome], ...(isDoubtful && { severity: 'warning' }) };
}

export function outcomeSeverity(receipt: Receipt, isActive?: boolean): Severity {
  return outcomeLook(receipt, isActive).severity;
}

export function outcomeLabel(outcome: Receipt['outcome']): string {
  return outcomeLooks[outcome].label();
}

/** The outcome of a cancel-all in a few lines, as far as its receipt knows. */
export function outcomeText(receipt: Receipt, display: Display, isActive?: boolean): string {
  return outcomeSentences(receipt, display, { isActive, maxListLength: 120 }).join(' ');
}

type SentenceOptions = {
  /** Another version of the receipt follows. */
  readonly isActive?: boolean | undefined;
  readonly maxListLength?: number;
};

/** How the request ended, then what is locked since. */
export function outcomeSentences(
  receipt: Receipt,
  display: Display,
  { isActive = false, maxListLength }: SentenceOptions = {},
): string[] {
  const isReadingBack = isActive && receipt.after.length === 0;
  const lockedAfter = (): string =>
    isReadingBack
      ? l10n.t('Reading what is still locked…')
      : lockedAfterText(receipt, display, maxListLength);
  switch (receipt.outcome) {
    case 'sending':
      return [
        l10n.t(
          'Result unknown. The request is still in progress, or its window closed before it ended.',
        ),
      ];
    case 'notSent':
      return [l10n.t('Not sent: no order was cancelled. {0}', failureReason(receipt, display))];
    case 'refused':
      return isProvenRefusal(receipt)
        ? [l10n.t('Refused: no order was cancelled. {0}', failureReason(receipt, display))]
        : [l10n.t('Refused. {0}', failureReason(receipt, display)), lockedAfter()];
    case 'done':
      return [canceledOrdersText(receipt, display), l10n.t('Nothing is locked now.')];
    case 'unverified':
      return [
        canceledOrdersText(receipt, display),
        isReadingBack ? lockedAfter() : l10n.t('What is still locked could not be read.'),
      ];
    case 'partly':
      return [canceledOrdersText(receipt, display), leftText(receipt, display, maxListLength)];
    case 'unknownNothingLocked':
    case 'unknown':
      return [
        l10n.t(
          'Result unknown. The request was sent once and not retried. {0}',
          failureReason(receipt, display),
        ),
        lockedAfter(),
      ];
  }
}

/** What an answered request left. */
function leftText(receipt: Receipt, display: Display, maxListLength?: number): string {
  const { locked = [] } = lastReadBack(receipt) ?? {};
  if (locked.length === 0) return l10n.t('Nothing is locked now.');
  const list = lockedListText(locked, display, maxListLength);
  return l10n.t('Still locked (not cancelled, or placed since): {0}.', list);
}

/** What the last read-back found locked, and when. */
function lockedAfterText(receipt: Receipt, display: Display, maxListLength?: number): string {
  const read = lastReadBack(receipt);
  if (!read) return l10n.t('What is locked could not be read afterwards.');
  if (read.locked.length === 0)
    return receipt.outcome === 'refused'
      ? l10n.t('Nothing is locked now.')
      : l10n.t('Nothing is locked now (cancelled or executed).');
  const locked = lockedListText(read.locked, display, maxListLength);
  if (receipt.after.at(-1)?.at !== read.at) {
    const time = display.timeOfDay(String(read.at));
    return l10n.t('Locked at {0}: {1}. Later reads failed.', time, locked);
  }
  const seconds = secondsAfterAnswer(receipt, read.at);
  return seconds < 1
    ? l10n.t('Still locked: {0}.', locked)
    : l10n.t('Still locked after {0} s: {1}.', display.count(seconds), locked);
}

function canceledOrdersText({ canceled, unread }: Receipt, display: Display): string {
  const statuses = canceled.map((order) => receiptField(order, 'status') ?? '');
  const others = statuses.filter((status) => !isCanceled(status));
  const done = statuses.length - others.length;
  const words = [
    done === 1
      ? l10n.t('1 order cancelled.')
      : l10n.t('{0} orders cancelled.', display.count(done)),
  ];
  if (others.length > 0)
    words.push(
      l10n.t(
        '{0} returned with another status: {1}.',
        display.count(others.length),
        untrustedText([...new Set(others)].join(', ')),
      ),
    );
  return [...words, ...unreadRecordsText(unread, display)].join(' ');
}

/** Each may be an order that was cancelled, or one that was not. */
function unreadRecordsText({ length }: Receipt['unread'], display: Display): string[] {
  if (length === 0) return [];
  return length === 1
    ? [l10n.t('1 record of the answer could not be read.')]
    : [l10n.t('{0} records of the answer could not be read.', display.count(length))];
}

/** How the request failed, or that nothing in its answer could be read. */
function failureReason({ failure, unread }: Receipt, display: Display): string {
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

import { l10n } from 'vscode';
import { fieldOf } from '../../account/fieldTexts.ts';
import type { Evidence, LockedFigures, Receipt } from '../../account/receipts.ts';
import type { Display } from '../../base/display.ts';
import { ExchangeError } from '../../exchange/errors.ts';
import { lockedWords } from '../lockedWords.ts';
import { quoted, sentenceFor } from '../words.ts';

export type Severity = 'information' | 'warning' | 'error';

/** Loud where orders may still stand. */
export function severityOf({ outcome, unread }: Receipt): Severity {
  switch (outcome) {
    case 'done':
      return unread.length > 0 ? 'warning' : 'information';
    case 'partly':
    case 'unknownNothingLocked':
      return 'warning';
    case 'notSent':
    case 'refused':
    case 'unverified':
    case 'unknown':
    case 'sending':
      return 'error';
    default:
      return outcome satisfies never;
  }
}

/** An outcome in a word or two. */
export function outcomeName(outcome: Receipt['outcome']): string {
  switch (outcome) {
    case 'sending':
      return l10n.t('sent, outcome unknown');
    case 'notSent':
      return l10n.t('not sent');
    case 'refused':
      return l10n.t('refused');
    case 'done':
      return l10n.t('done');
    case 'partly':
      return l10n.t('partly');
    case 'unverified':
      return l10n.t('answered, not read back');
    case 'unknownNothingLocked':
      return l10n.t('unknown; nothing locked');
    case 'unknown':
      return l10n.t('unknown');
    default:
      return outcome satisfies never;
  }
}

/**
 * What became of a cancel-all, as far as a receipt knows; `awaitsHistory`: whether the order history
 * may still answer, where that is known.
 */
export function outcomeWords(receipt: Receipt, display: Display, awaitsHistory?: boolean): string {
  switch (receipt.outcome) {
    case 'sending':
      return l10n.t(
        'It was sent, and its outcome is unknown: it is still under way, or its window ended before it.',
      );
    case 'notSent':
      return l10n.t('Not sent, no order was cancelled. {0}', failureWords(receipt, display));
    case 'refused':
      return l10n.t('Refused, no order was cancelled. {0}', failureWords(receipt, display));
    case 'done':
      return l10n.t('{0} Nothing is locked now.', answerWords(receipt, display));
    case 'unverified':
      return l10n.t(
        '{0} The account could not be read back: refresh to see what is still locked.',
        answerWords(receipt, display),
      );
    case 'partly':
      return l10n.t(
        '{0} Still locked (left over or placed since, the interface does not tell): {1}.',
        answerWords(receipt, display),
        joined(lastRead(receipt)?.locked ?? [], display),
      );
    case 'unknownNothingLocked':
    case 'unknown':
      return [unknownWords(receipt, display), evidenceWords(receipt, display, awaitsHistory)].join(
        ' ',
      );
    default:
      return receipt.outcome satisfies never;
  }
}

function unknownWords(receipt: Receipt, display: Display): string {
  const unknown = l10n.t(
    'Unknown whether orders were cancelled; it was not sent again. {0}',
    failureWords(receipt, display),
  );
  const read = lastRead(receipt);
  if (!read) return l10n.t('{0} The account could not be read back either.', unknown);
  const locked = joined(read.locked, display);
  if (receipt.after.at(-1)?.at !== read.at) {
    const time = display.timeOfDay(String(read.at));
    return l10n.t('{0} Locked at {1}: {2}; later reads failed.', unknown, time, locked);
  }
  return read.locked.length === 0
    ? l10n.t('{0} Nothing is locked now (cancelled or executed).', unknown)
    : l10n.t('{0} Still locked: {1}.', unknown, locked);
}

/** The history tells of orders, not of whose cancel it was. */
function evidenceWords(
  { evidence }: Receipt,
  display: Display,
  awaitsHistory: boolean | undefined,
): string {
  if (!evidence) return noEvidenceWords(awaitsHistory);
  return [listedWords(evidence, display), ...historyUnreadWords(evidence, display)].join(' ');
}

function listedWords({ mayBeMore, orders }: Evidence, display: Display): string {
  const count = display.count(orders.length);
  if (orders.length === 0)
    return l10n.t(
      'The order history lists none as CANCELED since, which proves nothing: it may date orders by their placing.',
    );
  if (mayBeMore)
    return l10n.t('The order history lists at least {0} orders as CANCELED since.', count);
  return orders.length === 1
    ? l10n.t('The order history lists 1 order as CANCELED since.')
    : l10n.t('The order history lists {0} orders as CANCELED since.', count);
}

/** Records of the history that could not be read, where there are any. */
export function historyUnreadWords({ unread }: Evidence, display: Display): string[] {
  if (unread === 0) return [];
  return unread === 1
    ? [l10n.t('1 record of the history could not be read.')]
    : [l10n.t('{0} records of the history could not be read.', display.count(unread))];
}

function noEvidenceWords(awaitsHistory: boolean | undefined): string {
  if (awaitsHistory === undefined)
    return l10n.t('The order history could not be read, or not yet.');
  return awaitsHistory
    ? l10n.t('The order history is still being read.')
    : l10n.t('The order history could not be read.');
}

function answerWords({ canceled, unread }: Receipt, display: Display): string {
  const statuses = canceled.map((order) => fieldOf(order, 'status') ?? '');
  const done = statuses.filter((status) => status === 'CANCELED').length;
  const others = statuses.filter((status) => status !== 'CANCELED');
  const words = [
    done === 1
      ? l10n.t('1 order cancelled.')
      : l10n.t('{0} orders cancelled.', display.count(done)),
  ];
  if (others.length > 0)
    words.push(
      l10n.t(
        '{0} came back with another status: {1}.',
        display.count(others.length),
        quoted([...new Set(others)].join(', ')),
      ),
    );
  return [...words, ...unreadWords(unread, display)].join(' ');
}

/** Any of them may be an order that was cancelled, or one that was not. */
function unreadWords({ length }: Receipt['unread'], display: Display): string[] {
  if (length === 0) return [];
  return length === 1
    ? [l10n.t('1 record of the answer could not be read.')]
    : [l10n.t('{0} records of the answer could not be read.', display.count(length))];
}

/** Why an outcome is not known: how the request failed, or an answer of which nothing could be read. */
function failureWords({ failure, unread }: Receipt, display: Display): string {
  if (failure) return sentenceFor(new ExchangeError(failure), display);
  return unreadWords(unread, display).join('');
}

type ReadBack = { readonly at: number; readonly locked: readonly LockedFigures[] };

/** The read-back that told something last: later ones may have failed. */
function lastRead({ after }: Receipt): ReadBack | undefined {
  return after.flatMap(({ at, locked }) => (locked ? [{ at, locked }] : [])).at(-1);
}

/** As much as is read in a message; the receipt has all of it. */
const mostListed = 1000;
/** No entry is longer, whatever its figures. */
const longestEntry = 10_000;

/** Whole entries, as many as are short enough together: a part of a figure would be another figure. */
function joined(locked: readonly LockedFigures[], display: Display): string {
  let list = '';
  let left = 0;
  for (const one of locked) {
    const words = quoted(lockedWords(one, display), longestEntry);
    const longer = list === '' ? words : `${list}; ${words}`;
    if (list !== '' && longer.length > mostListed) left += 1;
    else list = longer;
  }
  return left === 0 ? list : l10n.t('{0} and {1} more', list, display.count(left));
}

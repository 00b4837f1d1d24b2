import type { RemoveSecrets } from '../../exchange/http/redactor.ts';
import type { BadRecord } from '../../exchange/records.ts';
import { originOf } from '../session/profile.ts';
import {
  cancelOutcome,
  type LockedFigures,
  type LockedReadBack,
  type RequestEnd,
} from './cancelOutcome.ts';
import type { CancelPlan } from './cancelPlan.ts';
import {
  receiptRecord,
  unreadableReceiptRecord,
  type Receipt,
  type UnreadRecord,
} from './receipts.ts';

/** Stored before the request is sent: if the window closes, it says that one was sent. */
export function newReceipt(
  plan: CancelPlan,
  sentAt: number,
  id: string = crypto.randomUUID(),
): Receipt {
  const { profile, fingerprint } = plan.account;
  return {
    v: 1,
    id,
    profile: profile.name,
    environment: profile.environment,
    origin: originOf(profile),
    account: fingerprint,
    before: shownBefore(plan),
    sentAt,
    endedAt: null,
    outcome: 'sending',
    failure: null,
    canceled: [],
    unread: [],
    after: [],
  };
}

function shownBefore({ account, figures, unreadReason }: CancelPlan): Receipt['before'] {
  return {
    asOf: figures?.asOf ?? null,
    isFresh: unreadReason === undefined,
    ...(typeof unreadReason === 'object' && { readFailure: unreadReason }),
    ...(typeof unreadReason === 'string' && { readSkipped: unreadReason }),
    locked: (figures?.locked ?? []).map((locked) => figuresOf(locked, account.redact)),
    unread: (figures?.badRecords ?? []).map(({ problem }) => problem),
  };
}

/** The request has ended; nothing was read back yet. */
export function withRequestEnd(
  receipt: Receipt,
  ended: RequestEnd,
  endedAt: number,
  redact: RemoveSecrets,
): Receipt {
  const outcome = cancelOutcome(ended, [], undefined);
  if (ended.kind === 'failed') return { ...receipt, endedAt, outcome, failure: ended.failure };
  const redactOnce = remembering(redact);
  return {
    ...receipt,
    endedAt,
    outcome,
    canceled: ended.canceled.map((order) => receiptRecord(order, redactOnce)),
    unread: ended.badRecords.map((bad) => unreadableRecord(bad, redact)),
  };
}

/** Most texts of 20,000 orders are the same few. */
function remembering(redact: RemoveSecrets): RemoveSecrets {
  const known = new Map<string, string>();
  return (text) => {
    const clean = known.get(text) ?? redact(text);
    known.set(text, clean);
    return clean;
  };
}

function unreadableRecord({ problem, record }: BadRecord, redact: RemoveSecrets): UnreadRecord {
  return record === undefined
    ? problem
    : { ...problem, record: unreadableReceiptRecord(record, redact) };
}

/** What is locked was read once more. */
export function withReadBack(
  receipt: Receipt,
  ended: RequestEnd,
  { at, locked, redact }: { at: number; locked: LockedReadBack; redact: RemoveSecrets },
): Receipt {
  const found = locked?.map((one) => figuresOf(one, redact));
  const { before, after } = receipt;
  return {
    ...receipt,
    outcome: cancelOutcome(ended, before.isFresh ? before.locked : [], found),
    after: [...after, { at, locked: found ?? null }],
  };
}

function figuresOf(locked: LockedFigures, redact: RemoveSecrets): LockedFigures {
  const { symbol, lockedAsk, sumSizeAsk, lockedBid, sumSizeBid } = locked;
  return { symbol: redact(symbol), lockedAsk, sumSizeAsk, lockedBid, sumSizeBid };
}

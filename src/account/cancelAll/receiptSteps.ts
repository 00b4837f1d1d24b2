import type { Scrub } from '../../exchange/auth/scrub.ts';
import type { BadRecord, LockedOrders } from '../../exchange/records.ts';
import { fieldTexts, rawFieldTexts } from '../fieldTexts.ts';
import { originOf } from '../profile.ts';
import type { Evidence, LockedFigures, Receipt, UnreadRecord } from '../receipts.ts';
import { outcomeOf, type Ended, type LockedNow } from './outcome.ts';
import type { CancelPlan } from './plan.ts';

/** The mark that is kept before the request leaves: should its window end, it says that one was sent. */
export function receiptOfSending({ account, ...plan }: CancelPlan, sentAt: number): Receipt {
  const { profile, fingerprint, scrub } = account;
  return {
    v: 1,
    id: crypto.randomUUID(),
    profile: profile.name,
    environment: profile.environment,
    origin: originOf(profile),
    account: fingerprint,
    before: {
      asOf: plan.asOf,
      isFresh: plan.isFresh,
      locked: plan.locked.map((locked) => figuresOf(locked, scrub)),
      unread: plan.badRecords.map(({ problem }) => problem),
    },
    sentAt,
    endedAt: null,
    outcome: 'sending',
    failure: null,
    canceled: [],
    unread: [],
    after: [],
    evidence: null,
  };
}

/** The request has ended; nothing was read back yet. */
export function withEnd(
  receipt: Receipt,
  ended: Ended,
  endedAt: number,
  scrub: (text: string) => string,
): Receipt {
  const outcome = outcomeOf(ended, undefined);
  if (ended.kind === 'failed') return { ...receipt, endedAt, outcome, failure: ended.failure };
  return {
    ...receipt,
    endedAt,
    outcome,
    canceled: ended.canceled.map((order) => fieldTexts(order, scrub)),
    unread: ended.badRecords.map((bad) => unreadOf(bad, scrub)),
  };
}

function unreadOf({ problem, record }: BadRecord, scrub: Scrub): UnreadRecord {
  return record === undefined ? problem : { ...problem, record: rawFieldTexts(record, scrub) };
}

/** What is locked was read once more. */
export function withReadBack(
  receipt: Receipt,
  ended: Ended,
  { at, locked, scrub }: { at: number; locked: LockedNow; scrub: (text: string) => string },
): Receipt {
  const found = locked?.map((one) => figuresOf(one, scrub)) ?? null;
  return {
    ...receipt,
    outcome: outcomeOf(ended, locked),
    after: [...receipt.after, { at, locked: found }],
  };
}

export function withEvidence(receipt: Receipt, evidence: Evidence | null): Receipt {
  return { ...receipt, evidence: receipt.evidence ?? evidence };
}

function figuresOf(locked: LockedOrders, scrub: (text: string) => string): LockedFigures {
  const { symbol, lockedAsk, sumSizeAsk, lockedBid, sumSizeBid } = locked;
  return { symbol: scrub(symbol), lockedAsk, sumSizeAsk, lockedBid, sumSizeBid };
}

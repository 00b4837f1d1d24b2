import type { Clock } from '../../base/clock.ts';
import { pause, soon } from '../../base/deadline.ts';
import type { Evidence, Receipt, ReceiptStore } from '../receipts.ts';
import { readEvidence } from './evidence.ts';
import { readLocked } from './lockedOrders.ts';
import { fateOf } from './outcome.ts';
import { withEvidence, withReadBack } from './receiptSteps.ts';
import type { CancelState } from './states.ts';

/** When what is locked is read again after an open end, from the first read-back on. */
export const followUpMs: readonly number[] = [2000, 5000, 15_000];

/** What is told waits so long for the order history, and no longer. */
export const historyPatienceMs = 1000;

export type FollowUpOptions = {
  readonly clock: Clock;
  readonly receipts: ReceiptStore;
  /** Ends the reading; nothing is told or kept after it. */
  readonly signal: AbortSignal;
  /** Told of what is new, and whether the order history is awaited still. */
  readonly tell: (receipt: Receipt, awaitsHistory: boolean) => void;
};

type Reported = Extract<CancelState, { at: 'reported' }>;

/** Whether reading again may tell more: orders may still stand, or nobody could look. */
export function isOpenEnded({ outcome }: Receipt): boolean {
  return outcome === 'unknown' || outcome === 'unverified';
}

/**
 * Reads on after an end that is open, or whose evidence is awaited: what is locked after 2, 5 and 15 s,
 * and the order history. What is locked waits no longer than a moment for the history. Never sends
 * anything else. Rejects with the signal's reason.
 */
export async function followUp(reported: Reported, options: FollowUpOptions): Promise<void> {
  const { clock, receipts, signal, tell } = options;
  let told = reported.receipt;
  const tellNews = (receipt: Receipt, awaitsHistory: boolean): void => {
    if (tells(receipt) !== tells(told)) tell(receipt, awaitsHistory);
    told = receipt;
  };
  const receipt = await readOn(reported, options);
  if (fateOf(reported.ended) !== 'unknown' || receipt.evidence) {
    tellNews(receipt, false);
    return;
  }
  const history = lateEvidence(reported, options);
  if ((await soon(clock, historyPatienceMs, history)) === undefined) tellNews(receipt, true);
  const whole = withEvidence(receipt, await history);
  signal.throwIfAborted();
  await receipts.keep(whole);
  signal.throwIfAborted();
  tellNews(whole, false);
}

/** What is locked, read until the end is no longer open. What a newer request freed is none of this one's. */
async function readOn(
  { plan: { account }, ended, receipt: first }: Reported,
  { clock, receipts, signal }: FollowUpOptions,
): Promise<Receipt> {
  const startedAt = clock.now();
  let receipt = first;
  for (const delayMs of followUpMs) {
    if (!isOpenEnded(receipt)) break;
    await pause(clock, Math.max(0, startedAt + delayMs - clock.now()), signal);
    const locked = await readLocked(account);
    signal.throwIfAborted();
    const readBack = { at: clock.now(), locked, scrub: account.scrub };
    receipt = withReadBack(receipt, ended, readBack);
    await receipts.keep(receipt);
    signal.throwIfAborted();
  }
  return receipt;
}

/** The history that was asked first; asked again where it failed while the reading went on. */
async function lateEvidence(
  { plan: { account }, receipt, history }: Reported,
  { clock, signal }: FollowUpOptions,
): Promise<Evidence | null> {
  const evidence = await history;
  signal.throwIfAborted();
  if (evidence || !isOpenEnded(receipt)) return evidence ?? null;
  return readEvidence(account, receipt.sentAt, clock);
}

/** What a person would read in a report; that it cannot be read any more is no news. */
function tells({ outcome, after, evidence }: Receipt): string {
  const lastRead = after.findLast(({ locked }) => locked !== null);
  return JSON.stringify([outcome, lastRead?.locked ?? null, evidence === null]);
}

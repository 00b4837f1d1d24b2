import type { Clock } from '../../base/clock.ts';
import type { Receipt, ReceiptStore } from '../receipts.ts';
import { readEvidence } from './evidence.ts';
import { readLocked } from './lockedOrders.ts';
import { fateOf } from './outcome.ts';
import { withEvidence, withReadBack } from './receiptSteps.ts';
import type { CancelState } from './states.ts';

/** When what is locked is read again after an open end, from the first read-back on. */
export const followUpMs: readonly number[] = [2000, 5000, 15_000];

export type FollowUpOptions = {
  readonly clock: Clock;
  readonly receipts: ReceiptStore;
  readonly signal: AbortSignal;
};

/** Whether reading again may tell more: orders may still stand, or nobody could look. */
export function isOpenEnded({ outcome }: Receipt): boolean {
  return outcome === 'unknown' || outcome === 'unverified';
}

/**
 * Reads what is locked after 2, 5 and 15 s, until the end is no longer open. Gives the receipt when it
 * tells something new, else undefined. Never sends anything else.
 */
export async function followUp(
  { plan: { account }, ended, receipt: first }: Extract<CancelState, { at: 'reported' }>,
  { clock, receipts, signal }: FollowUpOptions,
): Promise<Receipt | undefined> {
  const startedAt = clock.now();
  let receipt = first;
  for (const delayMs of followUpMs) {
    await until(startedAt + delayMs, clock, signal);
    if (signal.aborted) return undefined;
    const locked = await readLocked(account);
    const readBack = { at: clock.now(), locked, scrub: account.scrub };
    receipt = withReadBack(receipt, ended, readBack);
    await receipts.keep(receipt);
    if (!isOpenEnded(receipt)) break;
  }
  if (fateOf(ended) === 'unknown' && receipt.evidence === null) {
    receipt = withEvidence(receipt, await readEvidence(account, receipt.sentAt, clock));
    await receipts.keep(receipt);
  }
  return tells(receipt) === tells(first) ? undefined : receipt;
}

/** What a person would read in a report; that it cannot be read any more is no news. */
function tells({ outcome, after, evidence }: Receipt): string {
  const lastRead = after.findLast(({ locked }) => locked !== null);
  return JSON.stringify([outcome, lastRead?.locked ?? null, evidence === null]);
}

function until(atMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = clock.after(Math.max(0, atMs - clock.now()), resolve);
    signal.addEventListener('abort', () => {
      stop();
      resolve();
    });
  });
}

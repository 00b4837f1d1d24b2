import { abortable, sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/time.ts';
import type { RequestEnd } from './cancelOutcome.ts';
import { isAbortError, type CancelAccount, type SharedAccountReader } from './lockedOrders.ts';
import { needsRecheck, withReadBack, type Receipt } from './receipts.ts';

/** A cancel-all whose request has ended. */
export type SentCancel = {
  readonly account: CancelAccount;
  readonly end: RequestEnd;
  readonly receipt: Receipt;
  /** The time of its receipt, which goes on from when the request was sent. */
  readonly now: () => number;
};

export type ReadBackOptions = {
  readonly clock: Clock;
  readonly reader: SharedAccountReader;
  readonly save: (receipt: Receipt) => Promise<void>;
};

/** When the account is read again while the outcome is open, counted from the first read-back. */
const recheckDelaysMs: readonly number[] = [2000, 5000, 15_000];

/** The times of the re-checks that a receipt still needs. */
export function remainingRechecks(receipt: Receipt): readonly number[] {
  if (!needsRecheck(receipt)) return [];
  const { after, endedAt, sentAt } = receipt;
  const startedAt = after[0]?.at ?? endedAt ?? sentAt;
  return recheckDelaysMs.slice(Math.max(0, after.length - 1)).map((delayMs) => startedAt + delayMs);
}

/** The stored receipt with what is locked now. */
export async function readBack(
  { account, end, receipt, now }: SentCancel,
  { reader, save }: ReadBackOptions,
  signal?: AbortSignal,
): Promise<Receipt> {
  const locked = await abortable(reader.readLocked(account), signal);
  const verified = withReadBack(receipt, end, { at: now(), locked, redact: account.redact });
  await save(verified);
  return verified;
}

/** Reads again until the outcome is no longer open or the signal aborts; `isNews` if its report would differ. */
export async function recheck(
  sent: SentCancel,
  options: ReadBackOptions,
  signal: AbortSignal,
): Promise<{ readonly receipt: Receipt; readonly isNews: boolean }> {
  const { clock } = options;
  let { receipt } = sent;
  try {
    for (const at of remainingRechecks(receipt)) {
      if (!needsRecheck(receipt)) break;
      await sleep(clock, Math.max(0, at - sent.now()), signal);
      receipt = await readBack({ ...sent, receipt }, options, signal);
    }
  } catch (error) {
    if (!isAbortError(error)) throw error;
    return { receipt, isNews: false };
  }
  return { receipt, isNews: isNews(sent.receipt, receipt) };
}

/** Whether a newer version of a receipt would be reported differently. */
export function isNews(before: Receipt, now: Receipt): boolean {
  return reportKey(before) !== reportKey(now);
}

/** Receipts with equal keys have equal reports. A later read that failed does not change the key. */
function reportKey({ outcome, after }: Receipt): string {
  const isReadingBack = after.length === 0 && outcome !== 'unknown';
  const lastRead = after.findLast(({ locked }) => locked !== null);
  return JSON.stringify([outcome, isReadingBack, lastRead?.locked ?? null]);
}

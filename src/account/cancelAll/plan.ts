import { inEnglish } from '../../base/phrase.ts';
import type { Clock } from '../../base/clock.ts';
import { sum } from '../../base/decimal.ts';
import { ExchangeError } from '../../exchange/errors.ts';
import type { BadRecord, LockedOrders } from '../../exchange/records.ts';
import type { Snapshot } from '../accountStore.ts';
import { mayHaveActed, type Receipt, type ReceiptStore } from '../receipts.ts';
import type { CancelAccount } from './account.ts';
import { lockedIn, unreadIn } from './lockedOrders.ts';

/** What is about to be cancelled, as far as the interface tells: what open orders lock, per symbol. */
export type CancelPlan = {
  /** Profile, origin and credential that the plan is bound to: what is opened anew is another one. */
  readonly account: CancelAccount;
  readonly locked: readonly LockedOrders[];
  /** Locked-order summaries that could not be read and are missing above. */
  readonly badRecords: readonly BadRecord[];
  readonly asOf: number;
  /** False where the account could not be read anew for the limit: then this is what was read last. */
  readonly isFresh: boolean;
  /** The exchange wants a pause. */
  readonly isPaused: boolean;
  /** Cancel-alls of this account in the last 30 s, by any window, that may have acted. */
  readonly recent: readonly Receipt[];
  readonly plannedAt: number;
};

export const longestPlanAgeMs = 30_000;

/**
 * Plans by the account, read anew, or as it was read last while the exchange wants a pause or its
 * limit has no room but for the DELETE. Rejects with ExchangeError: nobody confirms blindly.
 */
export async function planCancelAll(
  account: CancelAccount,
  { clock, receipts }: { readonly clock: Clock; readonly receipts: ReceiptStore },
): Promise<CancelPlan> {
  const plannedAt = clock.now();
  const [{ snapshot, isFresh }, recent] = await Promise.all([
    readForPlan(account),
    recentCancels(account, receipts, plannedAt),
  ]);
  return {
    account,
    locked: lockedIn(snapshot),
    badRecords: unreadIn(snapshot),
    asOf: snapshot.asOf,
    isFresh,
    isPaused: isPaused(account),
    recent,
    plannedAt,
  };
}

/**
 * What is known already will do where reading it anew would cost more than itself: in a pause the
 * read-back, which may pass once, and near the limit the DELETE of this press or of a second.
 */
async function readForPlan(
  account: CancelAccount,
): Promise<{ readonly snapshot: Snapshot; readonly isFresh: boolean }> {
  const { ledger, store, refresher } = account;
  const known = store.state.snapshot;
  const isDear = isPaused(account) || !ledger.hasRoomToPlan;
  if (known && isDear) return { snapshot: known, isFresh: false };
  try {
    return { snapshot: await refresher.readAnew('cancel'), isFresh: true };
  } catch (error) {
    if (known && isForTheLimit(error)) return { snapshot: known, isFresh: false };
    throw error;
  }
}

function isPaused({ ledger }: CancelAccount): boolean {
  return ledger.standing.frozenUntil !== undefined;
}

function isForTheLimit(error: unknown): boolean {
  return error instanceof ExchangeError && error.failure.kind === 'rateLimited';
}

/** Whether a plan may still be sent: for the account that is open now, and not too long after it was read. */
export function isCurrent(plan: CancelPlan, account: CancelAccount, nowMs: number): boolean {
  return plan.account === account && Math.abs(nowMs - plan.plannedAt) <= longestPlanAgeMs;
}

/**
 * Whether what was confirmed still stands after it was read anew: the same account, the same figures,
 * as sure as before, and nobody else's cancel in between.
 */
export function confirms(agreed: CancelPlan, anew: CancelPlan): boolean {
  const isAsSure = anew.isFresh || !agreed.isFresh;
  const isAlone = anew.recent.every(({ id }) => agreed.recent.some((known) => known.id === id));
  return isAsSure && isAlone && substanceOf(agreed) === substanceOf(anew);
}

function substanceOf({ account, locked, badRecords }: CancelPlan): string {
  const { name, environment, baseUrl } = account.profile;
  const figures = locked.map(({ symbol, lockedAsk, sumSizeAsk, lockedBid, sumSizeBid }) =>
    [symbol, ...[lockedAsk, sumSizeAsk, lockedBid, sumSizeBid].map((text) => sum([text]))].join(),
  );
  const unread = badRecords.map(({ path, problem }) => `${path} ${inEnglish(problem)}`);
  const whose = [name, environment, baseUrl, account.fingerprint];
  return JSON.stringify([whose, figures.sort(), unread.sort()]);
}

async function recentCancels(
  { fingerprint }: CancelAccount,
  receipts: ReceiptStore,
  nowMs: number,
): Promise<readonly Receipt[]> {
  const recent = await receipts.since(nowMs - longestPlanAgeMs);
  return recent.filter((receipt) => receipt.account === fingerprint && mayHaveActed(receipt));
}

import { withinOrUndefined } from '../../base/abort.ts';
import { lockedFigures } from '../../api/fields.ts';
import { sum } from '../../base/decimal.ts';
import { inEnglish } from '../../base/phrase.ts';
import type { Clock } from '../../base/time.ts';
import type { Failure } from '../../exchange/exchangeError.ts';
import { operations } from '../../api/operations.ts';
import type { AssetBalance, BadRecord, LockedOrders } from '../../exchange/records.ts';
import type { Snapshot } from '../session/accountStore.ts';
import { failureOf } from './cancelOutcome.ts';
import {
  isAbortError,
  lockedIn,
  mayBeLocked,
  unreadableIn,
  type CancelAccount,
  type SharedAccountReader,
} from './lockedOrders.ts';
import { originOf } from '../session/profile.ts';
import {
  figuresOf,
  mayHaveActed,
  type Receipt,
  type ReceiptStore,
  type SkippedReadReason,
} from './receipts.ts';

/** What is about to be cancelled, as far as the API says: what open orders lock, per symbol. */
export type CancelPlan = {
  /** The plan is bound to this opening: its profile, origin and credentials. */
  readonly account: CancelAccount;
  /** As last read; undefined if this window has read nothing yet. */
  readonly figures: LockedSnapshot | undefined;
  /** Why the account was not read for this plan; undefined if it was. */
  readonly unreadReason: UnreadReason | undefined;
  /** Cancel-alls of this account in the last `recentCancelMs`, by any window, that may have acted; newest first. */
  readonly recentCancels: readonly Receipt[];
  readonly plannedAt: number;
  /** When the exchange's limit has room for the request; undefined if it has room now. */
  readonly sendableAt: number | undefined;
};

type LockedSnapshot = {
  /** Undefined if no part of it could be read: something may be locked. */
  readonly locked: readonly LockedOrders[] | undefined;
  /** Locked-order summaries, or their list, that could not be read and are missing above. */
  readonly badRecords: readonly BadRecord[];
  /** What the exchange says is locked of each asset; not of those of which nothing is. */
  readonly lockedAssets: readonly Pick<AssetBalance, 'name' | 'locked'>[];
  readonly asOf: number;
};

export type UnreadReason = SkippedReadReason | Failure;

/** An older plan is made again before its request is sent. */
export const maxPlanAgeMs = 30_000;
/** A question names other cancel-alls that were sent since then. */
export const recentCancelMs = 30_000;
/** An exchange that does not answer must not hold the question. */
const maxReadMs = 5000;

type PlanOptions = {
  readonly clock: Clock;
  readonly receipts: ReceiptStore;
  readonly reader: SharedAccountReader;
  /** Its request has room in the limit already. */
  readonly hasRoom: boolean;
  readonly onProblem: (activity: 'readReceipts', error: unknown) => void;
};

/** Plans with the account as read now, or as last read if it cannot be read. */
export async function planCancelAll(
  account: CancelAccount,
  { clock, receipts, reader, hasRoom, onProblem }: PlanOptions,
): Promise<CancelPlan> {
  const recentFrom = clock.now() - recentCancelMs;
  const [unreadReason, recent] = await Promise.all([
    readForPlan(account, reader, clock),
    receipts.sentSince(recentFrom).catch((error: unknown) => {
      onProblem('readReceipts', error);
      return [];
    }),
  ]);
  const { snapshot } = account.store.state;
  const plannedAt = clock.now();
  return {
    account,
    figures: snapshot && lockedSnapshot(snapshot),
    unreadReason,
    // Later ones are from before the clock was set back.
    recentCancels: recent.filter(
      (one) => one.account === account.fingerprint && mayHaveActed(one) && one.sentAt <= plannedAt,
    ),
    plannedAt,
    sendableAt: hasRoom ? undefined : sendableAt(account, plannedAt),
  };
}

/**
 * Reads the account into its store, or says why not. In a pause the one read that may pass is left to
 * the read-back; near the limit the room is left to the DELETE.
 */
async function readForPlan(
  account: CancelAccount,
  reader: SharedAccountReader,
  clock: Clock,
): Promise<UnreadReason | undefined> {
  if (!reader.recent(account)) {
    if (account.rateLimiter.usage.pausedUntil !== undefined) return 'paused';
    if (!hasRoomToRead(account)) return 'limitUsed';
  }
  try {
    const read = await withinOrUndefined(clock, maxReadMs, reader.read(account));
    return read ? undefined : { kind: 'timeout', sent: 'maybe', operation: 'accounts' };
  } catch (error) {
    if (isAbortError(error)) throw error;
    return failureOf(error, 'accounts');
  }
}

/** Whether a read leaves room for DELETEs. Without any figures, room for one is enough. */
function hasRoomToRead({ rateLimiter, store }: CancelAccount): boolean {
  if (rateLimiter.hasRoomForPlan || store.state.snapshot) return rateLimiter.hasRoomForPlan;
  const { used, limit } = rateLimiter.usage;
  return used + operations.accounts.weight + operations.cancelAll.weight <= limit;
}

function lockedSnapshot(snapshot: Snapshot): LockedSnapshot {
  const { asOf, account } = snapshot;
  const lockedAssets = (account.assets ?? []).filter((asset) => mayBeLocked(asset.locked));
  const locked = lockedIn(snapshot);
  const badRecords = unreadableIn(snapshot);
  const isUnknown = locked?.length === 0 && badRecords.length > 0;
  return { locked: isUnknown ? undefined : locked, badRecords, lockedAssets, asOf };
}

/** When a cancel-all can be sent; undefined if now, or if the limit is too small ever to hold it. */
export function sendableAt({ rateLimiter }: CancelAccount, nowMs: number): number | undefined {
  const readyAt = rateLimiter.cancelAllReadyAt;
  return readyAt > nowMs && Number.isFinite(readyAt) ? readyAt : undefined;
}

/**
 * Whether the confirmation covers a newer plan: the same account and figures, at least as certain, and no
 * other cancel-all in between.
 */
export function isStillConfirmed(agreed: CancelPlan, newer: CancelPlan): boolean {
  const isAsCertain = newer.unreadReason === undefined || agreed.unreadReason !== undefined;
  const isAlone = newer.recentCancels.every(({ id }) =>
    agreed.recentCancels.some((known) => known.id === id),
  );
  return isAsCertain && isAlone && comparableText(agreed) === comparableText(newer);
}

function comparableText({ account, figures }: CancelPlan): string {
  const { name, environment, baseUrl } = account.profile;
  const locked = figures?.locked?.map((orders) => {
    const texts = lockedFigures.map((name) => orders[name]);
    return [orders.symbol, ...texts.map((text) => text && sum([text]))].join();
  });
  const unread = figures?.badRecords.map(({ path, problem }) => `${path} ${inEnglish(problem)}`);
  const whose = [name, environment, baseUrl, account.fingerprint];
  return JSON.stringify([whose, locked?.sort(), unread?.sort()]);
}

/** What a run does now. */
export type CancelProgress =
  | { readonly at: 'planning' | 'confirming' | 'sending' | 'ended' }
  /** Confirmed; the limit has room for the request only then. */
  | { readonly at: 'waiting'; readonly sendableAt: number; readonly stop: () => void }
  | { readonly at: 'verifying'; readonly isUnknown: boolean };

/** How long a confirmed cancel-all waits for the limit: a window of a minute, and requests under way. */
export const maxLimitWaitMs = 90_000;

/** Stored before the request is sent: if the window closes, it says that one was sent. */
export function newReceipt(plan: CancelPlan, sentAt: number): Receipt {
  const { profile, fingerprint } = plan.account;
  return {
    v: 1,
    id: crypto.randomUUID(),
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

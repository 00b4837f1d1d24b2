import type { ExchangeClient } from '../exchange/client.ts';
import { ExchangeError } from '../exchange/errors.ts';
import type { BadRecord, CanceledOrder, LockedOrders } from '../exchange/records.ts';
import { sign } from '../base/decimal.ts';
import type { Snapshot } from './accountStore.ts';
import type { Refresher } from './refresher.ts';
import type { Session } from './session.ts';

/** What is about to be cancelled, as far as the interface tells: what open orders lock, per symbol. */
export type CancelPlan = {
  readonly locked: readonly LockedOrders[];
  /** Locked-order summaries that could not be read and are missing above. */
  readonly badRecords: readonly BadRecord[];
  readonly asOf: number;
  /** False while the exchange wants a pause: then this is what was read last before it. */
  readonly isFresh: boolean;
};

/** What the exchange answered: the orders it cancelled, and records of its answer that broke their type. */
export type CancelAnswer = {
  readonly canceled: readonly CanceledOrder[];
  readonly badRecords: readonly BadRecord[];
};

/**
 * How a cancel-all ended. `notSent`: the request never left. `refused`: the exchange said no.
 * `done`: it answered, and nothing is locked any more. `partly`: it answered, and something is still
 * locked: left over or placed since, the interface does not tell. `unverified`: it answered, and the
 * account could not be read back. `unknown`: it may have acted; `locked` is what the read-back
 * found, or undefined when that failed too.
 */
export type CancelOutcome =
  | { readonly kind: 'notSent' | 'refused'; readonly error: ExchangeError }
  | ({ readonly kind: 'done' | 'unverified' } & CancelAnswer)
  | ({ readonly kind: 'partly'; readonly locked: readonly LockedOrders[] } & CancelAnswer)
  | {
      readonly kind: 'unknown';
      readonly error: ExchangeError;
      readonly locked: readonly LockedOrders[] | undefined;
    };

/**
 * Says what a cancel-all would go for: by the account, read anew, or as it was read last while the
 * exchange wants a pause, so that what may pass is left for the read-back. Rejects with ExchangeError.
 */
export async function planCancelAll({
  refresher,
  store,
  ledger,
}: Pick<Session, 'refresher' | 'store' | 'ledger'>): Promise<CancelPlan> {
  const known = ledger.standing.frozenUntil === undefined ? undefined : store.state.snapshot;
  const snapshot = known ?? (await refresher.readAnew('cancel'));
  return {
    locked: lockedOrders(snapshot),
    badRecords: snapshot.badRecords.filter(({ path }) => path.startsWith('$.orders')),
    asOf: snapshot.asOf,
    isFresh: known === undefined,
  };
}

/**
 * Cancels every open order: one request that is never sent again, whatever happens, and after it
 * only reads. Never rejects for what the exchange or the connection did: that is the outcome.
 */
export async function cancelAll(
  client: ExchangeClient,
  refresher: Refresher,
): Promise<CancelOutcome> {
  try {
    const { value: canceled, badRecords } = await client.cancelAll();
    return await verify(refresher, { canceled, badRecords });
  } catch (thrown) {
    const error = asExchangeError(thrown);
    if (error.failure.sent === 'no') return { kind: 'notSent', error };
    if (isRefusal(error)) return { kind: 'refused', error };
    return { kind: 'unknown', error, locked: await readLocked(refresher) };
  }
}

/** A fault of our own after the request left must not hide that it left. */
function asExchangeError(thrown: unknown): ExchangeError {
  if (thrown instanceof ExchangeError) return thrown;
  const failure = { kind: 'network', sent: 'maybe', operation: 'cancelAll' } as const;
  return new ExchangeError({ ...failure, detail: 'unexpected' });
}

async function verify(refresher: Refresher, answer: CancelAnswer): Promise<CancelOutcome> {
  const locked = await readLocked(refresher);
  if (locked === undefined) return { kind: 'unverified', ...answer };
  return locked.length === 0 ? { kind: 'done', ...answer } : { kind: 'partly', locked, ...answer };
}

/** Statuses of a 4xx that do not say whether the exchange acted. */
const undecided: readonly number[] = [408, 425, 429];

/** A 4xx in the exchange's own words proves that it did nothing; anything else proves nothing. */
function isRefusal({ failure }: ExchangeError): boolean {
  const { kind, status = 0, serverWords, serverCode } = failure;
  const isDecided = status >= 400 && status < 500 && !undecided.includes(status);
  const isReadable = serverWords !== undefined || serverCode !== undefined;
  return isDecided && isReadable && (kind === 'auth' || kind === 'refused');
}

/** What is locked now; undefined when the account, or a part of its locked orders, cannot be read. */
async function readLocked(refresher: Refresher): Promise<readonly LockedOrders[] | undefined> {
  try {
    const snapshot = await refresher.readAnew('cancel');
    const incomplete = snapshot.badRecords.some(({ path }) => path.startsWith('$.orders'));
    return incomplete ? undefined : lockedOrders(snapshot);
  } catch {
    return undefined;
  }
}

/** The summaries in which anything is locked; an exchange may list symbols with zeros. */
function lockedOrders({ account }: Snapshot): readonly LockedOrders[] {
  return account.orders.filter(({ lockedAsk, sumSizeAsk, lockedBid, sumSizeBid }) =>
    [lockedAsk, sumSizeAsk, lockedBid, sumSizeBid].some((amount) => sign(amount) !== 0),
  );
}

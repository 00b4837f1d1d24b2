import assert from 'node:assert/strict';
import { CancelAll, type CancelReport } from '../../src/account/cancelAll/cancelAll.ts';
import type { CancelPlan } from '../../src/account/cancelAll/cancelPlan.ts';
import type { CancelAccount } from '../../src/account/cancelAll/lockedOrders.ts';
import type { Receipt, ReceiptStore } from '../../src/account/cancelAll/receipts.ts';
import { AccountStore } from '../../src/account/session/accountStore.ts';
import { Refresher } from '../../src/account/session/refresher.ts';
import { sleep } from '../../src/base/abort.ts';
import { clientKey, type ExchangeClient } from '../../src/exchange/client.ts';
import { ExchangeError, type Failure } from '../../src/exchange/exchangeError.ts';
import type { RateLimiter } from '../../src/exchange/rateLimit/rateLimiter.ts';
import type { BadRecord, CanceledOrder, LockedOrders } from '../../src/exchange/records.ts';
import { anAccount, anOrder, aProfile } from './builders.ts';
import { ampleRateLimiter } from './exchangeClient.ts';
import { FakeClock } from './fakeClock.ts';

/** How a DELETE that failed failed. */
export function failed(failure: Partial<Failure>): ExchangeError {
  return new ExchangeError({ kind: 'network', sent: 'maybe', operation: 'cancelAll', ...failure });
}

/** An order as cancel-all returns it. */
export function aCanceledOrder(fields: Partial<CanceledOrder> = {}): CanceledOrder {
  const { time: updatedAt, ...order } = anOrder({ status: 'CANCELED' });
  return { ...order, updatedAt, ...fields };
}

/** A receipt as it is shown when its re-checks have ended. */
export function reportOf(receipt: Receipt, fields: Partial<CancelReport> = {}): CancelReport {
  return { receipt, isSaved: true, isActive: false, ...fields };
}

/** For the buttons of a receipt that nobody presses. */
export const noReceiptActions = {
  copy: () => Promise.resolve(null),
  save: () => Promise.resolve(),
};

/** Receipts in memory; `kept` has every version in order. */
export function receiptsInMemory(): ReceiptStore & { readonly kept: Receipt[] } {
  const kept: Receipt[] = [];
  const latest = new Map<string, Receipt>();
  return {
    kept,
    save: (receipt) => {
      kept.push(receipt);
      latest.set(receipt.id, receipt);
      return Promise.resolve();
    },
    sentSince: (sentAtMs) =>
      Promise.resolve([...latest.values()].filter(({ sentAt }) => sentAt >= sentAtMs).reverse()),
  };
}

type Answer<T> = T | Error | (() => Promise<T>);
export type Script = {
  /** What the DELETE returns, or how it fails. */
  canceled?: Answer<readonly CanceledOrder[]>;
  badRecords?: readonly BadRecord[];
  /** What each read of the account in turn finds locked, null if it is not listed, or how it fails; the last one stays. */
  locked?: Answer<readonly LockedOrders[] | null>[];
  /** Summaries that no read could read. */
  unread?: readonly BadRecord[];
  /** The answer to each question in turn; the last one stays. */
  says?: (boolean | (() => Promise<boolean>))[];
};

async function give<T>(answer: Answer<T>): Promise<T> {
  if (answer instanceof Error) throw answer;
  return typeof answer === 'function' ? (answer as () => Promise<T>)() : answer;
}

function nextAnswer<T>(answers: T[], otherwise: T): T {
  if (answers.length === 0) return otherwise;
  return (answers.length > 1 ? answers.shift() : answers[0]) as T;
}

/** A cancel-all against prepared answers, on a clock that stands still until it is moved. */
export function cancelAllUnderTest(script: Script = {}) {
  const clock = new FakeClock();
  const receipts = receiptsInMemory();
  const seen = {
    deletes: 0,
    reads: [] as number[],
    questions: [] as { plan: CancelPlan; earlier: CancelPlan | undefined }[],
    states: [] as string[],
    /** How many rooms in the limit were reserved, and neither used nor given back. */
    held: 0,
    /** Stops a wait for the rate limit. */
    stopWaiting: (): void => assert.fail('nothing waits'),
    reports: [] as Receipt[],
    /** Every version of every receipt, as an open receipt would show it. */
    changes: [] as CancelReport[],
    /** The ids of receipts that were reported and not stored. */
    unsaved: [] as string[],
    /** What failed without stopping a cancel-all. */
    problems: [] as string[],
  };
  const world = {
    account: openAccount(),
    refusal: undefined as Error | undefined,
    /** What the account waits for before it is given. */
    opening: Promise.resolve(),
  };

  /** Another opening of an account: the same one, unless the fields make it another. */
  function openAccount(
    fields: Partial<Pick<CancelAccount, 'fingerprint' | 'profile' | 'rateLimiter'>> = {},
  ): CancelAccount {
    const store = new AccountStore();
    const { rateLimiter = ampleRateLimiter() } = fields;
    const readAccount = async () => {
      seen.reads.push(clock.steadyNow());
      const orders = await give(nextAnswer(script.locked ?? [], []));
      return { value: anAccount({ orders }), badRecords: script.unread ?? [] };
    };
    const client = {
      accounts: readAccount,
      reserveCancelAll: async (waitMs: number, signal: AbortSignal) => {
        const waitUntil = clock.steadyNow() + waitMs;
        for (;;) {
          signal.throwIfAborted();
          const leftMs = rateLimiter.cancelAllReadyAt - clock.now();
          if (leftMs <= 0) break;
          if (clock.steadyNow() + leftMs > waitUntil)
            throw failed({ kind: 'rateLimited', sent: 'no' });
          await sleep(clock, Math.min(leftMs, 1000), signal);
        }
        seen.held += 1;
        return { complete: () => void (seen.held -= 1), succeed: () => undefined };
      },
      cancelAll: async () => {
        seen.held -= 1;
        seen.deletes += 1;
        const value = await give(script.canceled ?? []);
        return { value, badRecords: script.badRecords ?? [] };
      },
    };
    return {
      profile: aProfile({ baseUrl: 'https://host.example/prefix' }),
      fingerprint: 'f1',
      redact: (text) => text.replaceAll('SECRET', '•••'),
      [clientKey]: client as unknown as ExchangeClient,
      refresher: new Refresher({
        store,
        clock: new FakeClock(),
        client: { accounts: readAccount, serverNow: () => 0 },
      }),
      store,
      ...fields,
      rateLimiter,
    };
  }

  const cancelAll = new CancelAll({
    clock,
    receipts,
    account: async () => {
      await world.opening;
      if (world.refusal) throw world.refusal;
      return world.account;
    },
    confirm: (plan, earlier) => {
      seen.questions.push({ plan, earlier });
      const answer = nextAnswer(script.says ?? [], true);
      return typeof answer === 'function' ? answer() : Promise.resolve(answer);
    },
    startProgress: () => (progress) => {
      seen.states.push(progress.at);
      if (progress.at === 'waiting') seen.stopWaiting = progress.stop;
    },
    onReport: ({ receipt, isSaved }) => {
      seen.reports.push(receipt);
      if (!isSaved) seen.unsaved.push(receipt.id);
    },
    onChange: (report) => seen.changes.push(report),
    onProblem: (activity) => seen.problems.push(activity),
  });
  const report = (): Receipt => seen.reports.at(-1) ?? assert.fail('nothing was reported');
  return { cancelAll, clock, receipts, seen, world, openAccount, report };
}

/** The last version of the receipt of a cancel-all, some time after it. */
export async function lastReport(script: Script, laterMs = 15_000): Promise<CancelReport> {
  const { cancelAll, clock, seen } = cancelAllUnderTest(script);
  await cancelAll.run();
  await clock.advance(laterMs);
  cancelAll.dispose();
  return seen.changes.at(-1) ?? assert.fail('no receipt');
}

/** A rate limit that leaves a plan no room to read, and the DELETE from a moment on. */
export function usedUpRateLimiter(cancelAllReadyAt = 0): RateLimiter {
  const usage = { pausedUntil: undefined, used: 95, limit: 100 };
  return { usage, hasRoomForPlan: false, cancelAllReadyAt } as unknown as RateLimiter;
}

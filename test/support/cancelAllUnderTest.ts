import assert from 'node:assert/strict';
import { AccountStore } from '../../src/account/accountStore.ts';
import type { CancelAccount } from '../../src/account/cancelAll/account.ts';
import { CancelAll } from '../../src/account/cancelAll/cancelAll.ts';
import type { CancelPlan } from '../../src/account/cancelAll/plan.ts';
import type { Receipt, ReceiptStore } from '../../src/account/receipts.ts';
import { Refresher } from '../../src/account/refresher.ts';
import { defaultHmacQuery } from '../../src/exchange/auth/scheme.ts';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import { defaultDialect } from '../../src/exchange/dialect/dialect.ts';
import { ExchangeError, type Failure } from '../../src/exchange/errors.ts';
import type { WeightLedger } from '../../src/exchange/ledger/weightLedger.ts';
import type { OrderQuery } from '../../src/exchange/queries.ts';
import type { BadRecord, CanceledOrder, LockedOrders, Order } from '../../src/exchange/records.ts';
import { anAccount, anOrder } from './builders.ts';
import { ampleLedger } from './exchangeClient.ts';
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

/** Receipts in memory; `kept` has every version in order. */
export function receiptsInMemory(): ReceiptStore & { readonly kept: Receipt[] } {
  const kept: Receipt[] = [];
  const latest = new Map<string, Receipt>();
  return {
    kept,
    keep: (receipt) => {
      kept.push(receipt);
      latest.set(receipt.id, receipt);
      return Promise.resolve();
    },
    since: (sentAtMs) =>
      Promise.resolve([...latest.values()].filter(({ sentAt }) => sentAt >= sentAtMs).reverse()),
  };
}

type Answer<T> = T | Error | (() => Promise<T>);
export type Script = {
  /** What the DELETE returns, or how it fails. */
  canceled?: Answer<readonly CanceledOrder[]>;
  badRecords?: readonly BadRecord[];
  /** What each read of the account in turn finds locked, or how it fails; the last one stays. */
  locked?: Answer<readonly LockedOrders[]>[];
  /** Summaries that no read could read. */
  unread?: readonly BadRecord[];
  history?: Answer<readonly Order[]>;
  /** Records of the history that could not be read. */
  unreadHistory?: readonly BadRecord[];
  /** What the person says to each question in turn; the last one stays. */
  says?: (boolean | (() => Promise<boolean>))[];
};

async function give<T>(answer: Answer<T>): Promise<T> {
  if (answer instanceof Error) throw answer;
  return typeof answer === 'function' ? (answer as () => Promise<T>)() : answer;
}

function inTurn<T>(answers: T[], otherwise: T): T {
  return (answers.length > 1 ? answers.shift() : answers[0]) ?? otherwise;
}

/** A cancel-all against prepared answers, on a clock that stands still until it is moved. */
export function cancelAllUnderTest(script: Script = {}) {
  const clock = new FakeClock();
  const receipts = receiptsInMemory();
  const seen = {
    deletes: 0,
    reads: [] as number[],
    historyQueries: [] as OrderQuery[],
    questions: [] as { plan: CancelPlan; earlier: CancelPlan | undefined }[],
    states: [] as string[],
    reports: [] as Receipt[],
    /** Whether each report still awaited the order history. */
    awaiting: [] as boolean[],
    /** The ids of receipts that were told of and not kept. */
    unkept: [] as string[],
    problems: [] as unknown[],
  };
  const world = {
    account: openAccount(),
    aheadMs: 0,
    refusal: undefined as Error | undefined,
  };

  /** Another opening of an account: the same one, unless the fields make it another. */
  function openAccount(
    fields: Partial<Pick<CancelAccount, 'fingerprint' | 'profile' | 'ledger'>> = {},
  ): CancelAccount {
    const store = new AccountStore();
    const readAccount = async () => {
      seen.reads.push(clock.now());
      const orders = await give(inTurn(script.locked ?? [], []));
      return { value: anAccount({ orders }), badRecords: script.unread ?? [] };
    };
    const client = {
      at: () => client,
      dialect: defaultDialect,
      serverNow: () => clock.now() + world.aheadMs,
      accounts: readAccount,
      cancelAll: async () => {
        seen.deletes += 1;
        const value = await give(script.canceled ?? []);
        return { value, badRecords: script.badRecords ?? [] };
      },
      orders: async (query: OrderQuery) => {
        seen.historyQueries.push(query);
        const content = await give(script.history ?? []);
        return { value: { content }, badRecords: script.unreadHistory ?? [] };
      },
    };
    const profile = {
      name: 'Mine',
      environment: 'test',
      baseUrl: 'https://host.example/prefix',
      readOnly: false,
      auth: defaultHmacQuery,
      sign: [],
      dialect: defaultDialect,
    } as const;
    return {
      profile,
      fingerprint: 'f1',
      scrub: (text) => text.replaceAll('SECRET', '•••'),
      client: client as unknown as ExchangeClient,
      refresher: new Refresher({ store, clock: new FakeClock(), read: readAccount }),
      store,
      ledger: ampleLedger(),
      ...fields,
    };
  }

  const cancelAll = new CancelAll({
    clock,
    receipts,
    account: () => (world.refusal ? Promise.reject(world.refusal) : Promise.resolve(world.account)),
    confirm: (plan, earlier) => {
      seen.questions.push({ plan, earlier });
      const answer = inTurn(script.says ?? [], true);
      return typeof answer === 'function' ? answer() : Promise.resolve(answer);
    },
    onProblem: (error) => seen.problems.push(error),
  });
  cancelAll.onDidChange(({ at }) => seen.states.push(at));
  cancelAll.onDidReport(({ receipt, isKept, awaitsHistory }) => {
    seen.reports.push(receipt);
    seen.awaiting.push(awaitsHistory);
    if (!isKept) seen.unkept.push(receipt.id);
  });
  const report = (): Receipt => seen.reports.at(-1) ?? assert.fail('nothing was reported');
  return { cancelAll, clock, receipts, seen, world, openAccount, report };
}

/** A ledger in a pause that the exchange asked for. */
export function frozenLedger(): WeightLedger {
  return ampleLedger({ frozenUntil: Date.now() + 60_000 });
}

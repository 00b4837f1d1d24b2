import assert from 'node:assert/strict';
import { CancelAll, type CancelReport } from '../../src/account/cancelAll/cancelAll.ts';
import type { CancelPlan } from '../../src/account/cancelAll/cancelPlan.ts';
import type { CancelAccount } from '../../src/account/cancelAll/lockedOrders.ts';
import type { Receipt, ReceiptStore } from '../../src/account/cancelAll/receipts.ts';
import { AccountStore } from '../../src/account/session/accountStore.ts';
import { Refresher } from '../../src/account/session/refresher.ts';
import { systemClock, type Clock } from '../../src/base/time.ts';
import { clientKey, type ExchangeClient } from '../../src/exchange/client.ts';
import type { RateLimiter } from '../../src/exchange/rateLimit/rateLimiter.ts';
import { aProfile } from './builders.ts';
import { receiptsInMemory } from './cancelAllUnderTest.ts';
import { ampleRateLimiter } from './exchangeClient.ts';

/** An open account as a cancel-all takes it, of a client over real HTTP. Its owner disposes the refresher. */
export function cancelAccount(
  client: ExchangeClient,
  baseUrl: string,
  rateLimiter = ampleRateLimiter(),
): CancelAccount {
  const store = new AccountStore();
  const refresher = new Refresher({ store, clock: systemClock, client });
  const account = {
    profile: aProfile({ baseUrl }),
    [clientKey]: client,
    refresher,
    store,
    rateLimiter,
  };
  return { ...account, fingerprint: 'f1', redact: (text) => text };
}

type Options = {
  readonly client: ExchangeClient;
  readonly url: string;
  readonly rateLimiter?: RateLimiter;
  /** The clock of the cancel-all, not of its requests. */
  readonly clock?: Clock;
  readonly onReport?: (report: CancelReport) => void;
  readonly receipts?: ReceiptStore;
  /** Unless the question is to be confirmed at once. */
  readonly confirm?: () => Promise<boolean>;
  /** What differs from the account over real HTTP. */
  readonly account?: Partial<CancelAccount>;
};

/** A cancel-all of an account over real HTTP, whose questions are confirmed. */
export function cancelAllOverHttp({
  client,
  url,
  rateLimiter = ampleRateLimiter(),
  clock = systemClock,
  onReport,
  confirm = () => Promise.resolve(true),
  ...own
}: Options) {
  const account = { ...cancelAccount(client, url, rateLimiter), ...own.account };
  account.refresher.setIntervalMs(undefined);
  const receipts = receiptsInMemory();
  const plans: CancelPlan[] = [];
  const reports: Receipt[] = [];
  /** What its progress showed. */
  const steps: string[] = [];
  const cancelAll = new CancelAll({
    clock,
    receipts: own.receipts ?? receipts,
    account: () => Promise.resolve(account),
    confirm: (plan) => {
      plans.push(plan);
      return confirm();
    },
    startProgress: () => (step) => void steps.push(step.at),
    onChange: () => undefined,
    onReport: (report) => {
      reports.push(report.receipt);
      onReport?.(report);
    },
    onProblem: (_activity, error) => assert.ifError(error),
  });
  const dispose = (): void => {
    cancelAll.dispose();
    account.refresher.dispose();
    rateLimiter.dispose();
  };
  return { client, rateLimiter, account, cancelAll, receipts, plans, reports, steps, dispose };
}

export type CancelAllOverHttp = ReturnType<typeof cancelAllOverHttp>;

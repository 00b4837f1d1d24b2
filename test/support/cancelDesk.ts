import assert from 'node:assert/strict';
import { CancelAll } from '../../src/account/cancelAll/cancelAll.ts';
import type { CancelPlan } from '../../src/account/cancelAll/cancelPlan.ts';
import type { Receipt } from '../../src/account/cancelAll/receipts.ts';
import { systemClock, type Clock } from '../../src/base/time.ts';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import type { RateLimiter } from '../../src/exchange/rateLimit/rateLimiter.ts';
import { cancelAccount } from './cancelAccount.ts';
import { receiptsInMemory } from './cancelAllUnderTest.ts';
import { ampleRateLimiter } from './exchangeClient.ts';

export type CancelDeskOptions = {
  readonly client: ExchangeClient;
  readonly url: string;
  readonly rateLimiter?: RateLimiter;
  /** The clock of the cancel-all, not of its requests. */
  readonly clock?: Clock;
  readonly confirm?: (plan: CancelPlan) => Promise<boolean>;
};

/** A cancel-all of an account over real HTTP, whose questions are confirmed unless `confirm` says otherwise. */
export function cancelDesk({
  client,
  url,
  rateLimiter = ampleRateLimiter(),
  clock = systemClock,
  confirm = () => Promise.resolve(true),
}: CancelDeskOptions) {
  const account = cancelAccount(client, url, rateLimiter);
  account.refresher.setIntervalMs(undefined);
  const receipts = receiptsInMemory();
  const plans: CancelPlan[] = [];
  const reports: Receipt[] = [];
  const cancelAll = new CancelAll({
    clock,
    receipts,
    account: () => Promise.resolve(account),
    confirm: (plan) => {
      plans.push(plan);
      return confirm(plan);
    },
    startProgress: () => () => undefined,
    onReport: ({ receipt }) => reports.push(receipt),
    onProblem: assert.ifError,
  });
  const dispose = (): void => {
    cancelAll.dispose();
    account.refresher.dispose();
    rateLimiter.dispose();
  };
  return { client, rateLimiter, account, cancelAll, receipts, plans, reports, dispose };
}

export type CancelDesk = ReturnType<typeof cancelDesk>;

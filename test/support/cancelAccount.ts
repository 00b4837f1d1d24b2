import type { CancelAccount } from '../../src/account/cancelAll/lockedOrders.ts';
import { AccountStore } from '../../src/account/session/accountStore.ts';
import { Refresher } from '../../src/account/session/refresher.ts';
import { systemClock } from '../../src/base/time.ts';
import { defaultHmacQuery } from '../../src/exchange/auth/scheme.ts';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import { defaultConventions } from '../../src/exchange/conventions/apiConventions.ts';
import { ampleRateLimiter } from './exchangeClient.ts';

/** An open account as a cancel-all takes it, of a client over real HTTP. Its owner disposes the refresher. */
export function cancelAccount(
  client: ExchangeClient,
  baseUrl: string,
  rateLimiter = ampleRateLimiter(),
): CancelAccount {
  const store = new AccountStore();
  const refresher = new Refresher({ store, clock: systemClock, client });
  const profile = {
    name: 'Mine',
    environment: 'test',
    baseUrl,
    readOnly: false,
    auth: defaultHmacQuery,
    sign: [],
    dialect: defaultConventions,
  } as const;
  return {
    profile,
    client,
    refresher,
    store,
    rateLimiter,
    fingerprint: 'f1',
    redact: (text) => text,
  };
}

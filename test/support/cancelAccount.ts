import { AccountStore } from '../../src/account/accountStore.ts';
import type { CancelAccount } from '../../src/account/cancelAll/account.ts';
import { Refresher } from '../../src/account/refresher.ts';
import { systemClock } from '../../src/base/clock.ts';
import { defaultHmacQuery } from '../../src/exchange/auth/scheme.ts';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import { defaultDialect } from '../../src/exchange/dialect/dialect.ts';
import { ampleLedger } from './exchangeClient.ts';

/** An open account as a cancel-all takes it, of a client over real HTTP. Its owner disposes the refresher. */
export function cancelAccount(
  client: ExchangeClient,
  baseUrl: string,
  ledger = ampleLedger(),
): CancelAccount {
  const store = new AccountStore();
  const refresher = new Refresher({
    store,
    clock: systemClock,
    read: (signal, priority) => client.at(priority).accounts(signal),
  });
  const profile = {
    name: 'Mine',
    environment: 'test',
    baseUrl,
    readOnly: false,
    auth: defaultHmacQuery,
    sign: [],
    dialect: defaultDialect,
  } as const;
  return { profile, client, refresher, store, ledger, fingerprint: 'f1', scrub: (text) => text };
}

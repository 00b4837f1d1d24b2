import assert from 'node:assert/strict';
import { AccountStore } from '../../src/account/accountStore.ts';
import { Refresher } from '../../src/account/refresher.ts';
import { systemClock } from '../../src/base/clock.ts';
import { activeResources } from '../support/activeResources.ts';
import { eventually } from '../support/eventually.ts';
import { ampleLedger, clientFor } from '../support/exchangeClient.ts';
import { failureOf } from '../support/failureOf.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';

describe('what waits when everything is closed', () => {
  const start = exchangesOfEachTest();

  it('is told, and nothing is left: no timer, no connection', async () => {
    const exchange = await start({ faultOf: () => ({ kind: 'stallMidBody' }) });
    const before = activeResources();
    const ledger = ampleLedger({ limits: [{ weight: 20, windowMs: 60_000 }] });
    const client = clientFor(exchange, { ledger });
    const refresher = new Refresher({
      store: new AccountStore(),
      clock: systemClock,
      read: (signal, priority) => client.at(priority).accounts(signal),
    });
    const reading = assert.rejects(refresher.refresh(), { name: 'AbortError' });
    const waiting = [1, 2].map(() => assert.rejects(client.at('bulk').orders({ page: 0 })));
    await eventually('one to be sent, two to wait', () => {
      return exchange.requests.length === 1 && ledger.standing.waiting > 0;
    });
    refresher.dispose();
    ledger.dispose();
    await Promise.all([reading, ...waiting]);
    await eventually('no connection', () => exchange.openConnections === 0);
    await eventually('nothing that is left', () => {
      assert.deepEqual(activeResources(), before);
      return true;
    });
  });
});

describe('a request that can never be sent', () => {
  const start = exchangesOfEachTest();

  it('does not hold up those behind it', async () => {
    const exchange = await start();
    const ledger = ampleLedger({ limits: [{ weight: 12, windowMs: 60_000 }] });
    const unsigned = clientFor(exchange, { ledger, credentials: {} });
    const heavy = clientFor(exchange, { ledger });
    const failures = [unsigned.accounts(), heavy.orders({ page: 0 })].map(failureOf);
    const light = heavy.feeTiers();
    for (const { kind, sent } of await Promise.all(failures))
      assert.deepEqual([kind, sent], ['configuration', 'no']);
    assert.deepEqual((await light).value, []);
    assert.equal(ledger.standing.used, 1);
    ledger.dispose();
  });
});

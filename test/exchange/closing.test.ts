import assert from 'node:assert/strict';
import { AccountStore } from '../../src/account/session/accountStore.ts';
import { Refresher } from '../../src/account/session/refresher.ts';
import { systemClock } from '../../src/base/time.ts';
import { activeResources } from '../support/activeResources.ts';
import { eventually } from '../support/eventually.ts';
import { ampleRateLimiter, clientFor } from '../support/exchangeClient.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { readHistory } from '../support/historyRequest.ts';

describe('requests when everything is closed', () => {
  const start = exchangesOfEachTest();

  it('reject, and leave no timer and no connection', async () => {
    const exchange = await start({ faultOf: () => ({ kind: 'stallMidBody' }) });
    const before = activeResources();
    const rateLimiter = ampleRateLimiter({ limits: [{ weight: 20, windowMs: 60_000 }] });
    const client = clientFor(exchange, { rateLimiter });
    const refresher = new Refresher({ store: new AccountStore(), clock: systemClock, client });
    const reading = assert.rejects(refresher.refresh(), { name: 'AbortError' });
    const waiting = [1, 2].map(() =>
      assert.rejects(readHistory(client, 'orders', {}, { priority: 'bulk' })),
    );
    await eventually('one request sent, two waiting', () => {
      return exchange.requests.length === 1 && rateLimiter.usage.waiting > 0;
    });
    refresher.dispose();
    rateLimiter.dispose();
    await Promise.all([reading, ...waiting]);
    await eventually('no connection', () => exchange.openConnections === 0);
    await eventually('no resource left', () => {
      assert.deepEqual(activeResources(), before);
      return true;
    });
  });
});

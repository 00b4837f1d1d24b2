import assert from 'node:assert/strict';
import { Histories } from '../../../src/account/histories.ts';
import type { ExchangeClient } from '../../../src/exchange/client.ts';

describe('the histories', () => {
  const never = new AbortController().signal;
  let signals: AbortSignal[];
  let histories: Histories;

  beforeEach(() => {
    signals = [];
    const client = {
      orders: (_query: unknown, signal: AbortSignal) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
    } as unknown as ExchangeClient;
    histories = new Histories(client);
  });

  const aborted = (): boolean[] => signals.map((signal) => signal.aborted);

  it('abort an older query when a newer one comes, and the last at their end', () => {
    void histories.orders({ page: 0 }, never);
    void histories.orders({ page: 1 }, never);
    assert.deepEqual(aborted(), [true, false]);
    histories.dispose();
    assert.deepEqual(aborted(), [true, true]);
  });

  it('abort a query when its asker does', () => {
    const asker = new AbortController();
    void histories.orders({ page: 0 }, asker.signal);
    asker.abort();
    assert.deepEqual(aborted(), [true]);
  });
});

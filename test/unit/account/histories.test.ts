import assert from 'node:assert/strict';
import { Histories } from '../../../src/account/histories.ts';
import type { ExchangeClient } from '../../../src/exchange/client.ts';
import { defaultDialect } from '../../../src/exchange/dialect/dialect.ts';

describe('the histories', () => {
  const never = new AbortController().signal;
  let signals: AbortSignal[];
  let histories: Histories;

  beforeEach(() => {
    signals = [];
    const read = (_query: unknown, signal: AbortSignal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    const reads = { orders: read, trades: read, lots: read, transactions: read };
    const client = { ...reads, dialect: defaultDialect, serverNow: () => 0 };
    histories = new Histories(client as unknown as ExchangeClient);
  });

  const aborted = (): boolean[] => signals.map((signal) => signal.aborted);

  const ask = {
    orders: (page: number) => histories.orders({ page }, never),
    trades: (page: number) => histories.trades({ page }, never),
    lots: (page: number) => histories.lots({ page }, never),
    transactions: (page: number) => histories.transactions({ accountType: 'SPOT', page }, never),
  };
  for (const [name, page] of Object.entries(ask)) {
    it(`abort an older query of ${name} when a newer one comes, and the last at their end`, () => {
      void page(0);
      void page(1);
      assert.deepEqual(aborted(), [true, false]);
      histories.dispose();
      assert.deepEqual(aborted(), [true, true]);
    });
  }

  it('leave a query of one history alone when another’s comes', () => {
    for (const page of Object.values(ask)) void page(0);
    assert.deepEqual(aborted(), [false, false, false, false]);
  });

  it('abort a query when its asker does', () => {
    const asker = new AbortController();
    void histories.orders({ page: 0 }, asker.signal);
    asker.abort();
    assert.deepEqual(aborted(), [true]);
  });
});

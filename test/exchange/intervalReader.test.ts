import assert from 'node:assert/strict';
import { readInterval } from '../../src/ledger/sync/ledgerPages.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { rowsOf, withUnorderedFields } from '../support/hostileExchange/rows.ts';
import { aQuery, ledgersOfEachTest } from '../support/ledgerUnderTest.ts';

const newestAt = 1_700_000_000_123;

describe('an interval that is read once more', () => {
  const exchange = exchangesOfEachTest();
  const under = ledgersOfEachTest();

  it('has each row once if pages repeat rows with their unnamed fields in another order', async () => {
    const trades = withUnorderedFields(rowsOf('trades', 30, { newestAt }));
    const reading = { firstPage: 'oneClampsZero', totals: 'missing' } as const;
    const client = clientFor(await exchange({ rows: { trades }, reading }));
    const ledger = under.open(under.ledgers.create());
    const interval = { from: newestAt - 60_000, to: newestAt + 60_000 };
    const { signal } = new AbortController();
    await readInterval({ client, writer: ledger }, 'trades', interval, signal);
    assert.equal((await ledger.rows(aQuery('trades'), 0, 100)).total, 30);
  });
});

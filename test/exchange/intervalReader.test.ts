import assert from 'node:assert/strict';
import { dayMs } from '../../src/base/time.ts';
import { practiceConventions } from '../../src/host/profiles/practiceExchange.ts';
import { readInterval } from '../../src/ledger/sync/ledgerPages.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { rowsOf, withUnorderedFields } from '../support/hostileExchange/rows.ts';
import { aQuery, ledgersOfEachTest } from '../support/ledgerUnderTest.ts';

const newestAt = 1_700_000_000_123;
const interval = { from: newestAt - 30 * dayMs, to: newestAt + 1 };

describe('an interval that is read once more', () => {
  const exchange = exchangesOfEachTest();
  const under = ledgersOfEachTest();

  for (const [what, reading] of [
    ['in pages', { maxPageSize: 25 }],
    [
      'from an exchange that refuses a page past the last one',
      { firstPage: 'zero404PastEnd', totals: 'missing' },
    ],
    ['from an exchange that answers 7 days at once', { maxRangeDays: 7 }],
    [
      'although pages repeat rows in another form',
      { firstPage: 'oneClampsZero', totals: 'missing' },
    ],
  ] as const)
    it(`has each row once, ${what}, and proves nothing`, async () => {
      const rows = rowsOf('trades', 130, { newestAt, spacingMs: dayMs / 4 });
      const server = await exchange({ rows: { trades: withUnorderedFields(rows) }, reading });
      const { maxRangeDays = null } = { maxRangeDays: undefined, ...reading };
      const dialect = { ...practiceConventions, maxRangeDays };
      const client = clientFor(server, { dialect });
      const ledger = under.open(under.ledgers.create());
      const { signal } = new AbortController();
      await readInterval({ client, writer: ledger }, 'trades', interval, signal);
      const inside = rows.filter(({ at }) => interval.from <= at && at < interval.to);
      assert.equal((await ledger.rows(aQuery('trades'), 0, 1)).total, inside.length);
      assert.deepEqual(await ledger.coverage('trades'), []);
      assert.deepEqual(await ledger.unfinishedWalks(), []);
    });
});

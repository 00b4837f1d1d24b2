import assert from 'node:assert/strict';
import { autoConventions } from '../../src/exchange/history/apiConventions.ts';
import { historySource } from '../../src/exchange/history/source.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { minuteLimit } from '../support/hostileExchange/options.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';
import { idOf } from '../support/recordIds.ts';
import { walked } from '../support/walked.ts';

const hourMs = 3_600_000;
const timezone = 'Europe/Berlin';
/** When clocks there were set back, and when they were set forward. */
const changes = [Date.UTC(2023, 9, 29, 1), Date.UTC(2024, 2, 31, 1)];

for (const change of changes)
  describe(`an exchange of local dates in the night of ${new Date(change).toISOString()}`, () => {
    const start = exchangesOfEachTest({ rateLimits: minuteLimit(1_000_000_000) });
    const rows = rowsOf('trades', 60, { newestAt: change + 5 * hourMs, spacingMs: hourMs / 6 });

    for (const dates of ['isoLocal', 'isoDate'] as const)
      for (const repeatedHour of ['first', 'second'] as const)
        for (const dateTo of ['inclusive', 'exclusive'] as const) {
          const reading = { dates: [dates], timezone, repeatedHour, dateTo };
          const dialect = { ...autoConventions, dates, dateTo };

          it(`is walked without a loss or a double: ${dates}, ${dateTo}, ${repeatedHour}`, async () => {
            const client = clientFor(await start({ reading, rows: { trades: rows } }), { dialect });
            await client.exchangeInfo();
            const history = historySource(client, { operation: 'trades', filters: {} }, 'bulk');
            const range = { from: change - 6 * hourMs, to: change + 6 * hourMs };
            const { items } = await walked(history, { range, size: 7, maxReads: 500 });
            assert.deepEqual(
              items.map(idOf).toSorted(),
              rows.map(({ id }) => String(id)).toSorted(),
            );
          });
        }
  });

import assert from 'node:assert/strict';
import { autoConventions, type ApiConventions } from '../../src/exchange/history/apiConventions.ts';
import type { Findings } from '../../src/exchange/history/learnedConventions.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { exchangesOfEachTest, type HostileExchange } from '../support/hostileExchange.ts';
import type { Reading } from '../support/hostileExchange/reading.ts';
import { rowsOf, type Row } from '../support/hostileExchange/rows.ts';

const hourMs = 3_600_000;
const newestAt = Date.UTC(2026, 10, 20, 12, 34, 56, 789);

const concluded = (findings: Findings): Record<string, unknown> =>
  Object.fromEntries(Object.entries(findings).map(([name, finding]) => [name, finding.concluded]));

describe('the probe of the conventions on the lot history', () => {
  const serve = exchangesOfEachTest();

  async function probe(
    reading: Partial<Reading>,
    rows: readonly Row[] = rowsOf('lots', 230, { newestAt, spacingMs: 7 * hourMs }),
  ): Promise<{ findings: Record<string, unknown>; exchange: HostileExchange }> {
    const exchange = await serve({ reading, rows: { lots: rows } });
    const client = clientFor(exchange, { dialect: autoConventions });
    await client.exchangeInfo();
    await client.probeConventions();
    assert.ok(exchange.weightOf('lots') <= 70, `${exchange.weightOf('lots')} weight`);
    assert.equal(client.conventions.learned.probe?.weight, exchange.weightOf('lots'));
    return { findings: concluded(client.conventions.learned.findings), exchange };
  }

  const bases: readonly [Reading['firstPage'], ApiConventions['firstPage']][] = [
    [0, 0],
    [1, 1],
    ['oneClampsZero', 1],
    ['oneLeavesZeroEmpty', 1],
    ['zero404PastEnd', 0],
  ];
  const forms = ['epochMs', 'isoInstant', 'isoLocal', 'isoDate', 'epochS'] as const;
  for (const [firstPage, base] of bases)
    for (const dates of forms)
      for (const [dateTo, otherDates] of [
        ['inclusive', 'refused'],
        ['exclusive', 'ignored'],
      ] as const)
        it(`detects pages ${firstPage}, dates ${dates}, ${dateTo}, other dates ${otherDates}`, async () => {
          const sort = dateTo === 'inclusive' ? 'newestFirst' : 'oldestFirst';
          const timezone = firstPage === 0 ? 'Europe/Berlin' : 'UTC';
          const reading = {
            firstPage,
            dates: [dates],
            dateTo,
            otherDates,
            sort,
            timezone,
          } as const;
          const { findings } = await probe(reading);
          assert.deepEqual(findings, {
            ...{ firstPage: base, dates, sort },
            'maxPageSize.lots': 'undecided',
          });
        });

  for (const largerPages of ['capped', 'refused'] as const)
    for (const firstPage of [0, 1, 'oneClampsZero'] as const)
      it(`detects a page cap, ${largerPages}, pages ${firstPage}`, async () => {
        const { findings } = await probe({ maxPageSize: 100, largerPages, firstPage });
        assert.equal(findings['maxPageSize.lots'], 100);
        assert.equal(findings.firstPage, firstPage === 0 ? 0 : 1);
        assert.equal(findings.dates, 'epochMs');
      });

  for (const sort of ['newestFirst', 'oldestFirst'] as const)
    for (const otherDates of ['refused', 'ignored'] as const)
      it(`detects local days when the first page lies within one, ${sort}, other dates ${otherDates}`, async () => {
        const rows = rowsOf('lots', 4000, { newestAt, spacingMs: 90_000 });
        const reading = { dates: ['isoDate'], sort, otherDates, maxPageSize: 300 } as const;
        assert.equal((await probe(reading, rows)).findings.dates, 'isoDate');
        const ignoring = { ...reading, ignores: ['dateFrom', 'dateTo'] };
        assert.equal((await probe(ignoring, rows)).findings.dates, 'undecided');
      });

  it('detects rows without an order', async () => {
    const { findings } = await probe({ sort: 'none' });
    assert.deepEqual([findings.sort, findings.firstPage, findings.dates], ['none', 0, 'epochMs']);
  });

  it('leaves dates undecided when an end is ignored, or both', async () => {
    for (const ignores of [['dateFrom'], ['dateTo'], ['dateFrom', 'dateTo']]) {
      const { findings } = await probe({ ignores });
      assert.equal(findings.dates, 'undecided', ignores.join());
    }
  });

  for (const count of [1, 2, 3, 4, 5])
    for (const [firstPage, base] of bases)
      it(`needs ${count} rows, pages ${firstPage}`, async () => {
        const rows = rowsOf('lots', count, { newestAt, spacingMs: 30 * hourMs });
        const { findings } = await probe({ firstPage }, rows);
        assert.equal(findings.firstPage, base);
        assert.equal(findings.dates, count > 1 ? 'epochMs' : 'undecided');
        assert.equal(findings.sort, count > 1 ? 'newestFirst' : 'undecided');
      });

  for (const [firstPage, base] of bases)
    for (const count of [2, 3, 15])
      for (const change of ['comes', 'leaves'] as const)
        it(`concludes nothing wrong for pages ${firstPage} while one of ${count} rows ${change}`, async () => {
          const rows = rowsOf('lots', count, { newestAt, spacingMs: 30 * hourMs, firstId: 10n });
          const exchange = await serve({
            reading: { firstPage },
            rows: { lots: rows },
            onRequest: ({ operation, query }) => {
              if (operation !== 'lots' || query.get('page') === '0') return;
              if (change === 'leaves') exchange.remove('lots', ({ id }) => id === rows[0]?.id);
              else if (exchange.rows('lots').length === count)
                exchange.insert(
                  'lots',
                  rowsOf('lots', 1, { newestAt: newestAt + 1, firstId: 99n }),
                );
            },
          });
          const client = clientFor(exchange, { dialect: autoConventions });
          await client.probeConventions();
          const found = client.conventions.learned.findings.firstPage?.concluded;
          assert.ok(found === base || found === 'undecided' || found === undefined, String(found));
        });

  for (const [firstPage] of bases)
    it(`concludes nothing from an empty history, pages ${firstPage}`, async () => {
      const { findings, exchange } = await probe({ firstPage }, []);
      assert.deepEqual([...new Set(Object.values(findings))], ['undecided']);
      assert.equal(exchange.seen('lots').length, 2);
    });
});

describe('a probe that fails', () => {
  const serve = exchangesOfEachTest();

  for (let nth = 1; nth <= 7; nth += 1)
    it(`stops at request ${nth}, keeps its findings, and retries nothing`, async () => {
      const rows = rowsOf('lots', 60, { newestAt, spacingMs: 7 * hourMs });
      const exchange = await serve({
        reading: { dates: ['epochS'] },
        rows: { lots: rows },
        faults: [{ on: 'lots', from: nth, times: 1, fault: { kind: 'status', status: 503 } }],
      });
      const client = clientFor(exchange, { dialect: autoConventions });
      await client.probeConventions();
      const { findings } = client.conventions.learned;
      assert.equal(exchange.seen('lots').length, nth);
      assert.equal(findings.dates?.reason, 'unreadable');
      assert.equal(findings.firstPage?.concluded, nth > 2 ? 0 : 'undecided');
    });

  for (const [sent, firstPage] of [
    [1, 'undecided'],
    [3, 0],
  ] as const)
    it(`says that the rate limit ended it at request ${sent}, and what was sent`, async () => {
      const fault = { kind: 'status', status: 429 } as const;
      const exchange = await serve({
        rows: { lots: 60 },
        faults: [{ on: 'lots', from: sent, fault }],
      });
      const client = clientFor(exchange, { dialect: autoConventions });
      await client.probeConventions();
      const { findings, probe } = client.conventions.learned;
      assert.deepEqual([probe?.weight, exchange.weightOf('lots')], [10 * sent, 10 * sent]);
      assert.equal(findings.firstPage?.concluded, firstPage);
      assert.equal(findings.dates?.reason, 'rateLimited');
    });
});

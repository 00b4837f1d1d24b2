import assert from 'node:assert/strict';
import { autoDialect, type Dialect } from '../../src/exchange/dialect/dialect.ts';
import type { Findings } from '../../src/exchange/dialect/facts.ts';
import type { HistoryName } from '../support/hostileExchange/rows.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';
import type { HostileExchangeOptions } from '../support/hostileExchange/options.ts';
import type { Reading } from '../support/hostileExchange/reading.ts';
import { exchangesOfEachTest, type HostileExchange } from '../support/hostileExchange.ts';
import { clientFor } from '../support/exchangeClient.ts';

const hourMs = 3_600_000;
const newestAt = Date.UTC(2026, 10, 20, 12, 34, 56, 789);

/** Weight that arrived for a history. */
function weightOf(exchange: HostileExchange, history: HistoryName): number {
  return exchange.seen(history).reduce((sum, { weight }) => sum + weight, 0);
}

const concluded = (findings: Findings): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(findings).map(([entry, finding]) => [entry, finding.concluded]),
  );

describe('the dialect is detected on the lot history', () => {
  const serve = exchangesOfEachTest();

  async function detect(
    reading: Partial<Reading>,
    rows: HostileExchangeOptions['rows']['lots'] = rowsOf('lots', 230, {
      newestAt,
      spacingMs: 7 * hourMs,
    }),
  ): Promise<{ findings: Record<string, unknown>; exchange: HostileExchange }> {
    const exchange = await serve({ reading, rows: rows === undefined ? {} : { lots: rows } });
    const client = clientFor(exchange, { dialect: autoDialect });
    await client.exchangeInfo();
    await client.probeDialect();
    assert.ok(weightOf(exchange, 'lots') <= 70, `${weightOf(exchange, 'lots')} weight`);
    assert.equal(client.book.facts.probe?.weight, weightOf(exchange, 'lots'));
    return { findings: concluded(client.book.facts.findings), exchange };
  }

  const bases: readonly [Reading['firstPage'], Dialect['firstPage']][] = [
    [0, 0],
    [1, 1],
    ['oneClampsZero', 1],
    ['zero404PastEnd', 0],
  ];
  const forms = ['epochMs', 'isoInstant', 'isoLocal', 'isoDate', 'epochS'] as const;
  for (const [firstPage, base] of bases)
    for (const dates of forms)
      for (const dateTo of ['inclusive', 'exclusive'] as const)
        for (const otherDates of ['refused', 'ignored'] as const)
          it(`pages ${firstPage}, dates ${dates}, ${dateTo}, other dates ${otherDates}`, async () => {
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
            const { findings } = await detect(reading);
            assert.deepEqual(findings, {
              firstPage: base,
              dates,
              dateTo: dates === 'epochS' ? 'undecided' : dateTo,
              sort,
              maxPageSize: 'undecided',
            });
          });

  for (const timezone of ['America/Los_Angeles', 'Pacific/Kiritimati', 'Asia/Kolkata'])
    for (const dates of ['isoLocal', 'isoDate'] as const)
      it(`local dates ${dates} in ${timezone}`, async () => {
        const { findings } = await detect({ dates: [dates], timezone });
        assert.equal(findings.dates, dates);
        assert.equal(findings.dateTo, 'inclusive');
      });

  for (const largerPages of ['capped', 'refused'] as const)
    for (const firstPage of [0, 1, 'oneClampsZero'] as const)
      it(`a cap of pages, ${largerPages}, pages ${firstPage}`, async () => {
        const { findings } = await detect({ maxPageSize: 100, largerPages, firstPage });
        assert.equal(findings.maxPageSize, 100);
        assert.equal(findings.firstPage, firstPage === 0 ? 0 : 1);
        assert.equal(findings.dates, 'epochMs');
      });

  for (const totals of [
    'minusOne',
    'shrinking',
    'null',
    'missing',
    'string',
    { always: 1_000_000 },
    { atMost: 5 },
  ] as const)
    it(`totals ${JSON.stringify(totals)} are not believed`, async () => {
      const { findings } = await detect({ totals });
      assert.deepEqual([findings.firstPage, findings.dates], [0, 'epochMs']);
      assert.equal(findings.maxPageSize, 'undecided');
    });

  it('a cap that no total tells is seen from the next page', async () => {
    const { findings } = await detect({ totals: 'minusOne', maxPageSize: 50 });
    assert.equal(findings.maxPageSize, 50);
  });

  it('rows without an order', async () => {
    const { findings } = await detect({ sort: 'none' });
    assert.deepEqual([findings.sort, findings.firstPage, findings.dates], ['none', 0, 'epochMs']);
  });

  it('dates that are ignored are undecided, and so is their end', async () => {
    const { findings } = await detect({ ignores: ['dateFrom', 'dateTo'] });
    assert.deepEqual([findings.dates, findings.dateTo], ['undecided', 'undecided']);
    assert.equal(findings.firstPage, 0);
  });

  it('one end that is ignored leaves dates undecided', async () => {
    for (const ignored of ['dateFrom', 'dateTo']) {
      const { findings } = await detect({ ignores: [ignored] });
      assert.equal(findings.dates, 'undecided', ignored);
    }
  });

  for (const count of [1, 2, 3, 4, 5])
    for (const [firstPage, base] of bases)
      it(`a history of ${count} rows, pages ${firstPage}`, async () => {
        const rows = rowsOf('lots', count, { newestAt, spacingMs: 30 * hourMs });
        const { findings } = await detect({ firstPage }, rows);
        assert.equal(findings.firstPage, base);
        assert.equal(findings.dates, count > 1 ? 'epochMs' : 'undecided');
        assert.equal(findings.dateTo, count > 2 ? 'inclusive' : 'undecided');
        assert.equal(findings.sort, count > 1 ? 'newestFirst' : 'undecided');
      });

  for (const [firstPage] of bases)
    it(`an empty history tells nothing, pages ${firstPage}`, async () => {
      const { findings, exchange } = await detect({ firstPage }, []);
      assert.deepEqual([...new Set(Object.values(findings))], ['undecided']);
      assert.ok(exchange.seen('lots').length <= 4);
    });
});

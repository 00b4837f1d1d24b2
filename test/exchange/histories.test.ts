import assert from 'node:assert/strict';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import type { Decoded, Page } from '../../src/exchange/records.ts';
import { serveExchange, type ServedExchange } from '../../src/practice/serve.ts';
import { clientFor } from '../support/exchangeClient.ts';

const dayMs = 86_400_000;

describe('the other histories and the reference tables', () => {
  let exchange: ServedExchange;
  let client: ExchangeClient;

  before(async () => {
    exchange = await serveExchange({ seed: 11, weightLimit: 1_000_000 });
    client = clientFor(exchange);
  });
  after(() => exchange.close());

  /** The rows of a page whose every record could be read and had no field beside the document's. */
  async function rows<Row extends { readonly extra: object }>(
    asked: Promise<Decoded<Page<Row>>>,
  ): Promise<readonly Row[]> {
    const { value, badRecords } = await asked;
    assert.deepEqual(badRecords, []);
    for (const { extra } of value.content) assert.deepEqual(extra, {});
    return value.content;
  }

  const only = (values: readonly string[], expected: string): void =>
    assert.deepEqual([...new Set(values)], [expected]);

  function within(times: readonly string[], dateFrom: number, dateTo: number): void {
    assert.ok(times.length > 0);
    for (const time of times) assert.ok(Number(time) >= dateFrom && Number(time) <= dateTo, time);
  }

  /** A stretch of time that is over, so that no new record moves the pages between two calls. */
  const dateTo = Date.now() - dayMs;
  const dateFrom = dateTo - 20 * dayMs;

  describe('GET /api/v1/trades/history', () => {
    it('filters by symbol, side and dates, and pages', async () => {
      const first = await rows(client.trades({ page: 0, dateFrom, dateTo, size: 10 }));
      const symbol = first[0]?.symbol ?? assert.fail('no trade');
      const filtered = await rows(
        client.trades({ page: 0, symbol, side: 'SELL', dateFrom, dateTo, size: 50 }),
      );
      only(
        filtered.map((trade) => trade.symbol),
        symbol,
      );
      only(
        filtered.map(({ side }) => side),
        'SELL',
      );
      within(
        filtered.map(({ time }) => time),
        dateFrom,
        dateTo,
      );
      const second = await rows(client.trades({ page: 1, dateFrom, dateTo, size: 5 }));
      assert.deepEqual(
        second.map(({ tradeId }) => tradeId),
        first.slice(5).map(({ tradeId }) => tradeId),
      );
    });

    it('knows rebates, profits and losses, makers and takers', async () => {
      const trades = await rows(client.trades({ page: 0, size: 500 }));
      assert.ok(trades.some(({ fee }) => fee.startsWith('-')));
      assert.ok(trades.some(({ rpnl }) => rpnl.startsWith('-')));
      assert.deepEqual(new Set(trades.map(({ maker }) => maker)), new Set([true, false]));
    });
  });

  describe('GET /api/v1/liquidationAuction/history', () => {
    it('filters by symbol, side and dates, pages, and needs no key', async () => {
      const open = clientFor({ url: exchange.url });
      const all = await rows(open.lots({ page: 0, size: 500 }));
      assert.ok(all.length >= 20);
      const symbol = all[0]?.symbol ?? '';
      const side = all[0]?.side ?? '';
      const filtered = await rows(open.lots({ page: 0, symbol, side, size: 500 }));
      only(
        filtered.map((lot) => lot.symbol),
        symbol,
      );
      only(
        filtered.map((lot) => lot.side),
        side,
      );
      const dated = await rows(open.lots({ page: 0, dateFrom, dateTo, size: 500 }));
      within(
        dated.map(({ updatedAt }) => updatedAt),
        dateFrom,
        dateTo,
      );
      const second = await rows(open.lots({ page: 1, dateFrom, dateTo, size: 5 }));
      assert.equal(second[0]?.lotId, dated[5]?.lotId);
    });
  });

  describe('GET /api/v1/transactions/history', () => {
    it('filters by account type, type, asset and dates, and pages with size as text', async () => {
      for (const [accountType, type] of [
        ['SPOT', 'DEPOSIT'],
        ['FUTURE', 'FUNDING_FEE'],
      ] as const) {
        const found = await rows(client.transactions({ accountType, type, page: 0, size: 50 }));
        only(
          found.map((transaction) => transaction.type),
          type,
        );
      }
      const some = { accountType: 'FUTURE', asset: 'usdt', dateFrom, dateTo } as const;
      const first = await rows(client.transactions({ ...some, page: 0, size: 10 }));
      only(
        first.map(({ asset }) => asset),
        'usdt',
      );
      within(
        first.map(({ time }) => time),
        dateFrom,
        dateTo,
      );
      const second = await rows(client.transactions({ ...some, page: 1, size: 5 }));
      assert.deepEqual(
        second.map(({ transactionId }) => transactionId),
        first.slice(5).map(({ transactionId }) => transactionId),
      );
    });

    it('gives the two records of a transfer one transactionUuid', async () => {
      const type = 'TRANSFER_TO_FUTURE';
      const uuids = async (accountType: 'SPOT' | 'FUTURE') =>
        (await rows(client.transactions({ accountType, type, page: 0, size: 5 }))).map(
          ({ transactionUuid }) => transactionUuid,
        );
      assert.deepEqual(new Set(await uuids('SPOT')), new Set(await uuids('FUTURE')));
    });
  });

  it('GET /api/v1/tradingRules/leverage lists levels 1 to 10', async () => {
    const { value, badRecords } = await client.leverage();
    assert.deepEqual(badRecords, []);
    assert.deepEqual(
      value.map(({ leverage }) => leverage),
      ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'],
    );
  });

  it('GET /api/v1/feeTiers/structure lists tiers 0 to 5, the account’s among them', async () => {
    const { value, badRecords } = await client.feeTiers();
    assert.deepEqual(badRecords, []);
    const tiers = value.map(({ tier }) => tier);
    assert.deepEqual(tiers, ['0', '1', '2', '3', '4', '5']);
    assert.ok(tiers.includes((await client.accounts()).value.feeTierStructure));
  });
});

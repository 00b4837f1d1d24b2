import Big from 'big.js';
import assert from 'node:assert/strict';
import { sum } from '../../src/base/decimal.ts';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import { historyNames, type HistoryName } from '../../src/exchange/history/historyRecords.ts';
import { serveExchange, type ServedExchange } from '../../src/practice/http/practiceServer.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { readHistory, type HistoryParameters } from '../support/historyRequest.ts';

const dayMs = 86_400_000;
const clock = new FakeClock(Date.UTC(2026, 10, 20, 12));
const dateTo = clock.now() - dayMs;
const dateFrom = dateTo - 20 * dayMs;
const period = { dateFrom, dateTo };

/** Any filters of any history. */
type Parameters = Readonly<Record<string, string | number | readonly string[] | undefined>>;
type AnyRow = Readonly<Record<string, unknown>>;

const idFields = {
  ...{ orders: 'orderId', trades: 'tradeId', lots: 'lotId', transactions: 'transactionId' },
} as const satisfies Record<HistoryName, string>;

const timeOf = (row: AnyRow): number => Number(row.updatedAt ?? row.time);

describe('the client and the practice exchange', () => {
  let exchange: ServedExchange;
  let client: ExchangeClient;

  before(async () => {
    exchange = await serveExchange({ seed: 7, clock, weightLimit: 1_000_000 });
    client = clientFor(exchange, { clock });
  });
  after(() => exchange.close());

  /** A page whose every record is readable and has no field beyond those of the API document. */
  async function pageOf(history: HistoryName, parameters: Parameters = {}, by = client) {
    const account = history === 'transactions' ? { accountType: 'FUTURE' } : {};
    const all = { ...account, ...parameters } as unknown as HistoryParameters<HistoryName>;
    const { value, badRecords } = await readHistory(by, history, all);
    assert.deepEqual(badRecords, []);
    for (const { extra } of value.content) assert.deepEqual(extra, {});
    const rows: readonly AnyRow[] = value.content;
    return { ...value, rows, ids: rows.map((row) => row[idFields[history]]) };
  }

  for (const history of historyNames) {
    it(`pages ${history}, newest first`, async () => {
      const first = await pageOf(history, { ...period, size: 10 });
      assert.equal(first.rows.length, 10);
      const times = first.rows.map(timeOf);
      assert.deepEqual(
        times,
        times.toSorted((a, b) => b - a),
      );
      const second = await pageOf(history, { ...period, page: 1, size: 5 });
      assert.deepEqual(second.ids, first.ids.slice(5));
      assert.equal(second.totalElements, first.totalElements);
    });

    for (const dates of ['epochMs', 'isoInstant'] as const)
      it(`filters ${history} by dateFrom and dateTo, written as ${dates}`, async () => {
        const by = clientFor(exchange, { clock, dialect: { dates } });
        const from = history === 'lots' ? dateFrom : dateTo - dayMs;
        const inside = await pageOf(history, { dateFrom: from, dateTo, size: 500 }, by);
        assert.ok(inside.rows.length > 0);
        for (const row of inside.rows)
          assert.ok(timeOf(row) >= from && timeOf(row) <= dateTo, String(timeOf(row)));
        assert.equal(inside.totalElements, String(inside.rows.length));
        for (const open of [{ dateTo }, { dateFrom: from }]) {
          const { totalElements } = await pageOf(history, open, by);
          assert.ok(Number(totalElements) > inside.rows.length);
        }
      });
  }

  const filters: readonly [HistoryName, Parameters][] = [
    ...(['orders', 'trades', 'lots'] as const).flatMap((history) =>
      ['BUY', 'SELL'].map((side): [HistoryName, Parameters] => [
        history,
        { symbol: 'btc_usdt', side },
      ]),
    ),
    ['orders', { type: 'LIMIT' }],
    ['orders', { type: 'MARKET' }],
    ['transactions', { accountType: 'SPOT', type: 'DEPOSIT' }],
    ['transactions', { accountType: 'FUTURE', type: 'FUNDING_FEE' }],
    ['transactions', { accountType: 'FUTURE', asset: 'usdt' }],
  ];
  for (const [history, { accountType, ...fields }] of filters)
    it(`filters ${history} by ${JSON.stringify(fields)}`, async () => {
      const account = accountType === undefined ? {} : { accountType };
      const found = await pageOf(history, { ...account, ...fields, size: 100 });
      for (const [field, value] of Object.entries(fields))
        assert.deepEqual([...new Set(found.rows.map((row) => row[field]))], [value]);
      const { totalElements } = await pageOf(history, account);
      assert.ok(Number(found.totalElements) < Number(totalElements));
    });

  it('finds no order of an unknown symbol', async () => {
    assert.deepEqual((await pageOf('orders', { symbol: 'none_usdt' })).rows, []);
  });

  for (const lists of ['repeat', 'comma'] as const)
    it(`filters orders by one and by several statuses, written by ${lists}`, async () => {
      const by = clientFor(exchange, { clock, dialect: { lists } });
      for (const statuses of [['LIQUIDATED'], ['EXECUTED'], ['CANCELED', 'PARTIALLY_EXECUTED']]) {
        const { rows } = await pageOf('orders', { statuses, size: 500 }, by);
        assert.deepEqual([...new Set(rows.map(({ status }) => status))].sort(), statuses.sort());
      }
    });

  it('returns at least 2,000 orders, whose ids beyond 2^53 differ', async () => {
    const page = await pageOf('orders');
    assert.deepEqual([page.rows.length, page.size], [20, '20']);
    assert.ok(Number(page.totalElements) >= 2000);
    assert.equal(Number(page.totalPages), Math.ceil(Number(page.totalElements) / 20));
    const { ids } = await pageOf('orders', { size: 100 });
    for (const id of ids)
      assert.ok(BigInt(String(id)) > 2n ** 53n && !Number.isSafeInteger(Number(id)));
    assert.equal(new Set(ids).size, ids.length);
  });

  it('returns trades with rebates, losses, makers and takers', async () => {
    const { rows } = await pageOf('trades', { size: 500 });
    for (const field of ['fee', 'rpnl'])
      assert.ok(rows.some((row) => String(row[field]).startsWith('-')));
    assert.deepEqual(new Set(rows.map(({ maker }) => maker)), new Set([true, false]));
  });

  it('returns lots without a key', async () => {
    const { rows } = await pageOf('lots', {}, clientFor({ url: exchange.url }, { clock }));
    assert.equal(rows.length, 20);
  });

  it('returns the two records of a transfer with one transactionUuid', async () => {
    const uuids = async (accountType: string) => {
      const query = { accountType, type: 'TRANSFER_TO_FUTURE', size: 5 };
      return new Set((await pageOf('transactions', query)).rows.map((row) => row.transactionUuid));
    };
    assert.deepEqual(await uuids('SPOT'), await uuids('FUTURE'));
  });

  it('returns an account whose sums agree', async () => {
    const { value: account, badRecords } = await client.accounts();
    assert.deepEqual(badRecords, []);
    assert.ok(account.positions.length >= 3);
    assert.ok(account.orders.length >= 1);
    const upls = account.positions.map(({ upl }) => upl);
    assert.ok(new Big(sum(upls)).eq(account.upl), `${sum(upls)} and ${account.upl}`);
    assert.ok(account.assets.some(({ isMargin }) => isMargin));
    assert.deepEqual(account.extra, {});
  });

  it('returns symbols and the limit without a key', async () => {
    const { value: information } = await clientFor({ url: exchange.url }, { clock }).exchangeInfo();
    assert.equal(information.rateLimits[0]?.limit, '1000000');
    assert.equal(information.rateLimits[0].rateLimitType, 'HARD_LIMIT');
    assert.equal(information.timezone, 'UTC');
    const symbols = information.symbols.map(({ symbol }) => symbol);
    for (const { symbol } of (await pageOf('orders', { size: 100 })).rows)
      assert.ok(symbols.includes(String(symbol)), String(symbol));
  });

  it('returns leverage levels 1 to 10, and fee tiers 0 to 5 with that of the account', async () => {
    const [leverage, feeTiers] = [await client.leverage(), await client.feeTiers()];
    assert.deepEqual([...leverage.badRecords, ...feeTiers.badRecords], []);
    const levels = leverage.value.map((rule) => rule.leverage);
    assert.deepEqual(levels, ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
    const tiers = feeTiers.value.map(({ tier }) => tier);
    assert.deepEqual(tiers, ['0', '1', '2', '3', '4', '5']);
    assert.ok(tiers.includes((await client.accounts()).value.feeTierStructure));
  });

  it('cancels every open order, which is then in the history and locks nothing', async () => {
    const before = (await client.accounts()).value.orders;
    const { value: canceled, badRecords } = await client.cancelAll();
    assert.deepEqual(badRecords, []);
    assert.ok(canceled.length > 0);
    assert.ok(canceled.every(({ status }) => status === 'CANCELED'));
    assert.deepEqual(
      [...new Set(canceled.map(({ symbol }) => symbol))].sort(),
      before.map(({ symbol }) => symbol).sort(),
    );
    assert.deepEqual((await client.accounts()).value.orders, []);
    const { rows } = await pageOf('orders', { statuses: ['CANCELED'], size: 100 });
    for (const { orderId, updatedAt } of canceled)
      assert.equal(rows.find((order) => order.orderId === orderId)?.time, updatedAt);
    assert.deepEqual((await client.cancelAll()).value, []);
  });
});

import assert from 'node:assert/strict';
import { asDate, inSeconds } from '../../support/hostileExchange/limit.ts';
import { minuteLimit } from '../../support/hostileExchange/options.ts';
import { rowsOf } from '../../support/hostileExchange/rows.ts';
import { eventually } from '../../support/eventually.ts';
import { exchangesOfEachTest, type HostileExchange } from '../../support/hostileExchange.ts';

const lots = '/api/v1/liquidationAuction/history';
const orders = '/api/v1/orders/history';

async function ask({ url }: HostileExchange, target: string, init: RequestInit = {}) {
  const response = await fetch(`${url}${target}`, { redirect: 'manual', ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('the hostile exchange', () => {
  const start = exchangesOfEachTest();
  it('serves the nine operations, and nothing else', async () => {
    const exchange = await start({ rows: { orders: 1, trades: 1, lots: 1, transactions: 1 } });
    const histories = [`${orders}?page=0`, '/api/v1/trades/history', lots];
    for (const path of [...histories, '/api/v1/transactions/history?accountType=SPOT'])
      assert.match((await ask(exchange, path)).text, /"totalElements":1/);
    const reference = ['system/exchangeInfo', 'tradingRules/leverage', 'feeTiers/structure'];
    for (const path of ['accounts', ...reference])
      JSON.parse((await ask(exchange, `/api/v1/${path}`)).text);
    await ask(exchange, '/api/v1/orders/all', { method: 'DELETE' });
    assert.equal((await ask(exchange, '/api/v1/orders/all')).status, 404);
    assert.equal((await ask(exchange, '/api/v1/transactions/history')).status, 400);
    const weights = exchange.requests.map(({ weight }) => weight);
    assert.deepEqual(weights, [10, 10, 10, 10, 5, 1, 1, 1, 5, 10]);
  });

  it('writes numbers digit for digit', async () => {
    const json = { amount: '1E-7', discount: '-0', totalBids: '"3"', marginCallPrice: '1.10' };
    const rows = rowsOf('lots', 1, { firstId: 9007199254740993n, fields: () => json });
    const { text } = await ask(await start({ rows: { lots: rows } }), lots);
    assert.match(text, /"lotId":9007199254740993,/);
    for (const [name, value] of Object.entries(json))
      assert.ok(text.includes(`"${name}":${value}`));
  });

  it('cancels open orders on DELETE, even if the answer is lost', async () => {
    const exchange = await start({
      openOrders: rowsOf('orders', 2),
      faults: [
        { on: 'cancelAll', times: 1, beforeActing: true, fault: { kind: 'status', status: 500 } },
        { on: 'cancelAll', from: 2, times: 1, fault: { kind: 'resetBeforeHeaders' } },
      ],
    });
    const cancel = () => ask(exchange, '/api/v1/orders/all', { method: 'DELETE' });
    assert.equal((await cancel()).status, 500);
    assert.equal(exchange.openOrders.length, 2);
    await assert.rejects(cancel());
    assert.equal(exchange.openOrders.length, 0);
    exchange.place(...(rowsOf('orders', 1) as [never]));
    assert.match((await ask(exchange, '/api/v1/accounts')).text, /"lockedBid":100/);
    assert.match(
      (await cancel()).text,
      /^\[\{"orderId":1,.*"status":"CANCELED","updatedAt":\d{13}\}\]$/,
    );
  });

  it('enforces a limit', async () => {
    const refusedOf = async (retryAfter?: typeof inSeconds) => {
      const limit = { weight: 20, windowMs: 60_000, ...(retryAfter && { retryAfter }) };
      const exchange = await start({ limit });
      for (const status of [200, 200]) assert.equal((await ask(exchange, lots)).status, status);
      const { status, headers } = await ask(exchange, lots);
      assert.equal(status, 429);
      return headers.get('retry-after');
    };
    assert.equal(await refusedOf(), null);
    assert.equal(await refusedOf(inSeconds), '60');
    assert.match((await refusedOf(asDate)) ?? '', / GMT$/);
  });

  it('returns limits and the time of its own clock', async () => {
    const exchange = await start({ aheadMs: 90_000, rateLimits: minuteLimit(7) });
    const { text, headers } = await ask(exchange, '/api/v1/system/exchangeInfo');
    assert.match(text, /"limit":7/);
    assert.ok(Date.parse(headers.get('date') ?? '') > Date.now() + 80_000);
  });

  it('delays requests and answers, and counts open connections', async () => {
    const exchange = await start({ uplinkMs: () => 30, downlinkMs: () => 30 });
    const before = performance.now();
    const { headers } = await ask(exchange, lots, { headers: { connection: 'close' } });
    assert.ok(performance.now() - before >= 55);
    assert.equal(headers.get('content-type'), 'application/json');
    await eventually('no connection', () => exchange.openConnections === 0);
    const [arrival] = exchange.arrivals;
    assert.ok(arrival && arrival.at - before >= 25);
  });
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { defaultHmacQuery } from '../../src/exchange/auth/scheme.ts';
import { ExchangeClient } from '../../src/exchange/client.ts';
import {
  defaultConventions,
  type ApiConventions,
} from '../../src/exchange/history/apiConventions.ts';
import { ExchangeConventions } from '../../src/exchange/history/exchangeConventions.ts';
import { ExchangeError } from '../../src/exchange/exchangeError.ts';
import { records, type RecordName } from '../../src/api/fields.ts';
import { operations } from '../../src/api/operations.ts';
import type { Decoded, Page } from '../../src/exchange/records.ts';
import { serveExchange, type ServedExchange } from '../../src/practice/http/practiceServer.ts';
import { routes } from '../../src/practice/http/routes.ts';
import { SimulatedExchange } from '../../src/practice/simulatedExchange.ts';
import { contractProxy, type ContractProxy } from '../support/contractProxy.ts';
import { cancelAllOf, ampleRateLimiter } from '../support/exchangeClient.ts';
import { readHistory } from '../support/historyRequest.ts';
import { practiceClock, practiceStart } from '../support/practiceTime.ts';

type Key = Pick<ServedExchange, 'apiKey' | 'apiSecret'>;
const contractFile = new URL('../../media/openapi.yaml', import.meta.url);

/** The query, without the moments that differ from run to run. */
function titleOf(query: object): string {
  return JSON.stringify(query, (name, value: unknown) =>
    name.startsWith('date') ? 'a time' : value,
  );
}

function clientThrough(proxy: ContractProxy, key: Key, dialect: Partial<ApiConventions> = {}) {
  return new ExchangeClient({
    baseUrl: proxy.url,
    auth: defaultHmacQuery,
    credentials: { apiKey: key.apiKey, apiSecret: key.apiSecret },
    fetch: proxy.fetch,
    clock: practiceClock(),
    rateLimiter: ampleRateLimiter(),
    conventions: new ExchangeConventions({ ...defaultConventions, ...dialect }),
  });
}

describe('the contract between the client and the practice exchange', () => {
  let exchange: ServedExchange;
  let proxy: ContractProxy;
  let client: ExchangeClient;

  before(async function () {
    exchange = await serveExchange({ seed: 7, weightLimit: 2000, clock: practiceClock() });
    proxy = await contractProxy(exchange.url);
    client = clientThrough(proxy, exchange);
  });
  after(async () => {
    await proxy.close();
    await exchange.close();
  });
  afterEach(() => assert.deepEqual(proxy.violations, []));

  /** An answer that the client could read to the last record. */
  async function read<Value>(answer: Promise<Decoded<Value>>): Promise<Value> {
    const { value, badRecords } = await answer;
    assert.deepEqual(badRecords, []);
    return value;
  }

  /** The same for a page that is not empty and has no field beyond the contract. */
  async function readRows(
    answer: Promise<Decoded<Pick<Page<{ extra: object }>, 'content'>>>,
  ): Promise<void> {
    const { content } = await read(answer);
    assert.ok(content.length > 0);
    for (const { extra } of content) assert.deepEqual(extra, {});
  }

  async function refused(answer: Promise<unknown>, status: number): Promise<void> {
    await assert.rejects(answer, (error) => {
      assert.ok(error instanceof ExchangeError, String(error));
      assert.equal(error.failure.status, status);
      return true;
    });
  }

  const dateTo = Date.parse(practiceStart);
  const dateFrom = dateTo - 30 * 86_400_000;

  const ofSide = [{ side: 'BUY' }, { side: 'SELL' }];
  const queries = {
    orders: [
      ...[{}, { symbol: 'eth_usdt' }, ...ofSide, { type: 'LIMIT' }, { type: 'MARKET' }],
      { statuses: ['LIQUIDATED'] },
      { statuses: ['PARTIALLY_EXECUTED', 'EXECUTED', 'CANCELED', 'LIQUIDATED'] },
      ...[
        { page: 3, size: 500 },
        { dateFrom, dateTo },
      ],
    ],
    trades: [{}, { symbol: 'btc_usdt' }, ...ofSide, { page: 1, size: 100 }, { dateFrom, dateTo }],
    lots: [{}, { symbol: 'btc_usdt' }, ...ofSide, { page: 1, size: 100 }, { dateFrom, dateTo }],
  };
  for (const history of ['orders', 'trades', 'lots'] as const)
    for (const query of queries[history])
      it(`is kept by ${history} with ${titleOf(query)}`, () =>
        readRows(readHistory<'orders' | 'trades' | 'lots'>(client, history, query)));

  it('is kept with a list that is separated by commas', () =>
    readRows(
      readHistory(clientThrough(proxy, exchange, { lists: 'comma' }), 'orders', {
        statuses: ['LIQUIDATED', 'CANCELED'],
      }),
    ));

  describe('GET /api/v1/transactions/history', () => {
    const ofFuture = ['FEE', 'FUNDING_FEE', 'REALIZED_PL', 'LIQUIDATION_FEE'];
    const ofSpot = ['DEPOSIT', 'WITHDRAW'];
    const ofBoth = ['TRANSFER_TO_SPOT', 'TRANSFER_TO_FUTURE', 'REWARD'];
    for (const [accountType, types] of [
      ['FUTURE', [...ofFuture, ...ofBoth]],
      ['SPOT', [...ofSpot, ...ofBoth]],
    ] as const) {
      for (const query of [
        {},
        ...types.map((type) => ({ type })),
        { asset: 'eth' },
        { page: 1, size: 50 },
        { dateFrom, dateTo },
      ]) {
        it(`is kept for ${accountType} with ${titleOf(query)}`, () =>
          readRows(readHistory(client, 'transactions', { accountType, ...query })));
      }
    }
  });

  for (const dates of ['epochMs', 'isoInstant', 'isoDate'] as const) {
    it(`is kept by every history with dates as ${dates}`, async () => {
      const asking = clientThrough(proxy, exchange, { dates });
      const query = { page: 0, dateFrom, dateTo };
      await readRows(readHistory(asking, 'orders', query));
      await readRows(readHistory(asking, 'trades', query));
      await readRows(readHistory(asking, 'lots', query));
      await readRows(readHistory(asking, 'transactions', { accountType: 'FUTURE', ...query }));
    });
  }

  it('is kept by a page that is empty', async () => {
    const nothing = { page: 0, symbol: 'none_usdt' };
    for (const answer of [
      readHistory(client, 'orders', nothing),
      readHistory(client, 'trades', nothing),
      readHistory(client, 'lots', nothing),
    ]) {
      assert.equal((await read<{ totalElements: string | null }>(answer)).totalElements, '0');
    }
  });

  it('is kept by the account, before and after every order is cancelled', async () => {
    const { positions, orders, assets } = await read(client.accounts());
    for (const list of [positions, orders, assets]) assert.ok(list && list.length > 0);
    assert.ok((await read(cancelAllOf(client))).length > 0);
    assert.deepEqual(await read(cancelAllOf(client)), []);
    assert.deepEqual((await read(client.accounts())).orders, []);
  });

  it('is kept by the reference data', async () => {
    const { symbols } = await read(client.exchangeInfo());
    assert.ok(symbols.length > 0);
    assert.equal(client.symbols, symbols);
    assert.equal((await read(client.list('leverage'))).length, 10);
    assert.equal((await read(client.list('feeTiers'))).length, 6);
  });

  it('lists the operations of the client and of the practice exchange, what they cost and which are signed', () => {
    const described = readFileSync(contractFile, 'utf8')
      .split(/^components:/m)[0]
      ?.split(/^ {2}(?=\/api)/m)
      .slice(1)
      .map((block) => ({
        method: /^ {4}(\w+):$/m.exec(block)?.[1]?.toUpperCase(),
        path: block.slice(0, block.indexOf(':')),
        weight: Number(/x-weight: (\d+)/.exec(block)?.[1]),
        signed: /security: \[[^\]]+\]/.test(block),
        parameters: [...block.matchAll(/(?:- name: |components\/parameters\/)(\w+)/g)]
          .map(([, name]) => name)
          .toSorted(),
      }));
    const known = Object.values(operations).map(({ method, path, weight, signed, parameters }) => ({
      ...{ method, path, weight, signed },
      parameters: Object.keys(parameters).toSorted(),
    }));
    assert.deepEqual(described, known);
    const served = routes.map(({ method, path, weight, isProtected }) => ({
      ...{ method, path, weight, signed: isProtected },
    }));
    assert.deepEqual(
      served,
      known.map(({ parameters: _names, ...one }) => one),
    );
  });

  it('has in the practice exchange the parameters and fields of the client', () => {
    const simulated = new SimulatedExchange({ seed: 7, clock: practiceClock(), weightLimit: 1000 });
    for (const { method, path, parameters } of Object.values(operations))
      for (const name of Object.keys(parameters)) {
        const route = routes.find((one) => one.path === path && one.method === method);
        try {
          route?.handle(simulated, new URLSearchParams({ [name]: '' }));
        } catch (refusal) {
          assert.doesNotMatch(String(refusal), /is unknown/);
        }
      }
    const account = simulated.account();
    const { positions, assets, orders } = account;
    const answered: Partial<Record<RecordName, object | undefined>> = {
      account,
      position: positions[0],
      assetBalance: assets[0],
      lockedOrders: orders[0],
      order: simulated.orders({}, 0, 1).content[0],
      trade: simulated.trades({}, 0, 1).content[0],
      lot: simulated.lots({}, 0, 1).content[0],
      transaction: simulated.transactions({ accountType: 'FUTURE' }, 0, 1).content[0],
    };
    for (const [name, record] of Object.entries(answered)) {
      const fields = Object.keys(records[name as RecordName].fields);
      assert.deepEqual(Object.keys(record ?? {}).toSorted(), fields.toSorted(), name);
    }
  });

  describe('what is refused', () => {
    it('has the error format for an invalid parameter and key', async () => {
      await refused(readHistory(client, 'lots', { dateFrom: -1 }), 400);
      const stranger = { apiKey: 'nobody', apiSecret: 'nothing' };
      await refused(readHistory(clientThrough(proxy, stranger), 'trades'), 401);
    });

    // Uses up the weight of this minute, so nothing that is to be served may come after it.
    it('has the error format for too much weight', async () => {
      const direct = `${exchange.url}${operations.lots.path}?size=1`;
      for (let sent = 0; sent < 200 && (await fetch(direct)).ok; sent++);
      await refused(readHistory(client, 'lots'), 429);
    });
  });
});

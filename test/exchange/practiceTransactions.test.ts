import assert from 'node:assert/strict';
import { sum } from '../../src/base/decimal.ts';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import type { AccountType, Transaction } from '../../src/exchange/records.ts';
import { serveExchange, type ServedExchange } from '../../src/practice/http/practiceServer.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { readHistory } from '../support/historyRequest.ts';

describe('transactions of the practice exchange over HTTP', () => {
  // On Monday 00:00 UTC the account starts again.
  const mondayMidnight = Date.UTC(2026, 10, 16);
  const clock = new FakeClock(mondayMidnight - 1);
  let exchange: ServedExchange;
  let client: ExchangeClient;

  before(async () => {
    exchange = await serveExchange({ seed: 11, clock, weightLimit: 1_000_000 });
    client = clientFor(exchange, { clock });
  });
  after(() => exchange.close());

  async function allOf(accountType: AccountType): Promise<readonly Transaction[]> {
    const pageAt = async (page: number) =>
      (await readHistory(client, 'transactions', { accountType, page, size: 500 })).value;
    const first = await pageAt(0);
    const rest: Transaction[] = [];
    for (let page = 1; page < Number(first.totalPages); page++)
      rest.push(...(await pageAt(page)).content);
    return [...first.content, ...rest];
  }

  for (const [when, laterMs] of [
    ['just before a week ends', 0],
    ['when the next week starts', 1],
    ['days later', 4.5 * 86_400_000],
  ] as const) {
    it(`add up exactly to the deposited amount ${when}`, async () => {
      await clock.advance(laterMs);
      const transactions = await allOf('FUTURE');
      assert.ok(transactions.length > 3000);
      const { assets } = (await client.accounts()).value;
      for (const { name, deposited } of assets) {
        const own = transactions.filter(({ asset }) => asset === name);
        assert.equal(sum(own.map(({ amount }) => amount)), deposited, name);
      }
      assert.deepEqual(
        [...new Set(transactions.map(({ asset }) => asset))].sort(),
        assets.map(({ name }) => name).sort(),
      );
    });
  }

  it('never make the SPOT balance negative', async () => {
    const transactions = await allOf('SPOT');
    for (const { asset } of transactions) {
      const own = transactions.filter((one) => one.asset === asset);
      assert.ok(!sum(own.map(({ amount }) => amount)).startsWith('-'), asset);
    }
  });

  it('match: trades add up to the filled amount of their order', async () => {
    const orders = (await readHistory(client, 'orders', { size: 100 })).value.content;
    const trades = (await readHistory(client, 'trades', { size: 500 })).value.content;
    const whole = orders.filter(({ time }) => Number(time) > Number(trades.at(-1)?.time));
    assert.ok(whole.length > 50);
    for (const { orderId, filled } of whole) {
      const own = trades.filter((trade) => trade.orderId === orderId);
      assert.equal(Number(sum(own.map(({ amount }) => amount))), Number(filled));
    }
  });
});

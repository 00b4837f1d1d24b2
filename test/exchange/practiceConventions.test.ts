import assert from 'node:assert/strict';
import { autoConventions } from '../../src/exchange/history/apiConventions.ts';
import { practiceConventions } from '../../src/host/profiles/practiceExchange.ts';
import { serveExchange, type ServedExchange } from '../../src/practice/http/practiceServer.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { readHistory } from '../support/historyRequest.ts';
import { practiceClock } from '../support/practiceTime.ts';

/** They are set and not detected: these tests compare them with the answers of the practice exchange. */
describe('the API conventions of the practice exchange', () => {
  let exchange: ServedExchange;

  before(async () => {
    exchange = await serveExchange({ seed: 1, clock: practiceClock() });
  });
  after(() => exchange.close());

  it('are those that a detection finds', async () => {
    const client = clientFor(exchange, { dialect: autoConventions });
    await client.exchangeInfo();
    await client.probeConventions();
    const { findings } = client.conventions.learned;
    for (const name of ['firstPage', 'dates', 'sort'] as const)
      assert.equal(findings[name]?.concluded, practiceConventions[name], name);
  });

  it('have a page of at most so many rows, and read a list of statuses', async () => {
    const client = clientFor(exchange, { dialect: { ...practiceConventions, maxPageSize: null } });
    const statuses = ['EXECUTED', 'CANCELED'];
    const { value, ignoredFilters } = await readHistory(client, 'orders', { statuses, size: 1000 });
    assert.equal(value.content.length, practiceConventions.maxPageSize);
    const found = new Set(value.content.map(({ status }) => status));
    assert.deepEqual([found, ignoredFilters], [new Set(statuses), []]);
  });

  it('count the last day of a period as part of it', async () => {
    const dayMs = 24 * 60 * 60 * 1000;
    const dateTo = Math.floor(practiceClock().now() / dayMs) * dayMs;
    const idsIn = async (dates: 'epochMs' | 'isoDate') => {
      const client = clientFor(exchange, { dialect: { ...practiceConventions, dates } });
      await client.exchangeInfo();
      const day = { dateFrom: dateTo - dayMs, dateTo, size: 500 };
      const { value } = await readHistory(client, 'orders', day);
      return value.content.map(({ orderId }) => orderId);
    };
    const ids = await idsIn('epochMs');
    assert.ok(ids.length > 0);
    assert.deepEqual(await idsIn('isoDate'), ids);
  });

  it('have no longest period', async () => {
    const client = clientFor(exchange, { dialect: practiceConventions });
    const { value } = await readHistory(client, 'orders', { dateFrom: 0 });
    assert.ok(value.content.length > 0);
  });
});

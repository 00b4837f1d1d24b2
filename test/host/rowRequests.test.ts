import assert from 'node:assert/strict';
import type { RelatedRecords, RowDetails } from '../../src/protocol/table.ts';
import { activatedExtension, openAt } from '../support/extensionUnderTest.ts';
import { serversOfEachTest } from '../support/hostileServer.ts';
import { tablePanelsUnderTest } from '../support/tablePanelsUnderTest.ts';

const order = `{"symbol":"btc_usdt","amount":2.50,"side":"BUY","orderId":9007199254740993,
  "price":50000,"clientOrderId":"a","averageExecutionPrice":null,"filled":1.50,"time":1763632800123,
  "type":"LIMIT","status":"EXECUTED","reserve":12.75,"venue":"main"}`;
const trade = (tradeId: number, orderId: string, amount: string) =>
  `{"tradeId":${tradeId},"orderId":${orderId},"symbol":"btc_usdt","amount":${amount},"price":50000,
  "side":"BUY","maker":true,"fee":0.1,"rpnl":0,"feeAsset":"usdt","type":"ORDER_BOOK","time":1763632800123}`;
const trades = [
  trade(1, '9007199254740993', '0.5'),
  trade(2, '9007199254740992', '7'),
  trade(3, '9007199254740993', '1'),
].join();
const pageWire = (records: string, count: number) =>
  `{"content":[${records}],"size":20,"totalPages":1,"totalElements":${count}}`;

describe('the requests about a row', () => {
  const serve = serversOfEachTest();
  const access = activatedExtension();
  const tables = tablePanelsUnderTest(access);
  const { created, copied } = tables;

  /** The panel of one order, and the paths of the histories that were asked for. */
  async function showOrder(tradesAround = trades) {
    const server = await serve(({ url = '' }, response) => {
      if (url.includes('/orders/history')) response.end(pageWire(order, 1));
      else if (url.includes('/trades/history')) response.end(pageWire(tradesAround, 3));
      else response.writeHead(404).end();
    });
    await openAt(access, server.url);
    tables.panels.show('orders');
    const panel = created[0] ?? assert.fail('no panel');
    const { page } = await panel.firstRows();
    const histories = () => server.requests.filter(({ path }) => path.includes('/history')).length;
    return { panel, pageId: page.id, histories };
  }

  const cellOf = ({ fields }: Pick<RowDetails, 'fields'>, name: string) =>
    fields.find(({ field }) => field === name)?.cell;

  it('show every field without a request, and its trades with one', async () => {
    const { panel, pageId, histories } = await showOrder();
    const before = histories();
    const { body } = await panel.ask('table/details', { pageId, row: 0 });
    const details = body as RowDetails;
    assert.equal(cellOf(details, 'amount'), '2.50');
    assert.deepEqual(details.extra, [
      { name: 'reserve', text: '12.75' },
      { name: 'venue', text: 'main' },
    ]);
    assert.equal(details.more?.label, 'Find Its Trades (1 request)');
    assert.equal(histories(), before);
    const request = { pageId, row: 0 };
    const found = (await panel.ask('table/related', request)).body as RelatedRecords;
    assert.equal(histories(), before + 1);
    assert.deepEqual(
      found.records.map((record) => cellOf(record, 'tradeId')),
      ['1', '3'],
    );
    assert.match(found.sentence, /^All trades of this order: they add up to the filled amount\./);
  });

  it('are refused once the rows have changed', async () => {
    const { panel, pageId, histories } = await showOrder();
    await panel.ask('table/page', { filters: {}, page: 0, size: 20 });
    const before = histories();
    const row = { pageId, row: 0 };
    for (const [name, body] of [
      ['table/details', row],
      ['table/related', row],
      ['table/openTrades', row],
      ['table/openPosition', row],
      ['grid/copyField', { ...row, field: 'price', isExtra: false, as: 'text' }],
    ] as const)
      assert.equal((await panel.ask(name, body)).kind, 'error', name);
    assert.deepEqual([copied, histories(), created.length], [[], before, 1]);
  });

  it('open the trades around an order in their own panel', async () => {
    const { panel, pageId } = await showOrder();
    await panel.ask('table/openTrades', { pageId, row: 0 });
    const { table, initialFilters } = await (created[1] ?? assert.fail('no panel')).describe();
    assert.equal(table, 'trades');
    assert.deepEqual(initialFilters, {
      symbol: 'btc_usdt',
      side: 'BUY',
      dateFrom: '2025-11-19T10:00:00.123Z',
      dateTo: '2025-11-21T10:00:00.123Z',
    });
  });
});

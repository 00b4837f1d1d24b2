import assert from 'node:assert/strict';
import path from 'node:path';
import type { Trade, Transaction } from '../../../../src/exchange/records.ts';
import {
  isRelated,
  relatedInLedger,
  relatedSearch,
} from '../../../../src/host/tables/relatedRecords.ts';
import { historyTables } from '../../../../src/host/tables/histories.ts';
import type { HistoryTable } from '../../../../src/host/tables/definition.ts';
import { LedgerError } from '../../../../src/ledger/ledgerError.ts';
import { anOrder, aTrade, aTransaction } from '../../../support/builders.ts';
import { ledgerOf } from '../../../support/ledgerUnderTest.ts';
import { LedgerOfPanel } from '../../../support/panelLedger.ts';
import { folderOfEachTest } from '../../../support/project.ts';

const aTradeOfOrder = (fields: Partial<Trade> = {}): Trade =>
  aTrade({ orderId: anOrder().orderId, ...fields });

const aTransfer = (fields: Partial<Transaction> = {}): Transaction =>
  aTransaction({ transactionUuid: 'uuid', type: 'TRANSFER_TO_SPOT', ...fields });

const labelOf = (table: HistoryTable, record: object) =>
  relatedSearch(table, { record, filters: {} })?.label;
const searchOf = (...[table, read]: Parameters<typeof relatedSearch>) =>
  relatedSearch(table, read) ?? assert.fail();
const aroundTheRow = {
  dateFrom: '2025-11-19T10:00:00.123Z',
  dateTo: '2025-11-21T10:00:00.123Z',
};

describe('what belongs to a row', () => {
  it('are trades, an order or the other side of a transfer', () => {
    assert.equal(labelOf(historyTables().orders, anOrder()), 'Find Its Trades');
    assert.equal(labelOf(historyTables().trades, aTradeOfOrder()), 'Find Its Order');
    assert.equal(labelOf(historyTables().transactions, aTransfer()), 'Find the Other Side');
  });

  it('is nothing for lots, for a transfer without a UUID and for other transactions', () => {
    assert.equal(labelOf(historyTables().lots, {}), undefined);
    assert.equal(
      labelOf(historyTables().transactions, aTransfer({ transactionUuid: null })),
      undefined,
    );
    assert.equal(labelOf(historyTables().transactions, aTransfer({ type: 'FEE' })), undefined);
  });

  it('is read with the filters that the API has, within a day of the row', () => {
    const order = searchOf(historyTables().orders, {
      record: anOrder(),
      filters: { type: 'LIMIT' },
    });
    assert.equal(order.table.operation, 'trades');
    assert.deepEqual(order.filters, { symbol: 'btc_usdt', side: 'BUY', ...aroundTheRow });
    const trade = searchOf(historyTables().trades, { record: aTradeOfOrder(), filters: {} });
    assert.equal(trade.table.operation, 'orders');
    assert.deepEqual(trade.filters, { symbol: 'btc_usdt', side: 'BUY', ...aroundTheRow });
    assert.ok(
      isRelated(anOrder(), trade) && !isRelated(anOrder({ orderId: '9007199254740992' }), trade),
    );
  });

  it('is the other account’s transaction of a transfer', () => {
    for (const [shown, other] of [
      ['FUTURE', 'SPOT'],
      ['SPOT', 'FUTURE'],
    ] as const) {
      const filters = { accountType: shown };
      const search = searchOf(historyTables().transactions, { record: aTransfer(), filters });
      assert.deepEqual(search.filters, { accountType: other, asset: 'usdt', ...aroundTheRow });
      assert.ok(isRelated(aTransfer({ type: 'TRANSFER_TO_FUTURE' }), search));
      assert.ok(!isRelated(aTransfer({ transactionUuid: 'another' }), search));
    }
  });

  it('counts as all trades of an order only if they add up to the filled amount', () => {
    const { resultText } = searchOf(historyTables().orders, {
      record: anOrder({ filled: '1.00' }),
      filters: {},
    });
    assert.match(resultText([aTradeOfOrder(), aTradeOfOrder()]), /^All trades of this order/);
    assert.match(resultText([aTradeOfOrder()]), /there are others\.$/);
    const unknown = aTradeOfOrder({ amount: null });
    assert.match(resultText([aTradeOfOrder(), aTradeOfOrder(), unknown]), /there are others\.$/);
    assert.match(resultText([]), /^No trade of this order was found/);
  });
});

describe('the rows around one without a readable time', () => {
  it('are those of any time', () => {
    const record = anOrder({ time: 'soon' });
    const { filters } = searchOf(historyTables().orders, { record, filters: {} });
    assert.deepEqual(filters, { symbol: 'btc_usdt', side: 'BUY' });
  });
});

describe('what belongs to a row in the ledger', () => {
  const folder = folderOfEachTest();
  const file = () => path.join(folder.path, 'ledger.sqlite');
  const order = { record: anOrder({ filled: '1.5' }), filters: {} };
  const longAgo = { time: '1463632800123' };

  it('is found at any time, at no weight', async () => {
    const trades = [
      aTradeOfOrder({ tradeId: '1', amount: '0.5' }),
      aTradeOfOrder({ tradeId: '2', amount: '1', ...longAgo }),
    ];
    const others = [aTradeOfOrder({ tradeId: '3', orderId: '5' })];
    const ledger = new LedgerOfPanel(ledgerOf(file(), 'trades', [...trades, ...others]));
    const found = await relatedInLedger(searchOf(historyTables().orders, order), ledger);
    assert.deepEqual(
      found?.map((item) => (item as Trade).tradeId),
      ['1', '2'],
    );
  });

  it('is read at the exchange if the ledger lacks a trade of the order, or fails', async () => {
    const ledger = new LedgerOfPanel(
      ledgerOf(file(), 'trades', [aTradeOfOrder({ amount: '0.5' })]),
    );
    const search = searchOf(historyTables().orders, order);
    assert.equal(await relatedInLedger(search, ledger), undefined);
    const whole = searchOf(historyTables().orders, {
      ...order,
      record: anOrder({ filled: '0.5' }),
    });
    assert.equal((await relatedInLedger(whole, ledger))?.length, 1);
    ledger.failure = new LedgerError('busy');
    assert.equal(await relatedInLedger(whole, ledger), undefined);
  });

  it('is none that the exchange no longer lists', async () => {
    const asked: unknown[] = [];
    const rows = (query: { readonly isListed?: boolean }) => {
      asked.push(query.isListed);
      return Promise.resolve({ rows: [] });
    };
    const ledger = { current: { reader: { rows } } } as unknown as LedgerOfPanel;
    await relatedInLedger(searchOf(historyTables().orders, order), ledger);
    assert.deepEqual(asked, [true]);
  });

  it('is the other side of a transfer in the other account', async () => {
    const transfer = { record: aTransfer(), filters: { accountType: 'FUTURE' } };
    const other = aTransfer({ transactionId: '2', amount: '5' });
    const ledger = new LedgerOfPanel(ledgerOf(file(), 'spotTransactions', [other]));
    const found = await relatedInLedger(searchOf(historyTables().transactions, transfer), ledger);
    assert.deepEqual(
      found?.map((item) => (item as Transaction).transactionId),
      ['2'],
    );
  });
});

import assert from 'node:assert/strict';
import type { HistoryRecord } from '../../../src/exchange/history/records.ts';
import { relatedRows } from '../../../src/host/ids/storedRecords.ts';
import { recordsOf, relatedTo } from '../../../src/ledger/relatedRecords.ts';
import type { IdPlace, LedgerHistory } from '../../../src/ledger/ledger.ts';
import type { LedgerCalls } from '../../../src/ledger/storedLedger.ts';
import { parseRecord, recordJson } from '../../../src/ledger/storage/recordLines.ts';
import { anOrder, aTrade, aTransaction } from '../../support/builders.ts';
import { aDisplay } from '../../support/display.ts';
import { testHabits } from '../../support/habits.ts';
import { aQuery, ledgerInThisThread, saveRecords } from '../../support/ledgerUnderTest.ts';
import { LedgerOfPanel } from '../../support/panelLedger.ts';
import { folderOfEachTest } from '../../support/project.ts';
import path from 'node:path';

const folder = folderOfEachTest();

/** What a ledger has after one complete read of each list. */
function withLedger(
  history: LedgerHistory,
  reads: readonly (readonly HistoryRecord[])[],
  check: (ledger: LedgerCalls) => void | Promise<void>,
) {
  return async (): Promise<void> => {
    const ledger = ledgerInThisThread({ file: path.join(folder.path, 'ledger.sqlite') });
    try {
      for (const read of reads) saveRecords(ledger, history, read);
      await check(ledger);
    } finally {
      ledger.close();
    }
  };
}

function storedIn(ledger: LedgerCalls, history: LedgerHistory): HistoryRecord[] {
  return ledger.rows(aQuery(history), 0, 100).lines.map(parseRecord);
}

function isKept(history: LedgerHistory, first: HistoryRecord, later: HistoryRecord) {
  return withLedger(history, [[first], [first, later]], (ledger) => {
    assert.equal(storedIn(ledger, history).length, 2);
    assert.deepEqual(ledger.past(history, recordJson(later)).versions, []);
  });
}

const trade = aTrade({ tradeId: '1001', orderId: '1001', symbol: 'btc_usdt', rpnl: '100' });
const transaction = aTransaction({ transactionId: '1001' });
const order = anOrder({ orderId: '1001', symbol: 'btc_usdt', time: '1763632800000' });

/** What the hover of an id shows: the first column and the fee. */
async function hoverOf(ledger: LedgerCalls, id: string, place: IdPlace): Promise<string[]> {
  const { reader } = new LedgerOfPanel(ledger).current;
  const records = await recordsOf({ id, place }, reader);
  const related = await Promise.all(records.map((record) => relatedTo(record, reader)));
  return related
    .flatMap((each) => relatedRows(each, aDisplay()))
    .map(([name, , , , fee]) => `${name} ${fee}`.trim());
}

const kept: readonly [
  habit: string,
  history: LedgerHistory,
  first: HistoryRecord,
  later: HistoryRecord,
][] = [
  ['order ids are unique only within a symbol', 'orders', order, { ...order, symbol: 'eth_usdt' }],
  ['trade ids begin again after a year', 'trades', trade, { ...trade, time: '1795168800000' }],
  [
    'transaction ids are unique only within an asset',
    'futureTransactions',
    transaction,
    { ...transaction, asset: 'btc' },
  ],
];

testHabits('the identity of a record', [
  ...kept.map(([habit, history, first, later]) => ({
    habit,
    source: 'a sibling of binance-public-data#228',
    sees: 'both records, none as an earlier version of the other',
    check: isKept(history, first, later),
  })),
  {
    habit: 'trade ids are unique only within a symbol',
    source: 'binance-public-data#228, nautilus_trader#3450',
    sees: 'the trades of both symbols, with the sums of each',
    check: withLedger(
      'trades',
      [
        [trade, aTrade({ ...trade, tradeId: '1002' })],
        [aTrade({ ...trade, symbol: 'eth_usdt', rpnl: '-7' })],
      ],
      (ledger) => {
        const sums = ledger.sums(aQuery('trades'), ['rpnl']);
        assert.deepEqual(
          sums.map(({ unit, sum }) => `${unit} ${sum}`),
          ['btc_usdt 200', 'eth_usdt -7'],
        );
      },
    ),
  },
  {
    habit: 'an order takes the time of its last change',
    source: 'a sibling of binance-public-data#228',
    sees: 'one order, with what it said before',
    check: withLedger(
      'orders',
      [[order], [anOrder({ ...order, time: '1763632900000' })]],
      (ledger) => {
        const [stored, ...others] = storedIn(ledger, 'orders');
        assert.ok(stored && others.length === 0);
        assert.equal(ledger.past('orders', recordJson(stored)).versions.length, 1);
      },
    ),
  },
  {
    habit: 'the time of a trade is written in another form later',
    source: 'a sibling of binance-public-data#228',
    sees: 'one trade',
    check: withLedger(
      'trades',
      [[aTrade({ ...trade, time: '1790000000000' })], [aTrade({ ...trade, time: '1.79E12' })]],
      (ledger) => assert.equal(storedIn(ledger, 'trades').length, 1),
    ),
  },
  {
    habit: 'two symbols have an order of one id',
    source: 'a sibling of nautilus_trader#3450',
    sees: 'in the hover, the trades and fees of each order apart',
    check: withLedger(
      'trades',
      [
        ['btc_usdt', 'eth_usdt'].flatMap((symbol, index) =>
          ['1', '2'].map((tradeId) =>
            aTrade({ tradeId, orderId: '1001', symbol, fee: `0.${index + 1}` }),
          ),
        ),
      ],
      async (ledger) => {
        const hover = await hoverOf(ledger, '1001', { history: 'trades', field: 'orderId' });
        const sums = hover.filter((line) => line.startsWith('Fees'));
        assert.deepEqual(sums.toSorted(), [
          'Fees of 2 trades 0.2 usdt',
          'Fees of 2 trades 0.4 usdt',
        ]);
      },
    ),
  },
  {
    habit: 'a trade and a transaction of realised P&L share an id with a fee',
    source: 'a sibling of nautilus_trader#3450',
    sees: 'in the hover, each transaction of the id',
    check: withLedger(
      'futureTransactions',
      [[transaction, aTransaction({ ...transaction, type: 'REALIZED_PL' })]],
      async (ledger) => {
        const place = { history: 'futureTransactions', field: 'transactionId' } as const;
        const hover = await hoverOf(ledger, '1001', place);
        assert.deepEqual(hover.toSorted(), ['FEE 1001', 'REALIZED_PL 1001']);
      },
    ),
  },
]);

import assert from 'node:assert/strict';
import path from 'node:path';
import { relatedColumns, relatedRows, recordLine } from '../../../../src/host/ids/storedRecords.ts';
import { relatedTo, recordsOf, type StoredRecord } from '../../../../src/ledger/relatedRecords.ts';
import type { IdPlace } from '../../../../src/ledger/ledger.ts';
import type { LedgerCalls } from '../../../../src/ledger/storedLedger.ts';
import { recordJson } from '../../../../src/ledger/storage/recordLines.ts';
import { mask } from '../../../../src/base/display.ts';
import { takersPay } from '../../../support/auditedFees.ts';
import { negated } from '../../../../src/base/decimal.ts';
import { anOrder, aTrade, aTransaction } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';
import { ledgerInThisThread, saveRecords } from '../../../support/ledgerUnderTest.ts';
import { LedgerOfPanel } from '../../../support/panelLedger.ts';
import { folderOfEachTest } from '../../../support/project.ts';

const start = 1_763_632_800_000;
const at = (offset: number): string => String(start + offset);
const uuid = '0b7c1e64-9f2a-4b53-8d1e-7a6f5c4b3a29';

describe('what the ledger has of an id', () => {
  const folder = folderOfEachTest();
  let ledger: LedgerCalls;

  beforeEach(() => {
    ledger = ledgerInThisThread({ file: path.join(folder.path, 'ledger.sqlite') });
  });
  afterEach(() => ledger.close());

  const reader = () => new LedgerOfPanel(ledger).current.reader;
  const record = async (place: IdPlace, id: string): Promise<StoredRecord> =>
    (await recordsOf({ id, place }, reader()))[0] ?? assert.fail('no record');
  /** The first column and the figures of the hover. */
  const hover = async (place: IdPlace, id: string): Promise<string[]> => {
    const related = await relatedTo(await record(place, id), reader());
    return relatedRows(related, aDisplay()).map(([name, , ...figures]) =>
      [name, ...figures].join(' | '),
    );
  };

  const feeColumn = async (orderId: string): Promise<string | undefined> => {
    const stored = await record({ history: 'trades', field: 'orderId' }, orderId);
    return relatedColumns([await relatedTo(stored, reader())]).at(-1);
  };

  const order = anOrder({ orderId: '1', amount: '2', filled: '1', time: at(-60_000) });
  const first = aTrade({ tradeId: '11', orderId: '1', amount: '0.4', fee: '0.20', time: at(0) });
  const second = aTrade({
    tradeId: '12',
    orderId: '1',
    amount: '0.6',
    maker: true,
    fee: '-0.05',
    rpnl: '3.5',
    time: at(1),
  });
  const anotherTrade = aTrade({ tradeId: '21', orderId: '2', fee: '0.20', time: at(0) });

  function saveOrder(): void {
    saveRecords(ledger, 'orders', [order]);
    saveRecords(ledger, 'trades', [second, first, anotherTrade]);
    saveRecords(ledger, 'futureTransactions', [
      aTransaction({ transactionId: '31', type: 'FEE', amount: '-0.2', time: at(0) }),
      aTransaction({ transactionId: '32', type: 'FEE', amount: '0.05', time: at(700) }),
      aTransaction({ transactionId: '33', type: 'REALIZED_PL', amount: '3.50', time: at(1) }),
      // Of another amount, another time, or another kind.
      aTransaction({ transactionId: '34', type: 'FEE', amount: '-0.21', time: at(0) }),
      aTransaction({ transactionId: '35', type: 'FEE', amount: '-0.2', time: at(6000) }),
      aTransaction({ transactionId: '36', type: 'REWARD', amount: '-0.2', time: at(0) }),
    ]);
  }

  const ofTheOrder = [
    'Order 1 · btc_usdt · BUY · PARTIALLY_EXECUTED | 1 of 2 | 49,999.5 | ',
    'Trade 11 · btc_usdt · BUY · taker | 0.4 | 50,000.1 | 0.20 usdt',
    'Trade 12 · btc_usdt · BUY · maker | 0.6 | 50,000.1 | −0.05 usdt',
    'Fees of 2 trades |  |  | 0.15 usdt',
    'FEE 31 | −0.2 usdt |  | ',
    'FEE 32 | +0.05 usdt |  | ',
    'REALIZED_PL 33 | +3.50 usdt |  | ',
  ];

  it('is the order with its trades, their fees and the transactions of them, by any of the ids', async () => {
    saveOrder();
    assert.deepEqual(await hover({ history: 'orders', field: 'orderId' }, '1'), ofTheOrder);
    const client = order.clientOrderId ?? '';
    assert.deepEqual(
      await hover({ history: 'orders', field: 'clientOrderId' }, client),
      ofTheOrder,
    );
    assert.deepEqual(await hover({ history: 'trades', field: 'tradeId' }, '12'), ofTheOrder);
  });

  it('is what is there of an order of which only a trade is known', async () => {
    saveRecords(ledger, 'trades', [anotherTrade]);
    assert.deepEqual(await hover({ history: 'trades', field: 'orderId' }, '2'), [
      'Trade 21 · btc_usdt · BUY · taker | 0.5 | 50,000.1 | 0.20 usdt',
    ]);
    assert.equal(await feeColumn('2'), 'Fee as sent');
  });

  it('is what was paid above 0, whichever sign it is sent with', async () => {
    const [paid, returned] = [first, second].map((trade) => ({
      ...trade,
      fee: negated(trade.fee),
    }));
    saveRecords(ledger, 'orders', [order]);
    saveRecords(ledger, 'trades', [paid ?? first, returned ?? second]);
    ledger.addCheckpoint(takersPay(start));
    const shown = await hover({ history: 'orders', field: 'orderId' }, '1');
    assert.deepEqual(shown.slice(1), [
      ...ofTheOrder.slice(1, 3),
      'Fees of 2 trades |  |  | 0.15 usdt',
    ]);
    assert.equal(await feeColumn('1'), 'Fee');
  });

  it('is ten trades of many, how many more there are, and the fees of all, by asset', async () => {
    const trades = Array.from({ length: 25 }, (_none, index) =>
      aTrade({
        tradeId: String(index + 1),
        orderId: '1',
        time: at(index),
        fee: '0.1',
        feeAsset: index === 0 ? 'bnb' : 'usdt',
      }),
    );
    saveRecords(ledger, 'trades', trades.toReversed());
    const rows = await hover({ history: 'trades', field: 'tradeId' }, '25');
    assert.equal(rows.length, 13);
    assert.match(rows[0] ?? '', /^Trade 1 /);
    assert.deepEqual(rows.slice(10).toSorted(), [
      'Fees of 25 trades |  |  | 0.1 bnb',
      'Fees of 25 trades |  |  | 2.4 usdt',
      'and 15 more trades |  |  | ',
    ]);
  });

  it('is every stored trade of an order, but the fees only of those that the exchange still lists', async () => {
    const trades = ['1', '2', '3'].map((tradeId) =>
      aTrade({ tradeId, orderId: '1', time: at(Number(tradeId)), fee: '0.1' }),
    );
    saveRecords(ledger, 'trades', trades);
    const asOf = start + 60_000;
    const again = { history: 'trades', from: start, to: asOf, asOf, purpose: 'current' } as const;
    const { id } = ledger.beginWalk(again);
    const shown = trades.filter(({ tradeId }) => tradeId !== '2');
    ledger.saveStep(id, shown.map(recordJson), null);
    ledger.endWalk(id, { completeness: 'complete', reason: null });
    const unlisted = await hover({ history: 'trades', field: 'tradeId' }, '2');
    assert.deepEqual(
      unlisted.map((row) => row.split(' · ')[0]),
      [
        ...['Trade 1', 'Trade 2', 'Trade 3'],
        'Fees of 2 of 3 trades; the exchange no longer lists the others |  |  | 0.2 usdt',
      ],
    );
  });

  it('is both sides of a transfer', async () => {
    const leg = { transactionUuid: uuid, type: 'TRANSFER_TO_SPOT' };
    const spot = aTransaction({ ...leg, transactionId: '8', amount: '5' });
    saveRecords(ledger, 'futureTransactions', [
      aTransaction({ ...leg, transactionId: '9', amount: '-5' }),
    ]);
    saveRecords(ledger, 'spotTransactions', [spot]);
    const both = ['TRANSFER_TO_SPOT 9 | −5 usdt |  | ', 'TRANSFER_TO_SPOT 8 | +5 usdt |  | '];
    const future: IdPlace = { history: 'futureTransactions', field: 'transactionUuid' };
    assert.deepEqual(await hover(future, uuid), both);
    assert.deepEqual(
      await hover({ history: 'spotTransactions', field: 'transactionId' }, '8'),
      both,
    );
  });

  it('is gone if the ledger was replaced since', async () => {
    const place: IdPlace = { history: 'orders', field: 'orderId' };
    assert.deepEqual(await recordsOf({ id: '1', place }, reader()), []);
  });

  it('is named in a line, in which privacy hides amounts', async () => {
    saveOrder();
    const hidden = aDisplay({ hidesMoney: true });
    const places: [IdPlace, string, string][] = [
      [
        { history: 'orders', field: 'orderId' },
        '1',
        'Order · btc_usdt · BUY 2 · PARTIALLY_EXECUTED',
      ],
      [{ history: 'trades', field: 'tradeId' }, '11', 'Trade · btc_usdt · BUY 0.4'],
      [{ history: 'futureTransactions', field: 'transactionId' }, '31', 'FEE · −0.2 usdt'],
    ];
    for (const [place, id, line] of places) {
      const stored = await record(place, id);
      const shown = recordLine(stored, aDisplay());
      assert.equal(shown.slice(0, shown.lastIndexOf(' · ')), line);
      assert.match(shown, / · 2025-11-20 \d\d:\d\d:\d\d/);
      const masked = recordLine(stored, hidden);
      assert.match(masked, new RegExp(mask));
      assert.doesNotMatch(masked, /BUY \d|0\.2/);
      const rows = relatedRows(await relatedTo(stored, reader()), hidden)
        .flat()
        .join();
      assert.match(rows, new RegExp(mask));
      assert.doesNotMatch(rows, /0\.4|0\.6|0\.05|0\.2|3\.5/);
    }
  });
});

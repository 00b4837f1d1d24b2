import assert from 'node:assert/strict';
import { mask } from '../../../../src/base/display.ts';
import { historyTables } from '../../../../src/host/tables/histories.ts';
import { withSymbolUnits } from '../../../../src/host/tables/definition.ts';
import { selectionSums } from '../../../../src/pages/grid/figures.ts';
import type { Cell } from '../../../../src/protocol/table.ts';
import { aDisplay } from '../../../support/display.ts';

const asset = { baseAsset: 'BTC', pair: 'BTC/USDT', quoteAsset: 'usdt', status: 'TRADING' };
const columns = withSymbolUnits(historyTables().trades.columns, [
  { ...asset, symbol: 'btc_usdt', marginAsset: 'usdt', extra: {} },
  { ...asset, symbol: 'eth_usdt', marginAsset: 'usdt', extra: {} },
  { ...asset, symbol: 'eth_btc', marginAsset: 'btc', extra: {} },
]);
const indexOf = (field: string): number => columns.findIndex((column) => column.field === field);

function trade(fields: Readonly<Record<string, Cell>>): readonly Cell[] {
  return columns.map(({ field }) => fields[field] ?? null);
}

function sumsOf(rows: readonly (readonly Cell[])[], display = aDisplay()) {
  const all = columns.map((_, index) => index);
  const selection = {
    pageId: 1,
    columns: all,
    rows: rows.map((_, row) => ({ row, columns: all })),
    isRows: true,
  };
  return selectionSums(selection, columns, rows, display).map(({ column, average, ...sums }) => ({
    field: column.field,
    ...sums,
    average: `${average.isExact ? '' : '≈'}${average.text}`,
  }));
}

describe('the sums of selected numbers', () => {
  it('are exact where floating point is not, of any size, and say how many rows lack the number', () => {
    const rows = ['0.1', '0.2', '-1E-30', '12345678901234567890'].map((fee) =>
      trade({ fee, feeAsset: 'usdt' }),
    );
    const [fees] = sumsOf([...rows, trade({ fee: null, feeAsset: 'usdt' })]);
    assert.deepEqual(fees, {
      field: 'fee',
      unit: 'usdt',
      lacking: 1,
      sum: '12345678901234567890.299999999999999999999999999999',
      min: '-1E-30',
      max: '12345678901234567890',
      average: '3086419725308641972.57499999999999999999999999999975',
    });
  });

  it('mark an average that had to be rounded', () => {
    const average = (...fees: string[]) =>
      sumsOf(fees.map((fee) => trade({ fee, feeAsset: 'usdt' })))[0]?.average;
    assert.equal(average('1', '2'), '1.5');
    assert.equal(average('1', '1', '2'), '≈1.3333');
    assert.equal(average('0.01', '0.01', '0.03'), '≈0.016667');
    assert.equal(average('-1', '-1', '-2'), '≈-1.3333');
  });

  it('list units apart, and nothing of ids, prices and text', () => {
    const rows = [
      trade({
        symbol: 'btc_usdt',
        amount: '1',
        price: '5',
        fee: '1',
        feeAsset: 'usdt',
        tradeId: '1',
      }),
      trade({
        symbol: 'eth_usdt',
        amount: '2',
        price: '6',
        fee: '2',
        feeAsset: 'bnb',
        tradeId: '2',
      }),
      trade({
        symbol: 'btc_usdt',
        amount: '4',
        price: '7',
        fee: '4',
        feeAsset: 'usdt',
        tradeId: '3',
      }),
    ];
    assert.deepEqual(
      sumsOf(rows).map(({ field, unit, sum }) => [field, unit, sum]),
      [
        ['amount', 'btc_usdt', '5'],
        ['amount', 'eth_usdt', '2'],
        ['fee', 'usdt', '5'],
        ['fee', 'bnb', '2'],
      ],
    );
  });

  it('add up profits by the margin asset of their symbol, and those of an unknown symbol apart', () => {
    const rows = (
      [
        ['btc_usdt', '0.1'],
        ['eth_usdt', '0.2'],
        ['eth_btc', '-1'],
        ['old_usdt', '4'],
        ['constructor', '8'],
      ] as const
    ).map(([symbol, rpnl]) => trade({ symbol, rpnl }));
    assert.deepEqual(
      sumsOf(rows).map(({ field, unit, sum }) => [field, unit, sum]),
      [
        ['rpnl', 'usdt', '0.3'],
        ['rpnl', 'btc', '-1'],
        ['rpnl', 'old_usdt', '4'],
        ['rpnl', 'constructor', '8'],
      ],
    );
  });

  it('leave out what is no number or has no unit', () => {
    const rows = [
      trade({ fee: '1', feeAsset: 'usdt' }),
      trade({ fee: null, feeAsset: 'usdt' }),
      trade({ fee: '5', feeAsset: null }),
      trade({ fee: 'NaN', feeAsset: 'usdt' }),
    ];
    assert.deepEqual(
      sumsOf(rows).map(({ lacking, sum, average }) => [lacking, sum, average]),
      [[2, '1', '1']],
    );
  });

  it('are not shown of what privacy hides', () => {
    const rows = [trade({ fee: mask, feeAsset: 'usdt', symbol: 'btc_usdt', amount: mask })];
    assert.deepEqual(sumsOf(rows, aDisplay({ hidesMoney: true })), []);
  });

  it('are only of selected cells', () => {
    const rows = ['1', '2'].map((fee) => trade({ fee, feeAsset: 'usdt' }));
    const fee = indexOf('fee');
    const selection = {
      pageId: 1,
      columns: [fee, 0],
      rows: [
        { row: 0, columns: [fee] },
        { row: 1, columns: [0] },
      ],
      isRows: false,
    };
    const [sums] = selectionSums(selection, columns, rows, aDisplay());
    assert.deepEqual([sums?.lacking, sums?.sum], [0, '1']);
  });
});

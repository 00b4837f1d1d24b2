import assert from 'node:assert/strict';
import path from 'node:path';
import { sum } from '../../../../src/base/decimal.ts';
import { hourMs, minuteMs } from '../../../../src/base/time.ts';
import type {
  PositionFilter,
  PositionsAnalysis,
  RebuiltPosition,
} from '../../../../src/ledger/analysis/analysis.ts';
import type { Checkpoint } from '../../../../src/ledger/ledger.ts';
import { analysisOf, writeLedger, type LedgerContent } from '../../../support/analysedLedger.ts';
import { anOrder, aTrade, aTransaction, unknownFees } from '../../../support/builders.ts';
import { practiceLedger } from '../../../support/practiceLedger.ts';
import { folderOfEachTest } from '../../../support/project.ts';

const start = Date.UTC(2026, 9, 16);
const at = (minutes: number): number => start + minutes * minuteMs;

/** Trades of one symbol: the minute, the change of the size, and other fields. */
type Fill = readonly [minute: number, change: number, fields?: Parameters<typeof aTrade>[0]];

function fills(...all: readonly Fill[]) {
  return all.map(([minute, change, fields], index) =>
    aTrade({
      ...{ tradeId: String(index + 1), orderId: String(index + 1), time: String(at(minute)) },
      ...{ side: change < 0 ? 'SELL' : 'BUY', amount: String(Math.abs(change)) },
      ...{ price: '100', rpnl: '0', fee: '0', feeAsset: 'usdt', ...fields },
    }),
  );
}

function checkpoint(minute: number, ...amounts: readonly string[]): Checkpoint {
  return {
    ...{ sentAt: at(minute), answeredAt: at(minute) + 100, clockErrorMs: 0, fees: unknownFees },
    ...{ assets: null, equity: null, upl: null },
    positions: amounts.map((amount) => {
      return { symbol: 'btc_usdt', marginMode: 'ISOLATED', amount, basePrice: '100' };
    }),
  };
}

const parsedPositions = (piece: string) => JSON.parse(piece) as RebuiltPosition[];

describe('closed positions', () => {
  const folder = folderOfEachTest();

  const analysed = async (content: LedgerContent): Promise<PositionsAnalysis> => {
    const file = path.join(folder.path, `${crypto.randomUUID()}.sqlite`);
    const ledger = writeLedger(file, content);
    const analysis = await analysisOf(ledger, 'positions', { now: at(14_400) });
    ledger.close();
    return analysis;
  };
  /** Each in a line: what it is, then its size, result and minutes. */
  const linesOf = async (content: LedgerContent): Promise<readonly string[]> =>
    (await analysed(content)).positions.map((each) => {
      const { undecided, closed, direction, largest, gross, opened } = each;
      const minute = (time: number | null): string =>
        time === null ? '?' : String((time - start) / minuteMs);
      const state = undecided ?? (closed === null ? 'open' : 'closed');
      return [state, direction, largest, gross, `${minute(opened)}-${minute(closed)}`].join(' ');
    });
  const ofTrades = (trades: ReturnType<typeof fills>, more: LedgerContent = {}) =>
    linesOf({ ...more, records: { trades, ...more.records } });

  it('end where the size is 0, and the one that is open comes last', async () => {
    const trades = fills([1, 2], [2, 3], [3, -5, { rpnl: '7' }], [4, -1], [5, 1], [6, 4]);
    assert.deepEqual(await ofTrades(trades), [
      'closed LONG 5 7 1-3',
      'closed SHORT 1 0 4-5',
      'open LONG 4 0 6-?',
    ]);
  });

  it('are two where a fill crosses zero, which share its fee in proportion', async () => {
    const trades = fills(
      [1, 1, { price: '10' }],
      [2, -3, { price: '13', rpnl: '3', fee: '1' }],
      [3, 2, { price: '9', fee: '-0.5' }],
    );
    const { positions } = await analysed({ records: { trades } });
    assert.deepEqual(
      positions.map(({ direction, entryPrice, exitPrice, gross, fees }) => [
        ...[direction, entryPrice, exitPrice, gross, fees?.map(({ amount }) => amount)],
      ]),
      [
        ['LONG', '10', '13', '3', ['0.33333333333333333333']],
        ['SHORT', '13', '9', '0', ['0.16666666666666666667']],
      ],
    );
  });

  it('are undecided where a checkpoint has another size, back to the last that agreed', async () => {
    const trades = fills([1, 1], [2, -1], [60, 1], [61, -1], [120, 1], [121, -1]);
    const checkpoints = [checkpoint(30), checkpoint(90, '2'), checkpoint(100)];
    assert.deepEqual(await ofTrades(trades, { checkpoints }), [
      'closed LONG 1 0 1-2',
      'contradicted    60-61',
      // An answer may be three seconds old.
      'contradicted    89.95-?',
      'closed LONG 1 0 120-121',
    ]);
  });

  it('are not judged by a checkpoint that has a trade within its bracket', async () => {
    const trades = fills([1, 1], [2, -1]);
    assert.deepEqual(await ofTrades(trades, { checkpoints: [checkpoint(2, '1')] }), [
      'closed LONG 1 0 1-2',
    ]);
  });

  it('begin with what the first checkpoint says, if earlier trades are not known', async () => {
    const complete = { trades: [{ from: start, to: at(14_400) }] };
    const trades = fills([1, -2], [2, 1], [3, -1]);
    const flat = { complete, checkpoints: [checkpoint(30)] };
    assert.deepEqual(await ofTrades(trades, flat), ['openedBefore    0-1', 'closed LONG 1 0 2-3']);
    assert.deepEqual(await ofTrades(trades, { complete }), ['openedBefore    1-?']);
  });

  it('are undecided where trades may be missing or a figure is unknown', async () => {
    const trades = fills([1, 1], [200, -1], [300, 1, { amount: null }]);
    const complete = {
      trades: [
        { from: 0, to: at(100) },
        { from: at(150), to: at(14_400) },
      ],
    };
    assert.deepEqual(await ofTrades(trades, { complete, checkpoints: [checkpoint(250)] }), [
      'missingTrades    1-?',
      'openedBefore    150-200',
      'unknownFigure    300-?',
    ]);
  });

  it('are undecided while two are open in one symbol', async () => {
    const trades = fills([1, 1], [60, -1], [120, 1], [121, -1]);
    const checkpoints = [checkpoint(30, '3', '-2'), checkpoint(90)];
    assert.deepEqual(await ofTrades(trades, { checkpoints }), [
      'severalPositions    1-?',
      'closed LONG 1 0 120-121',
    ]);
  });

  it('are closed by a liquidation without a trade only if a checkpoint says so', async () => {
    const order = { symbol: 'btc_usdt', status: 'LIQUIDATED', filled: '2', time: String(at(10)) };
    const orders = [anOrder({ ...order, orderId: '77' })];
    const trades = fills([1, 2]);
    const records = { trades, orders };
    assert.deepEqual(await linesOf({ records }), ['liquidatedWithoutTrade    1-?']);
    assert.deepEqual(await linesOf({ records, checkpoints: [checkpoint(30)] }), [
      'closed LONG 2  1-10',
    ]);
    const fee = aTransaction({ type: 'LIQUIDATION_FEE', amount: '-1', time: String(at(10)) });
    const booked = { trades, futureTransactions: [fee] };
    assert.deepEqual(await linesOf({ records: booked, checkpoints: [checkpoint(30)] }), [
      'closed LONG 2  1-10',
    ]);
    const traded = { ...records, trades: fills([1, 2], [20, 1]) };
    assert.deepEqual(await linesOf({ records: traded }), ['liquidatedWithoutTrade    1-?']);
  });

  it('are filtered by symbol, direction, result and moment, and counted as filtered', async () => {
    const trades = [
      ...fills([1, 1], [2, -1, { rpnl: '5' }], [3, -1], [4, 1, { rpnl: '-2' }], [5, 1]),
      ...fills([6, 1, { symbol: 'eth_usdt' }], [7, -1, { symbol: 'eth_usdt' }]),
    ].map((each, index) => ({ ...each, tradeId: String(index), orderId: String(index) }));
    const file = path.join(folder.path, 'ledger.sqlite');
    const ledger = writeLedger(file, { records: { trades } });
    const found = async (positions: PositionFilter): Promise<string> => {
      const analysis = await analysisOf(ledger, 'positions', { now: at(60), positions });
      assert.deepEqual(analysis.symbols, ['btc_usdt', 'eth_usdt']);
      const all = [...analysis.positions, ...(analysis.pieces ?? []).flatMap(parsedPositions)];
      assert.equal(all.length, analysis.count);
      const minutes = all.map(({ opened }) => (opened - start) / minuteMs);
      return [...minutes, ...analysis.numbers.map(({ grossPl }) => `gross ${grossPl}`)].join();
    };
    assert.equal(await found({}), '1,3,6,5,gross 3');
    assert.equal(await found({ inPieces: true }), '1,3,6,5,gross 3');
    assert.equal(await found({ symbol: 'btc_usdt' }), '1,3,5,gross 3');
    assert.equal(await found({ direction: 'SHORT' }), '3,gross -2');
    assert.equal(await found({ result: 'won' }), '1,gross 5');
    assert.equal(await found({ result: 'lost', direction: 'LONG' }), '');
    assert.equal(await found({ result: 'undecided' }), '');
    assert.equal(await found({ touched: { from: at(2), to: at(3) } }), '1,3,gross 3');
    assert.equal(await found({ touched: { from: at(8), to: at(9) } }), '5');
    ledger.close();
  });

  it('of symbols and days add up to the net P&L of the period', async () => {
    const period = { from: start, to: start + 240 * hourMs };
    const content = practiceLedger(1, period, 20 * minuteMs);
    const ledger = writeLedger(path.join(folder.path, 'ledger.sqlite'), content);
    const asked = { now: period.to, period };
    const { symbols } = await analysisOf(ledger, 'bySymbol', asked);
    const [days, ...others] = (await analysisOf(ledger, 'calendar', asked)).assets;
    const { assets } = await analysisOf(ledger, 'numbers', asked);
    ledger.close();
    const net = assets[0]?.netPl;
    assert.equal(sum(symbols.flatMap((each) => each.net ?? [])), net);
    assert.deepEqual(others, []);
    assert.equal(sum(days?.days.flatMap((day) => day.net ?? []) ?? []), net);
    const closed = symbols.reduce((count, { traded }) => count + (traded?.positions ?? 0), 0);
    assert.ok(closed > 20);
    assert.equal(
      days?.days.reduce((count, day) => count + day.closed, 0),
      closed,
    );
    assert.deepEqual(symbols.at(-1)?.traded, null);
    const { futureTransactions: _unread, ...records } = content.records;
    const partial = writeLedger(path.join(folder.path, 'partial.sqlite'), { ...content, records });
    const unread = (await analysisOf(partial, 'bySymbol', asked)).symbols;
    partial.close();
    assert.ok(unread.every((each) => each.net === null && each.charges === null && each.gross));
  });

  it('of the practice account are decided, but for those that opened before its first day', async () => {
    const period = { from: start, to: start + 240 * hourMs };
    const content = practiceLedger(1, period, 20 * minuteMs);
    const { positions, checks } = await analysed({
      ...content,
      complete: { trades: [{ from: period.from, to: 4e12 }] },
    });
    const states = positions.map((each) => each.undecided ?? (each.closed ? 'closed' : 'open'));
    const count = (state: string): number => states.filter((each) => each === state).length;
    assert.deepEqual([count('closed'), count('openedBefore'), count('open')], [37, 5, 5]);
    assert.equal(states.length, 47);
    assert.ok(checks.every(({ sizes }) => sizes.agreed > 600 && sizes.differed === 0));
    assert.ok(checks.every(({ gross }) => gross?.differed === 0));
    assert.ok(positions.some(({ isLiquidated }) => isLiquidated !== null));
  });
});

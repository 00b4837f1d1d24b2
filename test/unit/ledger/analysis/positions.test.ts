import assert from 'node:assert/strict';
import path from 'node:path';
import fc from 'fast-check';
import { sum } from '../../../../src/base/decimal.ts';
import { dayMs, hourMs, minuteMs } from '../../../../src/base/time.ts';
import type {
  PositionFilter,
  PositionsAnalysis,
  RebuiltPosition,
} from '../../../../src/ledger/analysis/analysis.ts';
import { liesIn, type BookPosition } from '../../../../src/ledger/analysis/positionBook.ts';
import { always, type Interval } from '../../../../src/base/interval.ts';
import type { Checkpoint } from '../../../../src/ledger/ledger.ts';
import { bracketOf, staleBracket } from '../../../../src/ledger/reconciliation/bracket.ts';
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

function parsedPositions(piece: Uint8Array): RebuiltPosition[] {
  // To copy it to another thread takes no time.
  assert.ok(piece.buffer instanceof SharedArrayBuffer);
  return JSON.parse(Buffer.from(piece).toString()) as RebuiltPosition[];
}

describe('closed positions', () => {
  const folder = folderOfEachTest();

  const analysed = async (
    content: LedgerContent,
    period: Interval = always,
  ): Promise<PositionsAnalysis> => {
    const file = path.join(folder.path, `${crypto.randomUUID()}.sqlite`);
    const ledger = writeLedger(file, content);
    const analysis = await analysisOf(ledger, 'positions', { now: at(14_400), period });
    ledger.close();
    const undecided = analysis.positions.filter((each) => each.undecided !== null);
    assert.equal(analysis.undecided, undecided.length);
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

  it('have the sign of checkpoints that write one, and either sign elsewhere', async () => {
    const trades = fills([1, -1], [60, 1]);
    const unsigned = [checkpoint(30, '1'), checkpoint(90)];
    assert.deepEqual(await ofTrades(trades, { checkpoints: unsigned }), ['closed SHORT 1 0 1-60']);
    const signed = [...unsigned, checkpoint(120, '-1')];
    const [line] = await ofTrades(trades, { checkpoints: signed });
    assert.match(line ?? '', /^contradicted /);
  });

  it('are not judged by a checkpoint that has a trade within its bracket', async () => {
    const { from, to } = staleBracket(bracketOf(checkpoint(2)));
    for (const time of [from, at(2), to - 1]) {
      const trades = fills([1, 1], [2, -1, { time: String(time) }]);
      const [line] = await ofTrades(trades, { checkpoints: [checkpoint(2, '5')] });
      assert.match(line ?? '', /^closed LONG 1 0 /, String(time));
    }
    const before = fills([1, 1], [2, -1, { time: String(from - 1) }]);
    const [line] = await ofTrades(before, { checkpoints: [checkpoint(2, '5')] });
    assert.match(line ?? '', /^contradicted /);
  });

  it('begin with what the first checkpoint says, if earlier trades are not known', async () => {
    const complete = { trades: [{ from: start, to: at(14_400) }] };
    const trades = fills([1, -2], [2, 1], [3, -1]);
    const flat = { complete, checkpoints: [checkpoint(30)] };
    assert.deepEqual(await ofTrades(trades, flat), ['openedBefore    0-1', 'closed LONG 1 0 2-3']);
    assert.deepEqual(await ofTrades(trades, { complete }), ['openedBefore    1-?']);
    const liquidated = {
      symbol: 'btc_usdt',
      status: 'LIQUIDATED',
      filled: '1',
      time: String(at(30)),
    };
    const records = { orders: [anOrder({ ...liquidated, orderId: '77' })] };
    assert.deepEqual(await ofTrades(trades, { ...flat, records }), ['openedBefore    1-?']);
  });

  it('have a size before the first trade if that closed something', async () => {
    const closing = fills([10, -1, { rpnl: '50' }]);
    const size = checkpoint(30, '1');
    assert.deepEqual(await ofTrades(closing, { checkpoints: [size] }), ['openedBefore    10-?']);
    const net = fills([10, -1, { rpnl: '-0.5', fee: '0.5' }], [20, 1, { rpnl: '9' }]);
    assert.deepEqual(await ofTrades(net), ['closed SHORT 1 8.5 10-20']);
    const flat = { checkpoints: [checkpoint(5), size] };
    assert.deepEqual(await ofTrades(closing, flat), ['contradicted    10-?']);
    // Long and short at once: the third fill opens nothing.
    const hedge = fills([10, 1], [11, -1], [12, -1, { rpnl: '20' }], [13, 1, { rpnl: '5' }]);
    const checkpoints = [checkpoint(5), checkpoint(30)];
    assert.deepEqual(await ofTrades(hedge, { checkpoints }), [
      'contradicted    10-11',
      'contradicted    12-?',
    ]);
    // Nothing is realised by a fill that enlarges either.
    const enlarged = fills([10, 2], [11, -1], [12, 1, { rpnl: '5' }], [13, -2, { rpnl: '40' }]);
    const [line, ...none] = await ofTrades(enlarged, { checkpoints });
    assert.deepEqual([line, none], ['contradicted    10-?', []]);
    // One without its sign is as well that of a long position, which was 2 before.
    const ofLong = fills([1, 1], [2, -1], [10, -1], [40, -1]);
    assert.deepEqual(await ofTrades(ofLong, { checkpoints: [size, checkpoint(60)] }), [
      'contradicted    1-2',
      'contradicted    10-?',
    ]);
  });

  it('begin with nothing if all trades are read, unless the exchange lists them for some time only', async () => {
    const trades = fills([1, -2], [2, 2]);
    assert.deepEqual(await ofTrades(trades), ['closed SHORT 2 0 1-2']);
    const ledger = writeLedger(path.join(folder.path, 'dropped.sqlite'), { records: { trades } });
    for (const day of [1, 2, 3])
      ledger.noteOldestRow('trades', start + day * dayMs, start + (90 + day) * dayMs);
    const { positions } = await analysisOf(ledger, 'positions', { now: at(14_400) });
    ledger.close();
    assert.deepEqual(
      positions.map(({ undecided, opened }) => [undecided, opened]),
      [['openedBefore', at(1)]],
    );
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
    const undated = [
      ...fills([1, 1], [2, -1]),
      aTrade({ tradeId: '9', symbol: 'btc_usdt', time: '' }),
    ];
    assert.deepEqual(await ofTrades(undated), ['missingTrades    1-2']);
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
    const liquidated = { symbol: 'btc_usdt', status: 'LIQUIDATED', time: String(at(10)) };
    const order = { ...liquidated, filled: '2', side: 'SELL' };
    const orders = [anOrder({ ...order, orderId: '77' })];
    const trades = fills([1, 2]);
    const records = { trades, orders };
    assert.deepEqual(await linesOf({ records }), ['liquidatedWithoutTrade    1-?']);
    assert.deepEqual(await linesOf({ records, checkpoints: [checkpoint(30)] }), [
      'closed LONG 2  1-10',
    ]);
    // What an order does not say may be anything.
    for (const [fields, line] of [
      [{ filled: null }, 'closed LONG 2  1-10'],
      [{ side: null, filled: '2.0' }, 'closed LONG 2  1-10'],
      [{ filled: '0.5' }, 'liquidatedWithoutTrade    1-?'],
      [{ filled: `2.${'0'.repeat(25)}1` }, 'liquidatedWithoutTrade    1-?'],
      [{ filled: '1000000000000000000000' }, 'liquidatedWithoutTrade    1-?'],
      [{ side: 'BUY' }, 'liquidatedWithoutTrade    1-?'],
    ] as const)
      assert.deepEqual(
        await linesOf({
          records: { trades, orders: [anOrder({ ...order, ...fields, orderId: '77' })] },
          checkpoints: [checkpoint(30)],
        }),
        [line],
        JSON.stringify(fields),
      );
    // One trade is of a part of it.
    const parted = fills([1, 2], [9, -1.5, { orderId: '77' }]);
    const partly = { trades: parted, orders };
    assert.deepEqual(await linesOf({ records: partly }), ['liquidatedWithoutTrade    1-?']);
    assert.deepEqual(await linesOf({ records: partly, checkpoints: [checkpoint(30)] }), [
      'closed LONG 2  1-10',
    ]);
    const fee = aTransaction({ type: 'LIQUIDATION_FEE', amount: '-1', time: String(at(10)) });
    const booked = { trades, futureTransactions: [fee] };
    assert.deepEqual(await linesOf({ records: booked, checkpoints: [checkpoint(30)] }), [
      'closed LONG 2  1-10',
    ]);
    // It names no symbol: either may have paid.
    const others = fills([5, 3, { symbol: 'eth_usdt', tradeId: '2' }]);
    const either = { ...booked, trades: [...trades, ...others] };
    assert.deepEqual(await linesOf({ records: either, checkpoints: [checkpoint(30)] }), [
      'liquidatedWithoutTrade    1-?',
      'liquidatedWithoutTrade    5-?',
    ]);
    const again = anOrder({ ...order, orderId: '78', time: String(at(20)) });
    const twice = { trades, orders: [...orders, again] };
    assert.deepEqual(await linesOf({ records: twice, checkpoints: [checkpoint(30)] }), [
      'liquidatedWithoutTrade    1-?',
    ]);
    const traded = { ...records, trades: fills([1, 2], [20, 1]) };
    assert.deepEqual(await linesOf({ records: traded }), ['liquidatedWithoutTrade    1-?']);
    const refuted = { ...records, trades: fills([1, 2], [40, -2]) };
    assert.deepEqual(await linesOf({ records: refuted, checkpoints: [checkpoint(30, '2')] }), [
      'closed LONG 2 0 1-40',
    ]);
  });

  it('have what was booked from their first fill to their last, and a liquidation fee a minute later', async () => {
    const orders = [
      anOrder({ symbol: 'btc_usdt', status: 'LIQUIDATED', orderId: '4', time: String(at(9)) }),
    ];
    const trades = fills([-5, 1], [0.5, -1], [1, 1], [9, -1], [15, 1]);
    const checkpoints = [checkpoint(-2, '1'), checkpoint(20, '1')];
    let complete: NonNullable<LedgerContent['complete']> = {};
    /** Powers of two, so that the sum says which of them are in it. */
    const booked = async (type: string, ...moments: readonly number[]) => {
      const futureTransactions = moments.map((time, index) =>
        aTransaction({
          ...{ transactionId: String(index), type, asset: 'usdt', time: String(time) },
          amount: String(2 ** index),
        }),
      );
      const records = { trades, orders, futureTransactions };
      const [, position] = (await analysed({ records, checkpoints, complete })).positions;
      return position?.charges?.map(({ amount }) => amount);
    };
    const funding = [at(1) - 1, at(1), at(5), at(9), at(9) + 5001];
    assert.deepEqual(await booked('FUNDING_FEE', ...funding), ['14']);
    assert.deepEqual(await booked('FUNDING_FEE', at(9) + 5000), ['1']);
    const liquidation = [at(9) - 1, at(9), at(10), at(10) + 1];
    assert.deepEqual(await booked('LIQUIDATION_FEE', ...liquidation), ['7']);
    // Another symbol may have been liquidated as well.
    complete = { orders: [{ from: 0, to: at(5) }] };
    assert.equal(await booked('LIQUIDATION_FEE', at(9)), undefined);
  });

  const funding = (minute: number) =>
    aTransaction({
      ...{ transactionId: String(minute), type: 'FUNDING_FEE', asset: 'usdt' },
      ...{ amount: '-1', time: String(at(minute)) },
    });
  const chargesOf = async (content: LedgerContent) =>
    (await analysed(content)).positions.map(
      ({ charges }) => charges?.map(({ amount }) => amount).join() ?? null,
    );

  it('have what was booked until now while they are open', async () => {
    const trades = fills([-5, 1], [2, 1]);
    const checkpoints = [checkpoint(-2, '1'), checkpoint(20, '2')];
    const records = { trades, futureTransactions: [funding(1), funding(9)] };
    assert.deepEqual(await chargesOf({ records, checkpoints }), ['-2']);
  });

  it('leave open which of two in one moment paid', async () => {
    const trades = fills([1, 1], [9, -2], [30, 1]);
    const checkpoints = [checkpoint(5, '1'), checkpoint(20, '1'), checkpoint(40)];
    const records = { trades, futureTransactions: [funding(9)] };
    assert.deepEqual(await chargesOf({ records, checkpoints }), [null, null]);
    const bothSoon = fills([1, 1], [9, -1], [9.02, 1]);
    const late = { trades: bothSoon, futureTransactions: [funding(9.03)] };
    assert.deepEqual(await chargesOf({ records: late, checkpoints }), [null, null]);
    const later = { trades, futureTransactions: [funding(10)] };
    assert.deepEqual(await chargesOf({ records: later, checkpoints }), ['', '-1']);
  });

  it('have no charges of a liquidation until its minute is read', async () => {
    const fields = { symbol: 'btc_usdt', status: 'LIQUIDATED', orderId: '2', time: String(at(9)) };
    const trades = fills([1, 1], [9, -1]);
    const records = { trades, orders: [anOrder(fields)], futureTransactions: [] };
    const readTo = (minute: number): LedgerContent => ({
      records,
      complete: { futureTransactions: [{ from: 0, to: at(minute) + 1 }] },
    });
    assert.deepEqual(await chargesOf(readTo(9)), [null]);
    assert.deepEqual(await chargesOf(readTo(10)), ['']);
    const bought = { ...readTo(9.1), records: { ...records, orders: [] } };
    assert.deepEqual(await chargesOf(bought), ['']);
    for (const fields of [{ amount: null }, { time: '' }]) {
      const futureTransactions = [{ ...funding(5), ...fields }];
      assert.deepEqual(await chargesOf({ records: { ...records, futureTransactions } }), [null]);
    }
  });

  it('are of a period by when they ended, undecided ones by any moment of it', () => {
    const moment = fc.integer({ min: 0, max: 6 });
    const position = {
      ...{ opened: moment, closed: fc.option(moment), until: moment },
      undecided: fc.constantFrom(null, 'contradicted'),
    };
    fc.assert(
      fc.property(fc.record(position), moment, moment, (each, from, to) => {
        const { opened, closed, undecided, until } = each;
        fc.pre(from < to && opened <= Math.min(until, closed ?? until));
        const last = closed ?? (undecided ? until : Infinity);
        const isOpenAt = (time: number): boolean => opened <= time && time <= last;
        const times = [0, 1, 2, 3, 4, 5, 6].filter((time) => from <= time && time < to);
        const isEnd = closed !== null && !undecided;
        const expected = times.some((time) => (isEnd ? time === closed : isOpenAt(time)));
        assert.equal(liesIn(each as BookPosition, { from, to }), expected);
      }),
    );
  });

  it('are of each period in which they may have been open, though their last fill was before', async () => {
    const trades = fills([1, 1], [2, 1]);
    const period = { from: at(30), to: at(100) };
    const listed = async (content: LedgerContent) =>
      (await analysed({ ...content, records: { trades } }, period)).positions.map(
        ({ undecided }) => undecided,
      );
    const known = checkpoint(5, '2');
    assert.deepEqual(await listed({ checkpoints: [known, checkpoint(40, '3')] }), ['contradicted']);
    assert.deepEqual(await listed({ checkpoints: [known, checkpoint(20)] }), []);
    assert.deepEqual(await listed({ complete: { trades: [{ from: 0, to: at(50) }] } }), [
      'missingTrades',
    ]);
  });

  it('are of the day that begins when they end', async () => {
    const trades = fills([1, 1], [24 * 60, -1, { rpnl: '7' }]);
    const futureTransactions = [funding(25 * 60), funding(49 * 60)];
    const records = { trades, futureTransactions };
    const ledger = writeLedger(path.join(folder.path, 'days.sqlite'), { records });
    const period = { from: start, to: start + 3 * dayMs };
    const { assets } = await analysisOf(ledger, 'calendar', { now: at(14_400), period });
    ledger.close();
    assert.deepEqual(
      assets[0]?.days.map(({ closed, net, history }) => [closed, net, history]),
      [
        [0, '0', 'trades'],
        [1, '6', 'trades'],
        [0, '-1', 'futureTransactions'],
      ],
    );
  });

  it('are won above 0, and liquidated as far as the orders are read', async () => {
    const won = { rpnl: '7' };
    const lost = { rpnl: '-1' };
    const trades = fills([1, 1], [2, -1, won], [3, 1], [4, -1], [5, 1], [6, -1, lost]);
    const countsOf = async (records: LedgerContent['records']) => {
      const ledger = writeLedger(path.join(folder.path, `${crypto.randomUUID()}.sqlite`), {
        records: { trades, ...records },
      });
      const { symbols } = await analysisOf(ledger, 'bySymbol', { now: at(14_400) });
      ledger.close();
      const [traded] = symbols.flatMap((each) => each.traded ?? []);
      return [traded?.positions, traded?.wins, traded?.liquidated];
    };
    const untraded = { symbol: 'btc_usdt', status: 'LIQUIDATED', filled: '1', time: String(at(7)) };
    const open = fills([1, 1]);
    const undecided = { trades: open, orders: [anOrder({ ...untraded, orderId: '9' })] };
    assert.deepEqual(await countsOf(undecided), [0, null, null]);
    const openedBefore = { trades: fills([1, -1, { rpnl: '3' }]), orders: [] };
    assert.deepEqual((await countsOf(openedBefore)).at(2), null);
    assert.deepEqual(await countsOf({}), [3, 1, null]);
    assert.deepEqual(await countsOf({ orders: [] }), [3, 1, 0]);
    const fields = { symbol: 'btc_usdt', status: 'LIQUIDATED', orderId: '6', time: String(at(6)) };
    assert.deepEqual(await countsOf({ orders: [anOrder(fields)] }), [3, 1, 1]);
  });

  it('leave what their symbol and day brought unknown, if a liquidation has no trade', async () => {
    const liquidated = { status: 'LIQUIDATED', side: 'SELL', filled: '1', time: String(at(20)) };
    const order = { symbol: 'btc_usdt', ...liquidated };
    const trades = fills([1, 1], [2, -1, { rpnl: '5' }], [10, 1]);
    const ledger = writeLedger(path.join(folder.path, 'ledger.sqlite'), {
      records: { trades, orders: [anOrder({ ...order, orderId: '77' })], futureTransactions: [] },
      checkpoints: [checkpoint(30)],
    });
    const period = { from: at(15), to: at(15) + dayMs };
    const now = at(14_400);
    const { symbols } = await analysisOf(ledger, 'bySymbol', { now });
    const { assets } = await analysisOf(ledger, 'calendar', { now });
    const afterTrades = await analysisOf(ledger, 'bySymbol', { now, period });
    const { numbers } = await analysisOf(ledger, 'positions', { now });
    ledger.close();
    assert.deepEqual(
      symbols.map(({ gross, net, traded }) => [gross, net, traded?.positions, traded?.wins]),
      [[null, null, 2, null]],
    );
    assert.deepEqual(
      assets[0]?.days.filter(({ closed }) => closed > 0).map(({ net }) => net),
      [null],
    );
    assert.deepEqual(
      afterTrades.symbols.map(({ symbol, traded }) => [symbol, traded?.liquidated]),
      [['btc_usdt', 1]],
    );
    assert.deepEqual(
      numbers.map(({ positions, winRate, grossPl }) => [positions, winRate.value, grossPl]),
      [[2, null, null]],
    );
  });

  it('leave sums unknown since the last checkpoint that agreed, if trades do not explain one, or a liquidation', async () => {
    const trades = fills([1, 1], [2, -1, { rpnl: '5' }], [24 * 60 + 10, 1]);
    const liquidated = {
      ...{ status: 'LIQUIDATED', side: 'SELL', filled: '1' },
      time: String(at(24 * 60 + 20)),
    };
    const order = anOrder({ symbol: 'btc_usdt', ...liquidated, orderId: '77' });
    const fee = aTransaction({ type: 'LIQUIDATION_FEE', amount: '-1', time: liquidated.time });
    const unexplained: readonly LedgerContent[] = [
      { records: { orders: [order] } },
      { records: { orders: [order] }, checkpoints: [checkpoint(24 * 60 + 30)] },
      { records: { futureTransactions: [fee] } },
      { checkpoints: [checkpoint(23 * 60), checkpoint(24 * 60 + 30)] },
    ];
    const netsOf = async (content: LedgerContent, period: Interval) => {
      const records = { trades, futureTransactions: [], ...content.records };
      const file = path.join(folder.path, `${crypto.randomUUID()}.sqlite`);
      const ledger = writeLedger(file, { ...content, records });
      const asked = { now: at(14_400), period, positions: {} };
      const { symbols } = await analysisOf(ledger, 'bySymbol', asked);
      const [calendar] = (await analysisOf(ledger, 'calendar', asked)).assets;
      const [numbers] = (await analysisOf(ledger, 'numbers', asked)).assets;
      ledger.close();
      const [symbol] = symbols;
      const days = calendar?.days.map(({ net }) => net) ?? [];
      return [symbol?.gross, symbol?.net, numbers?.grossPl, numbers?.netPl, ...days];
    };
    const second = { from: start + dayMs, to: start + 2 * dayMs };
    const both = { from: start, to: second.to };
    const none = [null, null, null, null];
    for (const [index, content] of unexplained.entries()) {
      const days = index === 3 ? [null, null] : ['5', null];
      assert.deepEqual(await netsOf(content, both), [...none, ...days], String(index));
    }
    const after = { from: at(24 * 60 + 15), to: second.to };
    assert.deepEqual(await netsOf(unexplained[1] ?? {}, after), [...none, null]);
    const bought = aTrade({ ...trades[2], tradeId: '9', symbol: 'eth_usdt' });
    const checkpoints = [checkpoint(24 * 60 + 2), checkpoint(24 * 60 + 30, '1')];
    // The other symbol has no trade before.
    const other = { records: { trades: [...trades, bought] }, checkpoints };
    assert.deepEqual((await netsOf(other, both)).slice(4), ['5', null]);
    const agreed = { checkpoints: [checkpoint(23 * 60), checkpoint(24 * 60 + 30, '1')] };
    assert.deepEqual(await netsOf(agreed, both), ['5', '5', '5', '5', '5', '0']);
  });

  it('have no sum of their symbol or day that lacks a figure', async () => {
    const eth = { symbol: 'eth_usdt', tradeId: '9' };
    const trades = [
      ...fills([1, 1], [2, -1, { fee: null, rpnl: '7' }], [24 * 60, 1]),
      // Its value does not depend on the side.
      ...fills([24 * 60 + 1, 1, { ...eth, side: 'NEW' }]),
    ];
    const undated = aTrade({ tradeId: '10', symbol: 'eth_usdt', rpnl: '-70', time: '' });
    const asked = { now: at(14_400), period: { from: start, to: start + 2 * dayMs } };
    for (const [own, ofEth, days] of [
      [trades, ['0', '0', '0', '100'], [null, '0']],
      [
        [...trades, undated],
        [null, null, null, null],
        [null, null],
      ],
    ] as const) {
      const records = { trades: own, futureTransactions: [] };
      const ledger = writeLedger(path.join(folder.path, `${own.length}.sqlite`), { records });
      const { symbols } = await analysisOf(ledger, 'bySymbol', asked);
      const { assets } = await analysisOf(ledger, 'calendar', asked);
      ledger.close();
      assert.deepEqual(
        symbols.map(({ net, gross, fees, traded }) => [net, gross, fees, traded?.volume]),
        [[null, null, null, null], ofEth],
      );
      assert.deepEqual(
        assets[0]?.days.map(({ net }) => net),
        days,
      );
    }
  });

  it('are filtered by symbol, direction, result and moment, and counted as filtered', async () => {
    const trades = [
      ...fills([1, 1], [2, -1, { rpnl: '5' }], [3, -1], [4, 1, { rpnl: '-2' }], [5, 1]),
      ...fills([6, 1, { symbol: 'eth_usdt' }], [7, -1, { symbol: 'eth_usdt' }]),
    ].map((each, index) => ({ ...each, tradeId: String(index), orderId: String(index % 4) }));
    const untraded = { symbol: 'btc_usdt', status: 'LIQUIDATED', filled: '0', time: String(at(8)) };
    const orders = [
      anOrder({ ...untraded, orderId: '77' }),
      anOrder({ ...untraded, orderId: '78', status: 'EXECUTED' }),
    ];
    const file = path.join(folder.path, 'ledger.sqlite');
    const ledger = writeLedger(file, { records: { trades, orders } });
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
    assert.equal(await found({ moment: at(2) }), '1,gross 5');
    assert.equal(await found({ moment: at(8) }), '5');
    // The first and the fifth fill are of one order.
    assert.equal(await found({ symbol: 'btc_usdt', orderId: '0' }), '1,5,gross 5');
    assert.equal(await found({ symbol: 'eth_usdt', orderId: '0' }), '');
    assert.equal(await found({ symbol: 'btc_usdt', orderId: '77' }), '5');
    assert.equal(await found({ symbol: 'btc_usdt', orderId: '78' }), '');
    const perPosition = async (asked: Parameters<typeof analysisOf>[2]) =>
      (await analysisOf(ledger, 'numbers', { now: at(60), ...asked })).assets[0]?.perPosition;
    const { positions, undecided, wins, grossPl } = (await perPosition({ positions: {} })) ?? {};
    assert.deepEqual([positions, undecided, wins, grossPl], [3, 0, 1, '3']);
    assert.equal(await perPosition({}), null);
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

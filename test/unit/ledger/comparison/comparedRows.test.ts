import assert from 'node:assert/strict';
import path from 'node:path';
import fc from 'fast-check';
import {
  amountOf,
  isSame,
  isZero,
  sum,
  textOf,
  type Amount,
} from '../../../../src/base/decimal.ts';
import { always, type Interval } from '../../../../src/base/interval.ts';
import { hourMs, minuteMs } from '../../../../src/base/time.ts';
import { compareBook } from '../../../../src/ledger/comparison/compare.ts';
import type { Order, Trade, Transaction } from '../../../../src/exchange/records.ts';
import { parseBotTime } from '../../../../src/ledger/comparison/botValues.ts';
import {
  emptyBook,
  mostListed,
  type BotBook,
  type BotFunding,
  type BotRow,
  type Comparison,
  type ComparisonChoices,
} from '../../../../src/ledger/comparison/comparison.ts';
import { closeness as amountCloseness } from '../../../../src/ledger/comparison/closeness.ts';
import { datedFunding, judgedFunding } from '../../../../src/ledger/comparison/funding.ts';
import { comparisonReader } from '../../../../src/ledger/comparison/ledgerReader.ts';
import { zoneMinutes } from '../../../../src/ledger/comparison/matching.ts';
import { postingDelayMs } from '../../../../src/ledger/ledger.ts';
import { withFile } from '../../../../src/ledger/storage/ledgerFile.ts';
import { recordJson } from '../../../../src/ledger/storage/recordLines.ts';
import { anOrder, aTrade, aTransaction } from '../../../support/builders.ts';
import { ledgerInThisThread, saveRecords } from '../../../support/ledgerUnderTest.ts';
import { asFound } from '../../../support/comparisonTrials.ts';
import { folderOfEachTest } from '../../../support/project.ts';

const start = Date.UTC(2026, 9, 16);
const end = start + 10 * minuteMs;
const place = { table: null, id: '1' };
const written = (figure: Amount | null | undefined): string | null =>
  figure ? textOf(figure) : null;

describe('funding that a bot kept', () => {
  const apart = fc.integer({ min: 0, max: 5 * minuteMs });
  const delay = fc.integer({ min: -minuteMs, max: minuteMs });

  it('agrees if each payment is within a minute of it, however near the others are', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(apart, delay), { maxLength: 6 }), (gaps) => {
        const kept: BotFunding[] = [];
        const payments: Parameters<typeof judgedFunding>[1][number][] = [];
        let at = start;
        for (const [index, [gapMs, delayMs]] of gaps.entries()) {
          at += gapMs;
          const amount = String(2 ** index);
          kept.push({
            place,
            account: null,
            asset: 'usdt',
            amount,
            from: String(at),
            to: String(at),
          });
          const record = aTransaction({ type: 'FUNDING_FEE', asset: 'usdt', amount });
          payments.push({ time: at + delayMs, record });
        }
        const rows = [...judgedFunding(datedFunding(kept, null, end), payments, [always])];
        for (const { judgement } of rows) assert.equal(judgement, 'agrees');
        const total = sum(rows.flatMap(({ figures }) => written(figures.funding?.[1]) ?? []));
        assert.equal(total, sum(payments.flatMap(({ record }) => record.amount ?? [])));
      }),
    );
  });
});

describe('funding of a bot whose time cannot be read', () => {
  it('is undecided, and so is what may be its payment', () => {
    const kept = (amount: string, time: string | null) =>
      ({ place, account: null, asset: 'usdt', amount, from: time, to: time }) as const;
    const payment = (amount: string, time: number) => ({
      time,
      record: aTransaction({ type: 'FUNDING_FEE', asset: 'usdt', amount }),
    });
    const payments = [payment('1', start), payment('2', start + 10 * minuteMs)];
    const judged = (time: string | null) =>
      [
        ...judgedFunding(
          datedFunding([kept('1', String(start)), kept('2', time)], null, end),
          payments,
          [always],
        ),
      ].map(({ judgement, figures: { funding = [null, null] } }) =>
        [judgement, ...funding.map(written)].join(' '),
      );
    assert.deepEqual(judged(String(start + 10 * minuteMs)), ['agrees 1 1', 'agrees 2 2']);
    assert.deepEqual(judged('soon'), ['agrees 1 1', 'undecided  2', 'undecided 2 ']);
    const unreadable = datedFunding([kept('x', String(start))], null, end);
    const [row] = judgedFunding(unreadable, payments.slice(0, 1), [always]);
    assert.equal(row?.judgement, 'undecided');
  });

  it('is only the exchange’s outside of every position, unless it is nothing, and undecided without an amount', () => {
    const from = String(start);
    const kept = [
      { place, account: null, asset: 'usdt', amount: '1', from, to: String(start + hourMs) },
    ];
    const judged = (amounts: readonly (string | null)[]) => {
      const payments = amounts.map((amount, index) => ({
        time: start + index * 2 * hourMs,
        record: aTransaction({ type: 'FUNDING_FEE', asset: 'usdt', amount }),
      }));
      return [...judgedFunding(datedFunding(kept, null, end), payments, [always])].map(
        ({ judgement, causes }) => [judgement, ...causes].join(' '),
      );
    };
    // It has no cause: the bot may have had no position then.
    assert.deepEqual(judged(['1', '2', '0']), ['agrees', 'onlyExchange', 'agrees']);
    assert.deepEqual(judged([null, null]), ['undecided', 'undecided']);
    assert.deepEqual(judged([]), ['onlyBot']);
  });
});

describe('the period of funding', () => {
  it('has what the bot kept after its last trade, and an open position until the ledger’s end', () => {
    const kept = (from: string, to: string | null) =>
      datedFunding(
        [{ place, account: null, asset: null, amount: '1', from, to }],
        { from: start, to: start + 1 },
        end,
      ).period;
    const later = start + 8 * hourMs;
    assert.deepEqual(kept(String(later), String(later)), {
      from: start,
      to: later + minuteMs + 1,
    });
    // Nothing after it was opened is asked for, which may be still to come.
    assert.equal(kept(String(end + hourMs), null)?.to, end + hourMs + 1);
    assert.deepEqual(kept(String(start - 1), null), {
      from: start - 1 - minuteMs,
      to: end,
    });
  });
});

type StoredLedger = {
  readonly trades: readonly Trade[];
  readonly orders?: readonly Order[];
  readonly payments?: readonly Transaction[];
  /** Up to when funding is complete; without it, nowhere. */
  readonly endOfPayments?: number;
  /** Those that are complete. */
  readonly histories?: readonly ('trades' | 'orders')[];
};
type ComparedWith = Omit<StoredLedger, 'trades'> & {
  readonly interval?: Interval;
  readonly book?: Partial<BotBook>;
  readonly choices?: ComparisonChoices;
};

describe('a row of a bot', () => {
  const folder = folderOfEachTest();
  let files = 0;
  const whole = { from: start, to: end };
  const inContracts = { btc_usdt: { symbol: 'btc_usdt', multiplier: '0.01' } };

  const row = (time: number, fields: Partial<BotRow>): BotRow => ({
    ...{ place, clientOrderId: null, tradeId: null, orderId: null, symbol: 'btc_usdt' },
    ...{ side: 'BUY', amount: '1', price: '100', fee: null, feeAsset: null, pnl: null },
    ...{ timeMs: time, isNaive: false, account: null },
    ...fields,
  });
  const trade = (time: number, fields: Partial<Trade>): Trade =>
    aTrade({ amount: '1', price: '100', ...fields, time: String(time) });

  const compared = (
    rows: readonly BotRow[],
    trades: readonly Trade[],
    { interval = whole, book = {}, choices = asFound, ...ledger }: ComparedWith = {},
  ): Comparison => {
    const file = path.join(folder.path, String((files += 1)));
    writeLedger(file, interval, { trades, ...ledger });
    const all = { ...emptyBook, rows, ...book };
    return withFile(file, (database) => compareBook(all, comparisonReader(database), choices));
  };
  const judged = (...args: Parameters<typeof compared>) =>
    compared(...args).rows.map(({ judgement, causes }) => [judgement, ...causes].join(' '));

  it('is only the bot’s, or another one, if the ledger has its moment for certain', () => {
    const rows = [row(start, { orderId: '1' }), row(start, { orderId: '2' })];
    const trades = [trade(start, { orderId: '1', amount: '3.7' })];
    const judgedIn = (from: number, to: number) => judged(rows, trades, { interval: { from, to } });
    assert.deepEqual(judgedIn(start, start + 1), ['differs', 'onlyBot']);
    assert.deepEqual(judgedIn(start + 1, start + 2), ['undecided', 'undecided']);
    assert.deepEqual(judgedIn(start - 1, start), ['undecided', 'undecided']);
  });

  it('of another account is undecided: none of its rows is the ledger’s', () => {
    const accounts = ['here', 'here', 'there'];
    const rows = accounts.map((account, index) => row(start, { orderId: `${index}`, account }));
    const trades = [trade(start, { orderId: '0' })];
    assert.deepEqual(judged(rows, trades), ['onlyBot', 'undecided', 'agrees']);
  });

  it('is compared whatever its size', () => {
    for (const amount of ['9000000', '9100000', '1'.repeat(18)])
      assert.deepEqual(
        judged([row(start, { orderId: '1', amount })], [trade(start, { orderId: '1', amount })]),
        ['agrees'],
      );
  });

  it('is undecided if the ledger may lack the order of the client’s id that it has', () => {
    const found = (histories: readonly ('trades' | 'orders')[]) => {
      const { rows, gaps } = compared(
        [row(start, { clientOrderId: 'own' }), row(start, { orderId: '2' })],
        ['1', '2'].map((id) => trade(start, { orderId: id, tradeId: id })),
        { histories },
      );
      return [...rows, ...gaps].map((each) => ('kind' in each ? each.judgement : each.history));
    };
    assert.deepEqual(found(['trades', 'orders']), ['onlyBot', 'onlyExchange', 'agrees']);
    assert.deepEqual(found(['trades']), ['undecided', 'undecided', 'agrees', 'orders']);
  });

  it('ends the bot’s time: what its orders did from the next moment on came after its stop', () => {
    const own = trade(start, { orderId: '1' });
    const causeAt = (time: number): string | undefined => {
      const trades = [own, trade(time, { orderId: '2', tradeId: '2' })];
      return judged([row(start, { orderId: '1' })], trades, { book: { placed: ['2'] } })[0];
    };
    assert.equal(causeAt(start), 'onlyExchange missingFill');
    assert.equal(causeAt(start + 1), 'onlyExchange afterStop');
    // Nothing of it was filled when the bot noted it.
    const later = [own, trade(start + hourMs, { orderId: '2', tradeId: '2' })];
    const rows = [row(start, { orderId: '1' }), row(start, { orderId: '2', amount: '0' })];
    const interval = { from: start, to: start + 2 * hourMs };
    assert.deepEqual(judged(rows, later, { interval }), [
      'differs afterStop missingFill',
      'agrees',
    ]);
  });

  it('is followed, while its position is open, by what the exchange did with its symbol', () => {
    const trades = ['1', '2'].map((id) =>
      trade(start + (Number(id) - 1) * 20 * hourMs, { orderId: id, tradeId: id }),
    );
    const orders = [anOrder({ orderId: '2', status: 'LIQUIDATED', time: String(start) })];
    const found = (openSymbols: readonly string[]) =>
      judged([row(start, { orderId: '1' })], trades, { book: { openSymbols }, orders });
    assert.deepEqual(found(['btc_usdt']), ['onlyExchange liquidation', 'agrees']);
    assert.deepEqual(found([]), ['agrees']);
  });

  it('has no more than its rates of 8 decimals can show', () => {
    const found = (fee: string, rateDecimals: number | null) =>
      judged(
        [row(start, { orderId: '1', fee, feeAsset: 'usdt' })],
        [trade(start, { orderId: '1', fee: '0.05123456' })],
        { book: { rateDecimals } },
      );
    assert.deepEqual(found('0.0512355', 8), ['agrees']);
    assert.deepEqual(found('0.0512355', null), ['differs']);
    assert.deepEqual(found('0.0512', 8), ['differs rounding']);
  });

  it('says nothing of a symbol or an amount that it does not name', () => {
    const trades = ['btc_usdt', 'eth_usdt'].map((symbol, index) =>
      trade(start, { symbol, orderId: `${index}`, tradeId: `${index}` }),
    );
    const rows = trades.map(({ orderId }) => row(start, { orderId, symbol: null }));
    assert.deepEqual(judged(rows, trades), ['agrees', 'agrees']);
    const empty = ['0', '7'].map((orderId) => row(start, { orderId, amount: null }));
    assert.deepEqual(judged(empty, trades.slice(0, 1)), ['undecided', 'undecided']);
  });

  it('is the trade of its own symbol, if ids are unique only within one', () => {
    const names = ['btc_usdt', 'eth_usdt'];
    for (const id of ['tradeId', 'orderId'] as const) {
      const rows = names.map((symbol, index) =>
        row(start, { [id]: '7', symbol, amount: String(index + 1) }),
      );
      const trades = names.map((symbol, index) =>
        trade(start, { tradeId: `${index}`, [id]: '7', symbol, amount: String(index + 1) }),
      );
      assert.deepEqual(judged(rows, trades), ['agrees', 'agrees'], id);
      assert.deepEqual(judged(rows, trades.toReversed()), ['agrees', 'agrees'], id);
      assert.deepEqual(judged(rows, trades.slice(0, 1)), ['onlyBot', 'agrees'], id);
      for (const both of [trades, trades.toReversed()]) {
        const [first = '', second = ''] = judged(rows.slice(0, 1), both).toSorted();
        assert.match(`${first}, ${second}`, /^agrees, onlyExchange/, id);
      }
    }
  });

  it('is counted twice only if it says what another one says of the same time', () => {
    const later = start + 11 * minuteMs;
    const trades = [
      trade(start, { orderId: '1', tradeId: '1' }),
      trade(later, { orderId: '1', tradeId: '2', price: '107.3' }),
    ];
    const secondAt = (time: number, price = '100') => {
      const rows = [row(start, { orderId: '1' }), row(time, { orderId: '1', price })];
      return judged(rows, trades, { interval: { from: start, to: later + 1 } });
    };
    assert.ok(secondAt(start).includes('onlyBot fillTwice'));
    assert.deepEqual(secondAt(later), ['differs', 'agrees']);
    assert.deepEqual(secondAt(start, '105'), ['differs', 'agrees']);
  });

  it('in contracts is the fill of its order that has its price, or its place in time', () => {
    const trades = ['90', '91', '90'].map((price, index) =>
      trade(start + index, { orderId: '1', price, tradeId: `${index}`, amount: `0.${index + 1}` }),
    );
    const found = (hasTimes: boolean, count: number) => {
      const rows = trades.slice(0, count).map(({ price }, index) => {
        const timeMs = hasTimes ? start + index : null;
        return row(start, { orderId: '1', price, amount: `${index + 1}0`, timeMs });
      });
      const choices = { offsetMinutes: null, symbols: inContracts };
      return compared(rows.toReversed(), trades.slice(0, count), { choices }).counts.agrees;
    };
    assert.deepEqual([found(true, 3), found(false, 2)], [3, 2]);
  });

  it('has more than the exchange for certain only if the exchange says that no more was filled', () => {
    const judgedWith = (trades: readonly Trade[], filled: string | null) => {
      const orders = filled === null ? [] : [anOrder({ orderId: '1', filled })];
      const rows = [row(start, { orderId: '1', amount: '2' })];
      return compared(rows, trades, { orders }).rows.map(({ judgement, causes }) =>
        [judgement, ...causes].join(' '),
      );
    };
    const own = trade(start, { orderId: '1' });
    assert.deepEqual(judgedWith([own], '1'), ['differs fillTwice']);
    for (const filled of ['2', null]) assert.deepEqual(judgedWith([own], filled), ['undecided']);
    // Also a trade that is older than any zone.
    const older = trade(start - 20 * hourMs, { orderId: '1', tradeId: '2' });
    assert.deepEqual(judgedWith([own, older], null), ['agrees']);
  });

  it('lacks a fill if a part is missing, although it looks rounded', () => {
    const trades = ['2', '0.1'].map((amount, index) =>
      trade(start, { orderId: '1', tradeId: String(index), amount }),
    );
    const rows = [row(start, { orderId: '1', amount: '2' })];
    assert.deepEqual(judged(rows, trades), ['differs missingFill rounding']);
    // A tenth of it is no contract.
    const tenth = [
      trade(start, { orderId: '1', tradeId: '3', amount: '18' }),
      ...trades.slice(0, 1),
    ];
    assert.deepEqual(judged(rows, tenth), ['differs missingFill multiplier']);
  });

  it('shows that the other fills of its order are the bot’s, without ids of orders', () => {
    const trades = ['1', '2'].map((tradeId) => trade(start, { orderId: '1', tradeId }));
    assert.equal(judged([row(start, { tradeId: '1' })], trades)[0], 'onlyExchange missingFill');
    assert.equal(judged([row(start, {})], trades)[0], 'onlyExchange missingFill');
  });

  it('shows a multiplier only with more than half of its symbol’s rows', () => {
    const multiplier = (ratios: readonly number[]) => {
      const rows = ratios.map((_ratio, index) => row(start, { orderId: String(index) }));
      const trades = ratios.map((ratio, index) =>
        trade(start, { orderId: String(index), tradeId: String(index), amount: String(ratio) }),
      );
      return compared(rows, trades).conventions.symbols[0]?.multiplier;
    };
    assert.equal(multiplier([10, 10, 10]), '10');
    assert.equal(multiplier([10, 10]), '1');
    assert.equal(multiplier([10, 10, 10, 1, 2, 3]), '1');
    assert.equal(multiplier([10, 10, 10, 10, 2, 3, 4]), '10');
  });

  it('without a time has that of its trade, and is undecided without a trade', () => {
    const untimed = (orderId: string) => row(start, { orderId, timeMs: null });
    const trades = [trade(start, { orderId: '1' })];
    const { counts, period } = compared(['1', '2'].map(untimed), trades);
    assert.deepEqual(period, { from: start, to: start + 1 });
    assert.deepEqual([counts.agrees, counts.undecided, counts.onlyBot], [1, 1, 0]);
    const funding = [
      { place, account: null, asset: 'usdt', amount: '3', from: String(start), to: null },
    ];
    const unknown = compared([untimed('2')], trades, { book: { funding } });
    assert.equal(unknown.counts.undecided, 2);
    const [total] = unknown.totals.filter(({ figure }) => figure === 'funding');
    assert.deepEqual([total?.bot, total?.exchange], ['3', null]);
  });

  it('has a part in the P&L of positions: the exchange’s total has every order, if the sign of fees is shown', () => {
    const found = (fee: string | null, orderIds: readonly string[], feeAsset = 'usdt') => {
      const trades = ['1', '2', '3'].map((id) =>
        trade(start, { orderId: id, tradeId: id, rpnl: '5', fee: id, feeAsset }),
      );
      const rows = ['1', '2'].map((orderId) =>
        row(start, { orderId, fee: orderId === '1' ? fee : null, feeAsset }),
      );
      const position = { place, symbol: null, pnl: '4', funding: null, time: null, orderIds };
      const book = { positions: () => [position] };
      const { rows: listed, totals } = compared(rows, trades, { book });
      const { judgement } = listed.find(({ kind }) => kind === 'position') ?? {};
      const pnl = totals.find(({ figure }) => figure === 'pnl');
      return [judgement, pnl?.exchange, pnl?.remainder];
    };
    assert.deepEqual(found('1', ['1']), ['agrees', '9', '0']);
    assert.deepEqual(found(null, ['1']), ['undecided', null, null]);
    assert.deepEqual(found('1', ['dry run']), ['undecided', null, null]);
    // A fee in another asset is no part of the P&L in this one.
    assert.deepEqual(found('1', ['1'], 'bnb'), ['undecided', null, null]);
  });

  it('has a P&L less its fee only where both are in one asset', () => {
    const pnls = (feeAsset: string) => {
      const ids = ['1', '2', '3'];
      const trades = ids.map((id) =>
        trade(start, {
          ...{ orderId: id, tradeId: id, rpnl: '5', fee: '1' },
          feeAsset: id === '3' ? feeAsset : 'usdt',
        }),
      );
      const rows = ids.map((orderId) => row(start, { orderId, pnl: '4' }));
      return compared(rows, trades).rows.map(({ figures }) => figures.pnl?.[1]);
    };
    assert.deepEqual(pnls('USDT'), ['4', '4', '4']);
    assert.deepEqual(pnls('bnb'), ['4', '4', null]);
  });

  it('has no P&L to compare if a fee in another asset may be in it', () => {
    const found = (...pnls: readonly string[]) => {
      const trades = pnls.map((_pnl, index) =>
        trade(start, {
          ...{ orderId: `${index}`, tradeId: `${index}`, rpnl: '5', fee: '1' },
          feeAsset: index === 0 ? 'bnb' : 'usdt',
        }),
      );
      const rows = pnls.map((pnl, index) => row(start, { orderId: `${index}`, pnl }));
      const { counts, totals } = compared(rows, trades);
      const { exchange, remainder } = totals.find(({ figure }) => figure === 'pnl') ?? {};
      return [counts.differs, exchange, remainder];
    };
    assert.deepEqual(found('4.7'), [0, null, null]);
    assert.deepEqual(found('5'), [0, '5', '0']);
    assert.deepEqual(found('4.7', '5'), [1, '10', '0']);
    assert.deepEqual(found('4.7', '4'), [0, null, null]);
  });

  it('has no P&L where nothing was realised, although those of the others are without the fee', () => {
    const trades = ['0', '5', '7'].map((rpnl) =>
      trade(start, { orderId: rpnl, tradeId: rpnl, rpnl, fee: '1' }),
    );
    const rows = ['0', '4', '6'].map((pnl, index) =>
      row(start, { orderId: trades[index]?.orderId ?? null, pnl }),
    );
    assert.equal(compared(rows, trades).counts.agrees, 3);
  });

  it('may be before the funding of a position that is still open', () => {
    const later = start + 8 * hourMs;
    const time = String(later);
    const funding = [{ place, account: null, asset: 'usdt', amount: '1.5', from: time, to: time }];
    const paid = { time, type: 'FUNDING_FEE', asset: 'usdt', amount: '1.5' };
    const rows = [row(start, { orderId: '1' })];
    const found = compared(rows, [trade(start, { orderId: '1' })], {
      book: { funding },
      payments: [aTransaction(paid)],
    });
    assert.equal(found.counts.agrees, 2);
  });

  it('may be of a position that is still open: its funding is paid on, and what differs may be later than the books', () => {
    const funding = (amount: string) => [
      {
        place,
        account: null,
        asset: 'usdt',
        amount: '1',
        from: String(start),
        to: String(start + minuteMs),
      },
      { place, account: null, asset: 'usdt', amount, from: String(start + 5 * minuteMs), to: null },
    ];
    const payments = [minuteMs, 9 * minuteMs].map((after, index) =>
      aTransaction({
        ...{ type: 'FUNDING_FEE', asset: 'usdt', transactionId: String(index) },
        ...{ amount: String(index + 1), time: String(start + after) },
      }),
    );
    const found = (amount: string, endOfPayments = end) => {
      const { rows, totals } = compared(
        [row(start, { orderId: '1' })],
        [trade(start, { orderId: '1' })],
        { payments, endOfPayments, book: { funding: funding(amount) } },
      );
      const kept = rows.filter(({ kind }) => kind === 'funding').map((each) => each.judgement);
      const total = totals.find(({ figure }) => figure === 'funding');
      return [...kept.toSorted(), total?.bot, total?.exchange, total?.remainder];
    };
    assert.deepEqual(found('2'), ['agrees', 'agrees', '3', '3', '0']);
    for (const amount of ['0', '4'])
      assert.deepEqual(found(amount), ['agrees', 'undecided', String(1 + +amount), null, null]);
    assert.deepEqual(found('0', start + 3 * minuteMs), ['agrees', 'undecided', '1', null, null]);
  });

  it('may be of a trade that no row has, if some could not be read', () => {
    const rows = [row(start, { orderId: '1' })];
    const trades = ['1', '2'].map((id) => trade(start, { orderId: id, tradeId: id }));
    const judgedWith = (unreadRows: number) => judged(rows, trades, { book: { unreadRows } });
    assert.deepEqual(judgedWith(0), ['onlyExchange manual missingFill', 'agrees']);
    assert.deepEqual(judgedWith(1), ['undecided', 'agrees']);
  });

  it('is listed if it is among the first by time of those that diverge', () => {
    const times = Array.from({ length: 2 * mostListed + 2 }, (_none, index) => start + index);
    const rows = times.toReversed().map((time) => row(time, { orderId: `own ${time}` }));
    // What only the exchange has is judged after every row of the bot.
    const lonely = trade(start + 1, { orderId: '1' });
    const agreeing = trade(start, { orderId: '2', tradeId: '2' });
    const undecided = times.map((time) => row(time - hourMs, { orderId: `early ${time}` }));
    const all = [...undecided, ...rows, row(start, { orderId: '2' })];
    const { rows: listed } = compared(all, [lonely, agreeing]);
    assert.deepEqual([listed.length, listed.at(-1)?.time], [mostListed, start + mostListed - 2]);
    assert.equal(listed.filter(({ judgement }) => judgement === 'onlyExchange').length, 1);
  });

  it('without an id is undecided, and what may be its trade, if no row of its symbol is like a trade', () => {
    const judgedWith = (fields: Partial<BotRow>, choices: ComparisonChoices = asFound) => {
      const rows = [row(start, { amount: '10', ...fields })];
      const trades = [trade(start, { orderId: '1' })];
      return compared(rows, trades, { choices }).rows.map(({ judgement }) => judgement);
    };
    assert.deepEqual(judgedWith({}), ['undecided', 'undecided']);
    assert.deepEqual(judgedWith({ amount: '1', side: 'sell' }), ['undecided', 'undecided']);
    // It may be of either side.
    assert.deepEqual(judgedWith({ amount: '1', side: 'short' }), ['agrees']);
    for (const symbol of ['btc_usdt', ' BTC/USDT:USDT ']) {
      const symbols = { btc_usdt: { symbol, multiplier: '0.1' } };
      assert.deepEqual(judgedWith({}, { offsetMinutes: null, symbols }), ['agrees']);
    }
  });

  it('says so if its symbol or side is another one', () => {
    const wordsOf = (fields: Partial<BotRow>) =>
      compared(
        [row(start, { orderId: '1', ...fields }), row(start, { orderId: '2', symbol: 'eth_usdt' })],
        ['btc_usdt', 'eth_usdt'].map((symbol, index) =>
          trade(start, { symbol, orderId: String(index + 1), tradeId: symbol }),
        ),
      ).firstDivergent?.differingWords.map(({ field }) => field);
    assert.deepEqual(wordsOf({ symbol: 'BTC/USDT:USDT', side: 'long' }), undefined);
    assert.deepEqual(wordsOf({ symbol: 'eth_usdt' }), ['symbol']);
    assert.deepEqual(wordsOf({ side: 'sell' }), ['side']);
    assert.deepEqual(wordsOf({ side: 'short' }), undefined);
  });

  it('is of another zone only if the book has the times of fills', () => {
    const judgedWith = (lateRows: number) => {
      const ids = Array.from({ length: 12 }, (_none, index) => String(index));
      const trades = ids.map((id) => trade(start, { orderId: id, tradeId: id }));
      const delays = [4 * hourMs, ...Array<number>(lateRows).fill(7 * minuteMs)];
      const rows = ids.map((id, index) => row(start - (delays[index] ?? 0), { orderId: id }));
      return judged(rows, trades, { interval: { from: start - 4 * hourMs, to: end } })[0];
    };
    assert.equal(judgedWith(1), 'differs zone');
    assert.equal(judgedWith(7), 'agrees');
    const zoneOf = (isNaive: boolean) =>
      compared([row(start, { orderId: '1', isNaive })], [trade(start, { orderId: '1' })], {
        choices: { offsetMinutes: 60, symbols: {} },
      }).conventions;
    assert.deepEqual(
      [true, false].map((isNaive) => {
        const { offsets, hasNaiveTimes } = zoneOf(isNaive);
        return [offsets[0]?.minutes, hasNaiveTimes];
      }),
      [
        [60, true],
        [0, false],
      ],
    );
  });

  it('without an id is that of a whole order, and undecided beside one of other figures', () => {
    const trades = ['1', '2', '3'].map((tradeId) =>
      trade(start, { orderId: tradeId === '1' ? '1' : '2', tradeId, price: `9${tradeId}` }),
    );
    const judgedAt = (time: number, price: string) =>
      judged([row(start, { price: '91' }), row(time, { amount: '2', price })], trades);
    assert.deepEqual(judgedAt(start, '92.5'), ['agrees', 'agrees']);
    assert.deepEqual(judgedAt(start + minuteMs, '92.4'), ['undecided', 'undecided', 'agrees']);
  });

  it('without an id is that of the nearest trade that says the same', () => {
    const trades = [0, 6, 9].map((after) =>
      trade(start + after * minuteMs, { orderId: `${after}`, tradeId: `${after}` }),
    );
    const rows = [0, 9].map((after) => row(start + after * minuteMs, {}));
    const { firstDivergent } = compared(rows, trades);
    assert.equal(firstDivergent?.orderId, '6');
  });

  it('without an id is matched on both sides of a change of clocks', () => {
    const times = Array.from({ length: 50 }, (_none, index) => start + index * 20 * minuteMs);
    const trades = times.map((time, index) =>
      trade(time, { orderId: `${index}`, tradeId: `${index}`, price: `${100 + index}` }),
    );
    const rows = times.map((time, index) =>
      row(time + (index < 42 ? 2 : 1) * hourMs, { price: `${100 + index}`, isNaive: true }),
    );
    const interval = { from: start - 24 * hourMs, to: start + 24 * hourMs };
    assert.equal(compared(rows, trades, { interval }).counts.agrees, 50);
  });

  it('of which all were noted late shows the nearest zone, and ends the book after its fill', () => {
    const found = (leadMs: number, isNaive: boolean) => {
      const rows = [row(start + leadMs, { orderId: '1', isNaive })];
      const { conventions, period } = compared(rows, [trade(start, { orderId: '1' })]);
      return [conventions.offsets[0]?.minutes, (period?.to ?? 0) - start];
    };
    const late = 30_000;
    assert.deepEqual(found(2 * hourMs + late, true), [120, 1]);
    assert.deepEqual(found(-3 * hourMs + late, true), [-180, 1]);
    assert.deepEqual(found(-3 * hourMs + late, false), [0, 1]);
    assert.deepEqual(found(-999 * hourMs, true), [0, 1]);
  });

  it('may be in any zone of the world: in India, Nepal, Adelaide, Newfoundland', () => {
    const hours = [-12, -3.5, 0, 5.5, 5.75, 9.5, 14];
    assert.deepEqual(
      zoneMinutes.filter((minutes) => hours.includes(minutes / 60)),
      hours.map((hour) => hour * 60),
    );
    assert.deepEqual([zoneMinutes[0], zoneMinutes.at(-1)], [-12 * 60, 14 * 60]);
  });

  it('has an average price that is near enough if the digits that it shows are rounded', () => {
    const judgedAt = (price: string, other: string) => {
      const trades = ['1', '2'].map((tradeId, index) =>
        trade(start, { orderId: '1', tradeId, price: index === 0 ? '1' : other }),
      );
      return judged([row(start, { orderId: '1', amount: '2', price })], trades)[0];
    };
    // The exchange’s average is 1.00004.
    for (const price of ['1.00004', '1.000040000000001', '1.0000', '1'])
      assert.equal(judgedAt(price, '1.00008'), 'agrees');
    for (const price of ['1.1', '1.00001', '1.00003', '1.00005'])
      assert.match(judgedAt(price, '1.00008') ?? '', /^differs/, price);
    // 1.34, and 1.47.
    assert.equal(judgedAt('1.3', '1.68'), 'differs rounding');
    assert.equal(judgedAt('1', '1.94'), 'differs');
  });

  it('has no total of a figure that its bot does not keep', () => {
    const rows = [row(start, { orderId: '1', fee: '1', feeAsset: 'usdt' })];
    const trades = [trade(start, { orderId: '1', fee: '1', rpnl: '5' })];
    // All its positions are open.
    const { totals } = compared(rows, trades, { book: { positions: () => [] } });
    assert.deepEqual(
      totals.map(({ figure }) => figure),
      ['fee'],
    );
  });

  it('leaves no remainder to totals that are not whole', () => {
    const rows = [row(start, { orderId: '1', fee: '1', feeAsset: 'usdt', pnl: '2.5' })];
    const trades = [trade(start, { orderId: '1', fee: '1', rpnl: '3' })];
    const totalsIn = (interval: Interval, unreadRows = 0, more: readonly BotRow[] = []) =>
      compared([...rows, ...more], trades, { interval, book: { unreadRows } }).totals.map(
        ({ figure, bot, exchange, remainder }) => [...[figure, bot, exchange, remainder]],
      );
    assert.deepEqual(totalsIn(whole), [
      ['pnl', '2.5', '3', '0'],
      ['fee', '1', '1', '0'],
    ]);
    // What only the bot has is in the totals of its symbol's asset.
    const twice = row(start, { orderId: '2', symbol: 'BTC/USDT', pnl: '1' });
    assert.deepEqual(totalsIn(whole, 0, [twice])[0], ['pnl', '3.5', '3', '0']);
    assert.deepEqual(totalsIn(whole, 1), [
      ['pnl', null, '3', null],
      ['fee', null, '1', null],
    ]);
    const untimed = row(start, { orderId: '2', timeMs: null, fee: '4', feeAsset: 'usdt' });
    assert.deepEqual(totalsIn(whole, 0, [untimed]), [
      ['pnl', '2.5', '3', '0'],
      ['fee', '5', null, null],
    ]);
    const assetless = row(start, { orderId: '2', fee: '4' });
    assert.deepEqual(totalsIn(whole, 0, [assetless]), [
      ['pnl', '2.5', '3', '0'],
      ['fee', null, '1', null],
      ['fee', null, '0', null],
    ]);
    const unknown = [trade(start, { orderId: '1', fee: null, rpnl: null })];
    for (const { exchange, explained, remainder } of compared(rows, unknown).totals)
      assert.deepEqual([exchange, explained, remainder], [null, [], null]);
    const mixed = [
      ...['usdt', 'bnb'].map((feeAsset) =>
        trade(start, { orderId: '1', tradeId: feeAsset, feeAsset, fee: '1', amount: '0.5' }),
      ),
      trade(start, { orderId: '2', tradeId: '2', feeAsset: 'eth', fee: '3' }),
    ];
    const ofMixed = compared([...rows, row(start, { orderId: '2' })], mixed);
    const fees = ofMixed.totals.filter(({ figure }) => figure === 'fee');
    assert.deepEqual(
      fees.map(({ asset, exchange }) => [asset, exchange]),
      [
        ['usdt', null],
        ['eth', null],
      ],
    );
    assert.deepEqual(totalsIn({ from: start + 1, to: end }), [
      ['pnl', '2.5', null, null],
      ['fee', '1', null, null],
    ]);
  });
});

/** The histories are complete in the interval. */
function writeLedger(
  file: string,
  { from, to }: Interval,
  {
    trades,
    orders = [],
    payments = [],
    endOfPayments,
    histories = ['trades', 'orders'],
  }: StoredLedger,
): void {
  const ledger = ledgerInThisThread({ file });
  ledger.keepSymbols([{ symbol: 'btc_usdt', marginAsset: 'usdt', quoteAsset: 'usdt' }]);
  const read = { from, to, asOf: to + postingDelayMs, purpose: 'download' } as const;
  for (const history of histories) {
    const { id } = ledger.beginWalk({ history, ...read });
    ledger.saveStep(id, (history === 'trades' ? trades : orders).map(recordJson), null);
    ledger.endWalk(id, { completeness: 'complete', reason: null });
  }
  if (endOfPayments !== undefined) {
    const paid = { from: from - hourMs, to: endOfPayments, asOf: endOfPayments + postingDelayMs };
    const all = { history: 'futureTransactions', ...paid, purpose: 'download' } as const;
    const { id } = ledger.beginWalk(all);
    ledger.saveStep(
      id,
      payments.filter(({ time }) => Number(time) < endOfPayments).map(recordJson),
      null,
    );
    ledger.endWalk(id, { completeness: 'complete', reason: null });
  } else if (payments.length > 0) saveRecords(ledger, 'futureTransactions', payments);
  ledger.close();
}

describe('a figure of a bot', () => {
  const closeness = (bot: string, exchange: string) =>
    amountCloseness(amountOf(bot), amountOf(exchange));
  const digits = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });

  it('is rounded if it is the exchange’s with fewer decimals, to nearest or cut, and not 0', () => {
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 5 }), (integer, decimals) => {
        const exchange = textOf({ integer, fraction: 6 });
        const unit = 10n ** BigInt(6 - decimals);
        const cut = textOf({ integer: integer / unit, fraction: decimals });
        const found = closeness(cut, exchange);
        if (isSame(cut, exchange)) assert.equal(found, 'same');
        else assert.ok(found === (isZero(cut) ? 'other' : 'rounded') || found === 'noise');
      }),
    );
    assert.equal(closeness('0', '0.4'), 'other');
    assert.equal(closeness('0.5', '0.44'), 'other');
  });

  it('has the time of its text in every form, to the millisecond', () => {
    const time = fc.integer({ min: 1000, max: 4e12 });
    fc.assert(
      fc.property(time, fc.boolean(), fc.integer({ min: 1, max: 6 }), (ms, isNaive, decimals) => {
        const unit = 10 ** Math.max(0, 3 - decimals);
        const cut = ms - (ms % unit);
        const [seconds = '', fraction = ''] = new Date(cut).toISOString().slice(0, -1).split('.');
        const written = `${seconds.replace('T', ' ')}.${fraction.padEnd(6, '0').slice(0, decimals)}`;
        const zone = isNaive ? '' : '+00:00';
        assert.deepEqual(parseBotTime(written + zone), { ms: cut, isNaive });
      }),
    );
    assert.equal(parseBotTime('2026-10-16T00:00:00-05:30')?.ms, start + 5.5 * 60 * minuteMs);
    assert.equal(parseBotTime('2026-10-16 00:00:00.000+02')?.ms, start - 2 * hourMs);
    for (const none of ['0001-01-01', '1970-01-01', '2026-02-31', '2026-20-10'])
      assert.equal(parseBotTime(none), null);
  });
});

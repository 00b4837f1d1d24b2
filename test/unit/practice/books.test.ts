import assert from 'node:assert/strict';
import Big from 'big.js';
import fc from 'fast-check';
import { bookedAssets } from '../../../src/practice/balance.ts';
import { Books, type BookedEntry } from '../../../src/practice/books.ts';
import { historyStart, weekEnd, weekStart } from '../../../src/practice/calendar.ts';
import { total } from '../../../src/practice/cash.ts';
import { accountTypes, type AccountType } from '../../../src/practice/entries.ts';
import { Journal } from '../../../src/practice/journal.ts';
import { Venue } from '../../../src/practice/venue.ts';
import { dayMs, movableClock, noon } from './movableClock.ts';

const hourMs = 3_600_000;

/** The sum of every account type and asset, under both their names. */
function sumsOf(entries: readonly BookedEntry[]): (accountType: AccountType, asset: string) => Big {
  const groups = Map.groupBy(entries, ({ accountType, asset }) => `${accountType} ${asset}`);
  return (accountType, asset) =>
    total((groups.get(`${accountType} ${asset}`) ?? []).map(({ amount }) => amount));
}

const amountsOf = (entries: readonly BookedEntry[], type: string) =>
  entries.filter((entry) => entry.type === type).map(({ amount }) => amount);

for (const seed of [1, 20_261_120]) {
  describe(`the books, seed ${seed}`, () => {
    const journal = new Journal(seed);
    const books = new Books(seed, journal);
    before(() => void books.entries(noon));

    /** What the histories add up to must be what the account shows, and no account is overdrawn. */
    function assertAddsUp(now: number): void {
      const entries = books.entries(now);
      assert.ok(entries.every(({ time }) => time <= now && time >= historyStart(now)));
      const sumOf = sumsOf(entries);
      for (const { asset, amount } of books.balances(now)) {
        assert.equal(sumOf('FUTURE', asset).toFixed(), amount.toFixed(), asset);
        assert.ok(amount.gt(0), `${asset} ${amount.toFixed()}`);
        assert.match(amount.toFixed(), /^\d+(?:\.\d{1,18})?$/);
        assert.ok(sumOf('SPOT', asset).gte(0), asset);
      }
    }

    it('add up to the balances at any moment', () => {
      const moments = fc.integer({ min: noon - 10 * dayMs, max: noon + 10 * dayMs });
      fc.assert(fc.property(moments, assertAddsUp), { numRuns: 40 });
    });

    it('add up around every opening, and where the histories lose their oldest week', () => {
      for (
        let week = weekStart(noon) - 14 * dayMs;
        week <= noon + 7 * dayMs;
        week = weekEnd(week)
      ) {
        const loss = week - dayMs;
        assert.notEqual(historyStart(loss - 1), historyStart(loss));
        for (const moment of [loss, week])
          for (const offset of [-1000, -1, 0, 1, 1000]) assertAddsUp(moment + offset);
      }
    });

    it('add up at every entry of a week, and just before it', () => {
      const week = weekStart(noon);
      const times = new Set(books.entries(noon).flatMap(({ time }) => (time >= week ? time : [])));
      assert.ok(times.size > 100);
      for (const time of [...times].filter((_, index) => index % 20 === 0)) {
        assertAddsUp(time - 1);
        assertAddsUp(time);
      }
    });

    it('begin with opening entries, and a week that is over adds up to nothing', () => {
      const entries = books.entries(noon);
      const first = entries.at(-1);
      assert.equal(first?.time, historyStart(noon));
      assert.equal(first.type, 'DEPOSIT');
      const end = weekEnd(historyStart(noon));
      const isOfNextWeek = ({ time, type }: BookedEntry) =>
        time > end || (time === end && type !== 'TRANSFER_TO_SPOT' && type !== 'WITHDRAW');
      const sumOf = sumsOf(entries.filter((entry) => !isOfNextWeek(entry)));
      for (const accountType of accountTypes)
        for (const asset of bookedAssets) assert.equal(sumOf(accountType, asset).toFixed(), '0');
    });

    it('stand newest first under unique ids of 19 digits that grow with time', () => {
      const entries = books.entries(noon);
      for (const [index, { time, transactionId }] of entries.slice(1).entries()) {
        const newer = entries[index];
        assert.ok(newer && newer.time >= time && newer.transactionId > transactionId);
        assert.match(String(transactionId), /^\d{19}$/);
      }
    });

    it('never change what they told', () => {
      const known = (time: number) =>
        books
          .entries(time)
          .filter((entry) => entry.time >= noon - 60 * dayMs && entry.time <= noon)
          .map(({ transactionId, amount, type }) => `${transactionId} ${type} ${amount.toFixed()}`);
      const before = known(noon);
      const other = new Books(seed, new Journal(seed));
      assert.deepEqual(known(noon + 10 * dayMs), before);
      const later = other.entries(noon + 10 * dayMs).map(({ transactionId }) => transactionId);
      assert.deepEqual(
        later,
        books.entries(noon + 10 * dayMs).map(({ transactionId }) => transactionId),
      );
    });

    it('charge every trade its fee, and book what it made real', () => {
      const entries = books.entries(noon);
      const trades = journal.orderEnds(historyStart(noon), noon).flatMap((end) => end.trades);
      const fees = amountsOf(entries, 'FEE');
      assert.equal(fees.length, trades.filter(({ fee }) => !fee.eq(0)).length);
      assert.ok(total(fees).eq(total(trades.map(({ fee }) => fee)).neg()));
      const realised = amountsOf(entries, 'REALIZED_PL');
      assert.equal(realised.length, trades.filter(({ rpnl }) => !rpnl.eq(0)).length);
      assert.ok(total(realised).eq(total(trades.map(({ rpnl }) => rpnl))));
      assert.ok(fees.some((fee) => fee.gt(0)) && fees.some((fee) => fee.lt(0)));
    });

    it('charge half a percent for a liquidated position', () => {
      const liquidated = journal
        .orderEnds(historyStart(noon), noon)
        .filter(({ order }) => order.status === 'LIQUIDATED')
        .sort((one, other) => other.order.time - one.order.time);
      const fees = books.entries(noon).filter(({ type }) => type === 'LIQUIDATION_FEE');
      assert.ok(liquidated.length > 0);
      assert.deepEqual(
        fees.map(({ time, amount }) => [time, amount.toFixed()]),
        liquidated.map(({ order: { time, filled, averageExecutionPrice } }) => {
          const fee = filled.times(averageExecutionPrice).times('-0.005');
          return [time, fee.round(8, Big.roundHalfEven).toFixed()];
        }),
      );
    });

    it('fund every position every eight hours, by at most 0.03 % of its value', () => {
      const funding = books.entries(noon).filter(({ type }) => type === 'FUNDING_FEE');
      assert.ok(funding.every(({ time }) => time % (8 * hourMs) === 0));
      for (let time = noon - 60 * hourMs; time < noon; time += hourMs) {
        const paid = funding.filter((entry) => entry.time === time);
        const positions = time % (8 * hourMs) === 0 ? journal.positions(time) : [];
        assert.ok(paid.length <= positions.length);
        const values = positions.map(({ amount, markPrice }) => amount.abs().times(markPrice));
        const sum = total(paid.map(({ amount }) => amount.abs()));
        assert.ok(sum.lte(total(values).times('0.0003').plus('0.000001')));
      }
      assert.ok(funding.some(({ amount }) => amount.gt(0)));
      assert.ok(funding.some(({ amount }) => amount.lt(0)));
    });
  }).timeout(30_000);
}

describe('the account behind the books', () => {
  it('has something free and an equity near its opening amount, around every Monday', () => {
    for (const seed of [3, 4]) {
      const clock = movableClock(weekStart(noon));
      const venue = new Venue({ seed, clock, weightLimit: 1 });
      for (let offset = -70 * dayMs; offset <= 0; offset += 7 * dayMs) {
        for (const around of [-1, 0, 1, 3.4 * dayMs]) {
          clock.moveTo(weekStart(noon) + offset + around);
          const { assets, equity } = venue.account();
          const usdt = assets[0];
          assert.ok(usdt?.deposited.minus(usdt.margin).minus(usdt.locked).gt(0));
          assert.ok(equity.gt(15_000) && equity.lt(40_000), equity.toFixed());
        }
      }
    }
  });
}).timeout(30_000);

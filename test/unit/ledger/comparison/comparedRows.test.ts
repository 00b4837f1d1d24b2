import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sum } from '../../../../src/base/decimal.ts';
import { minuteMs } from '../../../../src/base/time.ts';
import { compareBook } from '../../../../src/ledger/comparison/compare.ts';
import type { BotFunding, BotRow } from '../../../../src/ledger/comparison/comparison.ts';
import { Fills } from '../../../../src/ledger/comparison/fills.ts';
import { judgedFunding } from '../../../../src/ledger/comparison/funding.ts';
import { postingDelayMs } from '../../../../src/ledger/ledger.ts';
import { aTrade, aTransaction } from '../../../support/builders.ts';
import { ledgerInMemory } from '../../../support/ledgerInMemory.ts';

const start = Date.UTC(2026, 9, 16);
const place = { table: null, key: null, id: '1' };

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
          kept.push({ place, asset: 'usdt', amount, from: String(at), to: String(at) });
          const record = aTransaction({ type: 'FUNDING_FEE', asset: 'usdt', amount });
          payments.push({ time: at + delayMs, record });
        }
        const rows = [...judgedFunding(kept, payments, () => true)];
        for (const { judgement } of rows) assert.equal(judgement, 'agrees');
        const total = sum(rows.flatMap(({ figures }) => figures.funding?.[1] ?? []));
        assert.equal(total, sum(payments.flatMap(({ record }) => record.amount ?? [])));
      }),
    );
  });
});

describe('the fills of an order', () => {
  it('have the sum of a figure only if all of it is known, and a fee only in one asset', () => {
    const figure = fc.option(fc.constantFrom('0', '1.5', '-0.25'));
    const trade = {
      amount: figure,
      rpnl: figure,
      fee: figure,
      feeAsset: fc.constantFrom('a', 'b'),
    };
    fc.assert(
      fc.property(fc.array(fc.record(trade), { minLength: 1, maxLength: 4 }), (all) => {
        const [first, ...others] = all.map((fields) => aTrade(fields));
        const fills = new Fills(first ?? aTrade(), start);
        for (const each of others) fills.add(each, start);
        const sumOf = (name: 'amount' | 'rpnl' | 'fee'): string | null => {
          const known = all.flatMap((each) => each[name] ?? []);
          return known.length < all.length ? null : sum(known);
        };
        const isOneAsset = new Set(all.map(({ feeAsset }) => feeAsset)).size === 1;
        assert.deepEqual(
          [fills.amount, fills.pnl, fills.fee],
          [sumOf('amount'), sumOf('rpnl'), isOneAsset ? sumOf('fee') : null],
        );
      }),
    );
  });
});

describe('a row of a bot', () => {
  it('is only the bot’s, or another one, if the ledger has its moment for certain', () => {
    const none = { clientOrderId: null, tradeId: null, price: null, fee: null, feeAsset: null };
    const row = (orderId: string, time: number): BotRow => ({
      ...{ ...none, place, orderId, symbol: 'btc_usdt', side: 'BUY', amount: '1', pnl: null },
      ...{ time: String(time), at: { ms: time, isNaive: false } },
    });
    const matched = aTrade({ orderId: '1', amount: '2', time: String(start) });
    const rows = [row('1', start), row('2', start)];
    const books = { rows, bot: null, placed: [], funding: null, positions: [], decimals: null };
    const judged = (from: number, to: number) => {
      const read = { completeness: 'complete', reason: null, asOf: to + postingDelayMs } as const;
      const coverage = { trades: [{ from, to, ...read }], orders: [{ from, to, ...read }] };
      const reader = ledgerInMemory({ checkpoints: [], records: { trades: [matched] }, coverage });
      const asFound = { offsetMinutes: null, symbols: {} };
      const all = { ...reader, symbols: () => ['btc_usdt'] };
      return compareBook(books, all, asFound).rows.map(({ judgement }) => judgement);
    };
    assert.deepEqual(judged(start, start + 1), ['differs', 'onlyBot']);
    assert.deepEqual(judged(start + 1, start + 2), ['undecided', 'undecided']);
    assert.deepEqual(judged(start - 1, start), ['undecided', 'undecided']);
  });
});

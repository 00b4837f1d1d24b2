import fc from 'fast-check';
import assert from 'node:assert/strict';
import { compare, extremes, isSame, sum } from '../../../src/base/decimal.ts';
import type { Trade } from '../../../src/exchange/records.ts';
import type { LedgerQuery } from '../../../src/ledger/ledger.ts';
import type { LedgerCalls } from '../../../src/ledger/storedLedger.ts';
import { parseRecord } from '../../../src/ledger/storage/recordLines.ts';
import { aTrade, type Whole, anOrder } from '../../support/builders.ts';
import { aQuery, beginWalk, ledgerOf, ledgersOfEachTest } from '../../support/ledgerUnderTest.ts';

const long = `0.${'0'.repeat(20)}`;
const amount = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '1',
    '1.0',
    '-1.5',
    '12345678901.5',
    '0.00000000000001',
    '-1E-7',
    '3E2',
  ),
  fc.constantFrom(`${long}1`, `-${long}2`, '9'.repeat(30)),
);
const trade = fc.record({
  orderId: fc.constantFrom('12', '120', '1234', '3', `12${'0'.repeat(30)}`),
  time: fc.integer({ min: 1_763_632_800_000, max: 1_763_632_800_005 }).map(String),
  symbol: fc.constantFrom('btc_usdt', 'eth_usdt'),
  side: fc.constantFrom('BUY', 'SELL'),
  maker: fc.boolean(),
  fee: amount,
  feeAsset: fc.constantFrom('usdt', 'bnb'),
});
const trades = fc
  .array(trade, { maxLength: 30 })
  .map((all) => all.map((each, index) => aTrade({ ...each, tradeId: String(index + 1) })));

/** A number of too many digits stands after the others, as text. */
const isLong = (text: string) => /^-?0\.0{20}|9{30}/.test(text);
const byTimeAndId = (one: Whole<Trade>, other: Whole<Trade>): number =>
  Number(one.time) - Number(other.time) || Number(one.tradeId) - Number(other.tradeId);
const byFee = (one: Whole<Trade>, other: Whole<Trade>): number =>
  Number(isLong(one.fee)) - Number(isLong(other.fee)) || compare(one.fee, other.fee);

type FoundTrades = {
  readonly rows: Whole<Trade>[];
  readonly total: number;
  readonly sortedAsText: number;
};

describe('a query of a ledger', () => {
  const under = ledgersOfEachTest();
  const withTrades = <T>(
    records: readonly Whole<Trade>[],
    use: (
      ledger: LedgerCalls,
      read: (query: LedgerQuery, ...page: [number, number]) => FoundTrades,
    ) => T,
  ): T => {
    const ledger = ledgerOf(under.fileOf(under.ledgers.create()), 'trades', records);
    try {
      return use(ledger, (query, offset, limit) => {
        const { lines, ...counts } = ledger.rows(query, offset, limit);
        return { ...counts, rows: lines.map((line) => parseRecord(line) as Whole<Trade>) };
      });
    } finally {
      ledger.close();
    }
  };

  it('sorts, filters, searches and pages as the records in memory do', function () {
    this.timeout(60_000);
    fc.assert(
      fc.property(
        trades,
        fc.constantFrom(undefined, 'BUY'),
        fc.constantFrom('', '12', 'ETH', 'nothing'),
        fc.nat(10),
        fc.nat(10),
        (records, side, search, offset, limit) => {
          const matching = records
            .filter((each) => side === undefined || each.side === side)
            .filter(
              ({ orderId, tradeId, ...words }) =>
                orderId.startsWith(search) ||
                tradeId.startsWith(search) ||
                [words.symbol, words.side, words.feeAsset, words.type].some((word) =>
                  word.toLowerCase().includes(search.toLowerCase()),
                ),
            )
            .sort((one, other) => byTimeAndId(other, one));
          const filters = side === undefined ? {} : { side: [side] };
          const query = aQuery('trades', { filters, search });
          const found = withTrades(records, (_ledger, read) => read(query, offset, limit));
          assert.deepEqual(found.rows, matching.slice(offset, offset + limit));
          assert.equal(found.total, matching.length);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('sorts numbers exactly, those of too many digits as text after them, and says how many', function () {
    this.timeout(60_000);
    fc.assert(
      fc.property(trades, fc.boolean(), (records, isDescending) => {
        const query = aQuery('trades', { sort: { field: 'fee', isDescending } });
        const { rows, sortedAsText } = withTrades(records, (_ledger, read) => read(query, 0, 100));
        const exact = rows.filter(({ fee }) => !isLong(fee));
        const expected = records
          .filter(({ fee }) => !isLong(fee))
          .sort((one, other) => byFee(one, other) || byTimeAndId(one, other));
        assert.deepEqual(exact, isDescending ? expected.reverse() : expected);
        assert.equal(sortedAsText, records.length - exact.length);
        const first = isDescending ? 0 : exact.length;
        assert.ok(rows.slice(first, first + sortedAsText).every(({ fee }) => isLong(fee)));
      }),
      { numRuns: 20 },
    );
  });

  it('sums exactly, by the asset of a fee', function () {
    this.timeout(60_000);
    fc.assert(
      fc.property(trades, (records) => {
        const fields = ['fee', 'side', 'nothing'];
        const sums = withTrades(records, (ledger) => ledger.sums(aQuery('trades'), fields));
        const byAsset = Map.groupBy(records, ({ feeAsset }) => feeAsset);
        assert.equal(sums.length, byAsset.size);
        for (const [unit, all] of byAsset) {
          const fees = all.map(({ fee }) => fee);
          const found = sums.find((each) => each.unit === unit);
          const { min, max } = extremes(fees);
          assert.equal(found?.count, fees.length);
          assert.ok(isSame(found.sum, sum(fees)), `${found.sum} of ${fees.join(' ')}`);
          assert.ok(isSame(found.min, min), `${found.min} of ${fees.join(' ')}`);
          assert.ok(isSame(found.max, max), `${found.max} of ${fees.join(' ')}`);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('finds the same rows far into an order, from both ends', function () {
    this.timeout(60_000);
    const records = Array.from({ length: 60_000 }, (_none, index) =>
      aTrade({
        tradeId: String(index + 1),
        time: String(1_763_632_800_000 + (index % 1000)),
        fee: index % 3 === 0 ? '0' : `0.${(index * 7919) % 60_000}`,
        symbol: index % 100 === 0 ? 'btc_usdt' : 'eth_usdt',
      }),
    );
    const orders = {
      fee: (one: Whole<Trade>, other: Whole<Trade>) => compare(one.fee, other.fee),
      symbol: (one: Whole<Trade>, other: Whole<Trade>) =>
        one.symbol < other.symbol ? -1 : Number(one.symbol > other.symbol),
      time: () => 0,
    };
    withTrades(records, (_ledger, read) => {
      for (const [field, order] of Object.entries(orders)) {
        const sorted = records.toSorted(
          (one, other) => order(one, other) || byTimeAndId(one, other),
        );
        for (const offset of [25_000, 29_999, 39_000, 59_995]) {
          const query = aQuery('trades', { sort: { field, isDescending: false } });
          const { rows } = read(query, offset, 10);
          assert.deepEqual(rows, sorted.slice(offset, offset + 10), `${field} from ${offset}`);
        }
      }
    });
  });

  it('sorts what is null before everything, and finds client order ids by their beginning', async () => {
    const client = under.open(under.ledgers.create());
    const walk = await beginWalk(client, 'orders');
    const records = [
      anOrder({ orderId: '1', price: null, clientOrderId: 'mine-1' }),
      anOrder({ orderId: '2', price: '-1', clientOrderId: null }),
    ];
    await client.saveStep(walk.id, records, null);
    const query = aQuery('orders', { sort: { field: 'price', isDescending: false } });
    assert.deepEqual((await client.rows(query, 0, 10)).rows, records);
    assert.deepEqual((await client.rows(aQuery('orders', { search: 'mine' }), 0, 10)).rows, [
      records[0],
    ]);
  });

  it('sees what was written after it counted', async () => {
    const id = under.ledgers.create();
    const [writer, reader] = [under.open(id), under.open(id)];
    const walk = await beginWalk(writer, 'trades');
    for (const count of [1, 2, 3]) {
      await writer.saveStep(walk.id, [aTrade({ tradeId: String(count) })], null);
      for (const client of [writer, reader])
        assert.equal((await client.rows(aQuery('trades'), 0, 1)).total, count);
    }
  });
});

import assert from 'node:assert/strict';
import { Histories } from '../../../src/account/histories.ts';
import { TimeZone } from '../../../src/base/timeZone.ts';
import type { ExchangeClient } from '../../../src/exchange/client.ts';
import { defaultDialect } from '../../../src/exchange/dialect/dialect.ts';
import type { WeightStanding } from '../../../src/exchange/ledger/standing.ts';
import type { TradeQuery } from '../../../src/exchange/queries.ts';
import { ExchangeError } from '../../../src/exchange/errors.ts';

const never = new AbortController().signal;

function standing(fields: Partial<WeightStanding> = {}): { standing: WeightStanding } {
  const usual = { at: 0, used: 0, ours: 500, limit: 1000, windowMs: 60_000 };
  return { standing: { ...usual, frozenUntil: undefined, waiting: 0, ...fields } };
}

describe('the histories', () => {
  let signals: AbortSignal[];
  let histories: Histories;

  beforeEach(() => {
    signals = [];
    const read = (_query: unknown, signal: AbortSignal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    const reads = { orders: read, trades: read, lots: read, transactions: read };
    const client = { ...reads, dialect: defaultDialect, serverNow: () => 0 };
    histories = new Histories(client as unknown as ExchangeClient, standing());
  });

  const aborted = (): boolean[] => signals.map((signal) => signal.aborted);

  const ask = {
    orders: (page: number) => histories.orders({ page }, never),
    trades: (page: number) => histories.trades({ page }, never),
    lots: (page: number) => histories.lots({ page }, never),
    transactions: (page: number) => histories.transactions({ accountType: 'SPOT', page }, never),
  };
  for (const [name, page] of Object.entries(ask)) {
    it(`abort an older query of ${name} when a newer one comes, and the last at their end`, () => {
      void page(0);
      void page(1);
      assert.deepEqual(aborted(), [true, false]);
      histories.dispose();
      assert.deepEqual(aborted(), [true, true]);
    });
  }

  it('are of one reader: its newer query ends the older, whatever it is of', () => {
    for (const page of Object.values(ask)) void page(0);
    assert.deepEqual(aborted(), [true, true, true, false]);
  });

  it('abort a query when its asker does', () => {
    const asker = new AbortController();
    void histories.orders({ page: 0 }, asker.signal);
    asker.abort();
    assert.deepEqual(aborted(), [true]);
  });
});

describe('a period that is asked in slices', () => {
  const dayMs = 86_400_000;
  const query = { page: 0, size: 20, dateFrom: 0, dateTo: 100 * dayMs };
  let now: number;
  let asked: string[];
  /** How many more reads are answered before one is refused. */
  let room: number;
  let sort: 'newestFirst' | 'oldestFirst';
  let ledger: { standing: WeightStanding };

  beforeEach(() => {
    now = 100 * dayMs;
    asked = [];
    room = 4;
    sort = 'newestFirst';
    ledger = standing();
  });

  /** An exchange with one row a day that takes ten days at once, and refuses what has no room. */
  function tenSlices(): Histories {
    const trades = ({ dateFrom = 0, dateTo = 0 }: TradeQuery) => {
      asked.push(`${dateFrom / dayMs}-${dateTo / dayMs}`);
      if ((room -= 1) < 0)
        return Promise.reject(
          new ExchangeError({ kind: 'rateLimited', sent: 'no', operation: 'trades' }),
        );
      const totalElements = String(Math.ceil(dateTo / dayMs) - Math.ceil(dateFrom / dayMs));
      const content = Array.from({ length: Number(totalElements) }, () => ({}));
      const value = { content, size: '20', totalPages: '1', totalElements, extra: {} };
      const rest = { badRecords: [], outside: 0, unmatched: [], undecided: [] };
      return Promise.resolve({ value, ...rest });
    };
    const dialect = { ...defaultDialect, maxRangeDays: 10, dates: 'epochMs', sort } as const;
    const client = { trades, dialect, serverNow: () => now, book: { zone: new TimeZone('UTC') } };
    return new Histories(client as unknown as ExchangeClient, ledger);
  }

  const refused = { name: 'ExchangeError' };

  it('goes on where it failed: no slice that was read is asked again', async () => {
    const histories = tenSlices();
    await assert.rejects(histories.trades(query, never), refused);
    room = 4;
    now += 60_000;
    await assert.rejects(histories.trades(query, never), refused);
    room = 4;
    now += 60_000;
    const { value, slices } = await histories.trades(query, never);
    assert.deepEqual([value.totalElements, slices], ['100', 10]);
    const ends = Array.from({ length: 10 }, (_, index) => 100 - 10 * index);
    const each = ends.map((end) => `${end - 10}-${end}`);
    // A read that failed is sent again, and the page that is shown was read in a try before.
    assert.deepEqual(asked, [...each.slice(0, 5), ...each.slice(4, 9), ...each.slice(8), '90-100']);
  });

  it('begins anew where all of it was read, and where it was left for long', async () => {
    const histories = tenSlices();
    room = 20;
    await histories.trades(query, never);
    await histories.trades(query, never);
    assert.equal(asked.length, 20);
    room = 4;
    await assert.rejects(histories.trades(query, never), refused);
    now += 6 * 60_000;
    asked = [];
    await assert.rejects(histories.trades(query, never), refused);
    assert.equal(asked[0], '90-100');
  });

  for (const order of ['newestFirst', 'oldestFirst'] as const)
    it(`has what came since in a slice more where it has no end, ${order}`, async () => {
      sort = order;
      const histories = tenSlices();
      const open = { ...query, dateTo: undefined };
      await assert.rejects(histories.trades(open, never), refused);
      room = 20;
      now += 60_000;
      asked = [];
      const { value, slices } = await histories.trades(open, never);
      assert.deepEqual([value.totalElements, slices], ['101', 11]);
      assert.ok(asked.includes(`100-${now / dayMs}`));
      assert.equal(asked.filter((one) => one === '90-100').length, order === 'oldestFirst' ? 1 : 0);
    });

  it('asks its newest slice again where that was not over', async () => {
    now -= dayMs / 2;
    const histories = tenSlices();
    await assert.rejects(histories.trades(query, never), refused);
    room = 20;
    asked = [];
    await histories.trades(query, never);
    assert.deepEqual(asked.slice(0, 2), ['90-100', '50-60']);
  });

  it('is not begun where the share of the limit cannot pay for it, and says for how long it can', async () => {
    ledger = standing({ ours: 100, limit: 1000 });
    await assert.rejects(
      tenSlices().trades(query, never),
      /would be 10 requests of weight 10 each, more than marginDesk\.weightShare leaves of the limit in 60 s\. Ask for 70 days at most\./,
    );
    assert.deepEqual(asked, []);
  });

  it('is begun where the limit is of seconds, which pass while it is read', async () => {
    ledger = standing({ ours: 50, limit: 100, windowMs: 1000 });
    room = 20;
    assert.equal((await tenSlices().trades(query, never)).slices, 10);
  });
});

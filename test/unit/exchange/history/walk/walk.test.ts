import assert from 'node:assert/strict';
import { openStart } from '../../../../../src/base/interval.ts';
import { nothingProven } from '../../../../../src/exchange/history/learnedConventions.ts';
import { ExchangeError } from '../../../../../src/exchange/exchangeError.ts';
import { parseWalkCursor } from '../../../../../src/exchange/history/walk/cursor.ts';
import { walk } from '../../../../../src/exchange/history/walk/walk.ts';
import {
  SimulatedHistory,
  totals,
  type SimulatedRow,
  type SimulationOptions,
} from '../../../../support/simulatedHistory.ts';
import { walked, type WalkedOptions } from '../../../../support/walked.ts';

const start = Date.UTC(2026, 0, 1);
const dayMs = 86_400_000;
const size = 100;
const order = 'newestFirst';
const anyOrder = ['newestFirst', 'oldestFirst', 'none'] as const;
const inTime = ['newestFirst', 'oldestFirst'] as const;
const refused = new ExchangeError({
  kind: 'refused',
  sent: 'yes',
  operation: 'trades',
  status: 400,
});

/** That many rows, oldest first. */
const rowsEvery = (stepMs: number, count: number): SimulatedRow[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `row-${index}`,
    time: start + index * stepMs,
  }));
/** That many rows at one moment. */
const tied = (count: number, time = start): SimulatedRow[] =>
  rowsEvery(0, count).map(({ id }) => ({ id: `${id} at ${time}`, time }));
const idsOf = (rows: readonly SimulatedRow[]): string[] => rows.map(({ id }) => id).toSorted();
const without =
  (gone: string): NonNullable<SimulationOptions['change']> =>
  (rows) =>
    rows.filter(({ id }) => id !== gone);

const walkOver = (options: SimulationOptions, wishes: Partial<WalkedOptions> = {}) => {
  const range = { from: openStart, to: start + 400 * dayMs };
  return walked(new SimulatedHistory(options), { range, size, ...wishes });
};

async function assertWhole(options: SimulationOptions, wishes: Partial<WalkedOptions> = {}) {
  const { ids, end } = await walkOver(options, wishes);
  assert.deepEqual(ids.toSorted(), idsOf(options.rows));
  assert.deepEqual([end.completeness, end.reason], ['complete', undefined]);
  return end;
}

async function assertEnd(
  options: SimulationOptions,
  expected: readonly [rows: number, completeness: string, reason?: string],
  wishes: Partial<WalkedOptions> = {},
) {
  const { ids, end } = await walkOver(options, wishes);
  assert.equal(new Set(ids).size, ids.length, 'a row came twice');
  const [rows, completeness, reason] = expected;
  assert.deepEqual([ids.length, end.completeness, end.reason], [rows, completeness, reason]);
}

/** `walkProperties.test.ts` proves over random exchanges that no claim is false. */
describe('a walk', () => {
  for (const count of ['thisPage', 'capped', 'zero', 'constant', 'absent'] as const)
    it(`is complete where the order proves 2,000 rows and their count is ${count}`, async () => {
      for (const sort of anyOrder)
        await assertWhole({ rows: rowsEvery(1000, 2000), order: sort, totals: totals[count] });
    });

  it('says why it is unknown where the exchange counts more rows than it gives', async () => {
    for (const [given, counted, reason] of [
      [1, 400, 'depthUnproven'],
      [500, 501, 'countDisagrees'],
    ] as const) {
      const options = { rows: rowsEvery(1000, given), order, totals: () => counted } as const;
      await assertEnd(options, [given, 'unknown', reason]);
    }
  });

  it('accepts one row as all only if the exchange counts one', async () => {
    for (const sort of anyOrder) {
      await assertWhole({ rows: rowsEvery(0, 1), order: sort });
      const uncounted = { rows: rowsEvery(0, 1), order: sort, totals: totals.absent };
      await assertEnd(uncounted, [1, 'unknown', 'depthUnproven']);
    }
  });

  it('is unknown where a row and the count left before it was read: another may be missing', () =>
    assertEnd({ rows: rowsEvery(1000, 500), order, change: without('row-5') }, [
      499,
      'unknown',
      'countDisagrees',
    ]));

  it('is drifted if a row that an answer showed left before it was read', () =>
    assertEnd({ rows: rowsEvery(1000, 30), order, change: without('row-5') }, [29, 'drifted']));

  it('is not complete if such a row left right before another process went on', async () => {
    for (const [sort, gone] of [
      ['newestFirst', 'row-201'],
      ['oldestFirst', 'row-198'],
    ] as const) {
      const change: SimulationOptions['change'] = (rows, read) =>
        read < 3 ? rows : without(gone)(rows, read);
      const options = { rows: rowsEvery(1000, 400), order: sort, change };
      await assertEnd(options, [399, 'unknown', 'countDisagrees'], { interrupts: true });
      const uncounted = { ...options, totals: totals.absent };
      await assertEnd(uncounted, [399, 'drifted'], { interrupts: true });
    }
  });

  it('is complete where a second is full, in any order of its rows, and despite a gap in one page', async () => {
    for (const reorders of [false, true]) await assertWhole({ rows: tied(300), order, reorders });
    const rows = [...rowsEvery(1000, 60), ...tied(100, start + 60_000), ...tied(1, start + 61_000)];
    const missing = `row-40 at ${start + 60_000}`;
    for (const sort of inTime)
      for (const at of [8, 9, 10, 11, 12]) {
        const flickers = ({ id }: SimulatedRow, read: number) => id === missing && read === at;
        await assertWhole({ rows, order: sort, caps: [20], flickers });
      }
  });

  it('reads whole days with few questions', async () => {
    const days = { unitMs: dayMs, cutMs: dayMs, comparesUnits: true };
    for (const perDay of [24, 72, 150])
      for (const cap of [20, 100])
        for (const [sort, bar] of [['newestFirst', 3.5] as const, ['oldestFirst', 3] as const])
          for (const includesTo of [false, true]) {
            const rows = rowsEvery(dayMs / perDay, 3000);
            const options = { rows, order: sort, caps: [cap], includesTo, ...days };
            const { reads } = await assertWhole(options, { size: 500 });
            assert.ok(reads <= (bar * 3000) / cap, `${reads} reads of ${3000 / cap} pages`);
          }
  });

  it('is complete at midnight where the exchange takes days and excludes the moment of `dateFrom`', async () => {
    const days = { unitMs: dayMs, cutMs: 60_000, excludesFrom: true, caps: [12] };
    const range = { from: openStart, to: start + 4 * dayMs };
    for (const count of [28, 30, 32])
      for (const sort of inTime)
        for (const total of ['honest', 'absent'] as const) {
          const rows = rowsEvery(dayMs / 8, count);
          await assertWhole({ rows, order: sort, totals: totals[total], ...days }, { range });
        }
  });

  it('asks at most a tenth and three times more than 5,000 rows need', async () => {
    for (const sort of inTime)
      for (const cap of [50, 100, 500, 1000]) {
        const { reads } = await assertWhole(
          { rows: rowsEvery(1000, 5000), order: sort, caps: [cap], reorders: true },
          { size: 1000 },
        );
        const fewest = 5000 / cap;
        assert.ok(reads <= 1.1 * fewest + 3, `${reads} reads where ${fewest} are the fewest`);
      }
  });

  it('reads a history that an exchange returns only without a start', async () => {
    for (const sort of anyOrder) {
      const rows = rowsEvery(dayMs / 12, 1200);
      await assertEnd({ rows, order: sort, oldestDays: 90 }, [1200, 'unknown', 'edgesUnproven']);
    }
  });

  it('proves nothing where an exchange refuses to be asked for the first record', async () => {
    const options = { rows: rowsEvery(dayMs / 12, 1200), order, defaultDays: 30 } as const;
    const { end } = await walkOver(options, { isStartOmitted: true });
    assert.deepEqual([end.completeness, end.reason], ['unknown', 'edgesUnproven']);
  });

  it('gives every row once as unknown where the exchange ignores the period', async () => {
    const rows = rowsEvery(3_600_000, 700);
    const range = { from: start + 300 * 3_600_000, to: start + 600 * 3_600_000 };
    for (const sort of inTime)
      for (const pastEnd of ['empty', 'lastPage'] as const) {
        const options = { rows, order: sort, ignoresRange: true, pastEnd };
        const wishes = { range, maxReads: 100, interrupts: pastEnd === 'empty' };
        await assertEnd(options, [300, 'unknown', 'endsIgnored'], wishes);
        await assertEnd(options, [700, 'unknown', 'endsIgnored'], { maxReads: 100 });
      }
  });

  it('is unknown where only the end of a day would prove a row, and the future is refused', async () => {
    const now = start + 30 * dayMs + 1_234_567;
    for (const sort of anyOrder) {
      const history = new SimulatedHistory({ rows: rowsEvery(dayMs, 30), order: sort });
      const read = history.read.bind(history);
      history.read = (asked, page, length) =>
        asked.to > now ? Promise.reject(refused) : read(asked, page, length);
      const range = { from: openStart, to: now - 5000 };
      const { ids, end } = await walked(history, { range, size });
      assert.deepEqual([ids.length, end.reason], [30, 'edgesUnproven']);
    }
  });

  it('is unknown where the exchange refuses a size', async () => {
    for (const sort of anyOrder)
      for (const count of [1, 3, 30, 100]) {
        const history = new SimulatedHistory({ rows: rowsEvery(1000, count), order: sort });
        const read = history.read.bind(history);
        history.read = (asked, page, length) =>
          [10, 20, 50, 100].includes(length) ? read(asked, page, length) : Promise.reject(refused);
        const range = { from: openStart, to: start + dayMs };
        const { ids, end } = await walked(history, { range, size });
        assert.deepEqual([ids.length, end.completeness], [count, 'unknown']);
      }
  });

  it('recovers from an answer that is wrongly empty, also where a bounded period begins', async () => {
    for (const sort of anyOrder)
      for (const emptyAt of [1, 2])
        await assertWhole({ rows: rowsEvery(1000, 400), order: sort, emptyAt });
    const bounded = { rows: rowsEvery(5 * dayMs, 60), order, maxRangeMs: 30 * dayMs } as const;
    for (const emptyAt of [12, 15, 22]) await assertWhole({ ...bounded, emptyAt });
  });

  it('reads bounded periods from the first record on, also where their length became known on the way', async () => {
    const rows = rowsEvery(5 * dayMs, 60);
    const options = {
      range: { from: openStart, to: start + 400 * dayMs },
      size: 20,
      maxReads: 900,
    };
    for (const sort of anyOrder) {
      await assertWhole({ rows, order: sort, maxRangeMs: 30 * dayMs });
      const first = await walk(new SimulatedHistory({ rows, order: sort }), options).next();
      assert.ok(!first.done);
      const { items, cursor } = first.value;
      const ids = items.map(({ id }) => id);
      const bounded = new SimulatedHistory({ rows, order: sort, maxRangeMs: 30 * dayMs });
      for await (const step of walk(bounded, { ...options, cursor }))
        ids.push(...step.items.map(({ id }) => id));
      assert.deepEqual(ids.toSorted(), idsOf(rows), sort);
    }
  });

  it('is unknown where the exchange ignores another filter', () =>
    assertEnd({ rows: rowsEvery(1000, 5), order, unmatched: 2 }, [5, 'unknown', 'filterIgnored']));

  it('is complete without the rows that are not wanted, and unknown without those that cannot be read', async () => {
    const rows = rowsEvery(1000, 400);
    const badIds = new Set(['row-399', 'row-303', 'row-302', 'row-0']);
    await assertEnd({ rows, order, badIds }, [396, 'unknown', 'unreadableRecords']);
    const middle = { rows, order, badIds: new Set(['row-200']) } as const;
    await assertEnd(middle, [399, 'unknown', 'unreadableRecords']);
    const few = { rows: rowsEvery(1000, 30), order, change: without('row-5') } as const;
    const drifted = { ...few, badIds: new Set(['row-20']) };
    await assertEnd(drifted, [28, 'unknown', 'unreadableRecords']);
    const unwantedIds = new Set(idsOf(rows.slice(0, 300)));
    await assertEnd({ rows, order, unwantedIds }, [100, 'complete']);
  });

  it('ends where it reached the most reads, and asks nothing of an empty range', async () => {
    const rows = rowsEvery(1000, 900);
    const { end } = await walkOver({ rows, order }, { maxReads: 5 });
    assert.deepEqual([end.completeness, end.reason, end.reads], ['unknown', 'readsUsedUp', 5]);
    const empty = await walkOver({ rows, order }, { range: { from: start, to: start } });
    assert.deepEqual(empty.end, { completeness: 'complete', rows: 0, reads: 0 });
  });

  describe('of a period that the exchange cuts silently', () => {
    const to = start + 30 * dayMs;
    /** Five rows an hour apart on each of these days. */
    const rowsOn = (...days: readonly number[]): SimulatedRow[] =>
      days.flatMap((day) =>
        rowsEvery(3_600_000, 5).map(({ id, time }) => ({
          id: `${id} of ${day}`,
          time: time + day * dayMs,
        })),
      );
    const bounded = { range: { from: start, to } };

    it('asks for the rest in shorter periods, where the newest or the oldest week comes', async () => {
      for (const sort of ['newestFirst', 'oldestFirst'] as const) {
        await assertWhole({ rows: rowsOn(20, 21, 25), order: sort, oldestDays: 7 }, bounded);
        await assertWhole({ rows: rowsOn(1, 2, 20, 25), order: sort, oldestDays: 7 }, bounded);
        await assertWhole({ rows: rowsOn(2, 3, 25, 27), order: sort, newestDays: 7 }, bounded);
      }
    });

    it('says so where nothing came in a period that is too long for that', () =>
      assertEnd({ rows: rowsOn(20), order, newestDays: 7 }, [0, 'unknown', 'spanUnproven'], {
        range: { from: start, to: start + 365 * dayMs },
      }));

    it('reads older rows without a start, and does not call them whole', () =>
      assertEnd({ rows: rowsOn(2, 3, 25), order, newestDays: 7 }, [15, 'unknown', 'spanUnproven'], {
        range: { from: openStart, to },
      }));

    it('asks no more where rows near both ends came before', async () => {
      const rows = rowsOn(15);
      const fresh = await assertWhole({ rows, order }, bounded);
      const proven = { ...nothingProven, beforeEndMs: 40 * dayMs, afterStartMs: 40 * dayMs };
      const known = await assertWhole({ rows, order, proven }, bounded);
      assert.ok(known.reads < fresh.reads, `${known.reads} of ${fresh.reads}`);
    });
  });

  it('ends where the exchange refuses to be asked beside the range, and claims nothing', async () => {
    const rows = rowsEvery(3_607_919, 40);
    const refused = (from: number): SimulationOptions => ({
      ...{ rows, order, skewMs: () => 0 },
      refuses: (asked) => asked.from < from,
    });
    const bounded = { range: { from: start, to: start + 2 * dayMs } };
    await assertEnd(refused(start - 1), [40, 'unknown', 'edgesUnproven'], bounded);
    const open = { range: { from: openStart, to: start + 2 * dayMs } };
    await assertEnd(refused(1), [40, 'unknown', 'spanUnproven'], open);
  });

  it('does not call whole what an exchange may leave out by the creation of its records', async () => {
    const range = { from: start, to: start + 2 * dayMs };
    const rows = rowsEvery(3_607_919, 40);
    const changed = ({ id }: SimulatedRow): number => (id === 'row-7' ? -12 * 3_600_000 : 0);
    await assertEnd({ rows, order, skewMs: changed }, [39, 'unknown', 'edgesUnproven'], { range });
    await assertWhole({ rows, order, skewMs: () => 0 }, { range });
    const many = rowsEvery(3_607_919, 200);
    const later = { range: { from: start + 4 * dayMs, to: start + 6 * dayMs }, size: 10 };
    const before = ({ id }: SimulatedRow): number => (id === 'row-100' ? -28 * 3_600_000 : 0);
    await assertEnd({ rows: many, order, skewMs: before }, [47, 'unknown', 'edgesUnproven'], later);
  });
});

type End = readonly [rows: number, completeness: string, reason?: string];
type Case = readonly [name: string, SimulationOptions, End, Partial<WalkedOptions>?];

describe('a walk is not complete if an exchange', () => {
  /** An exchange that gives so many rows of a question, and counts no more. */
  const cutTo = (reach: number) => ({ reach, totals: (all: number) => Math.min(reach, all) });
  const cutEnds = { comparesUnits: true, excludesFrom: true, includesTo: true };
  const everyTenth = rowsEvery(100, 3000);
  const crowded = rowsEvery(1000, 2000).map((row, index) =>
    index >= 700 && index < 1000 ? { ...row, time: start + 700_000 } : row,
  );
  const minutes = [0, 1, 2, 3].flatMap((minute) => tied(6, start + minute * 60_000 + 20_772));
  const bySymbol = ['eth', 'btc'].flatMap((symbol, nth) =>
    rowsEvery(1000, nth === 0 ? 1000 : 50).map(({ id, time }) => ({
      id: `${symbol} ${id}`,
      time: time + nth * 400_500,
    })),
  );
  const everyMinute = rowsEvery(60_000, 300);
  const isRare = ({ id }: SimulatedRow) => id === 'row-3' || id === 'row-7';
  const leaving = new Set(idsOf(everyMinute.slice(100, 120)));

  const cases: readonly Case[] = [
    ...(['400', 'lastPage', 'firstPage'] as const).flatMap((past) =>
      [1, 12, 250].map((count): Case => {
        const pastEnd = past === '400' ? 400 : past;
        const options = { rows: rowsEvery(1000, count), order, pastEnd } as const;
        return [
          `answers ${past} past the end of ${count} rows`,
          options,
          [count, 'unknown', 'endUnproven'],
        ];
      }),
    ),
    ...(
      [
        ['honest', 'countDisagrees'],
        ['absent', 'depthUnproven'],
      ] as const
    ).map(([total, reason]): Case => [
      `lost rows while others were missed, and the total is ${total}`,
      {
        rows: [...everyMinute.filter((row) => !isRare(row)), ...everyMinute.filter(isRare)],
        order: 'none',
        totals: totals[total],
        change: (rows, read) => rows.filter(({ id }) => read < 6 || !leaving.has(id)),
      },
      [298, 'unknown', reason],
    ]),
    ...([1, 5] as const).flatMap((withheld) =>
      anyOrder.map((sort): Case => {
        const hiddenIds = new Set(idsOf(everyTenth.slice(1300, 1300 + withheld)));
        const range = { from: start + 100_000, to: start + 200_000 };
        return [
          `withholds ${withheld} in a range, ${sort}`,
          { rows: everyTenth, order: sort, hiddenIds },
          [1000 - withheld, 'unknown', 'countDisagrees'],
          { range },
        ];
      }),
    ),
    [
      'withholds one, where only earlier questions included others',
      {
        rows: everyTenth,
        order: 'oldestFirst',
        hiddenIds: new Set(['row-800']),
        cutMs: 1000,
        ...cutEnds,
      },
      [999, 'unknown', 'countDisagrees'],
      { range: { from: start + 50_000, to: start + 150_000 } },
    ],
    ...anyOrder.map((sort): Case => [
      `counts only to its depth, ${sort}`,
      { rows: crowded, order: sort, ...cutTo(200) },
      [1900, 'unknown', 'depthUnproven'],
    ]),
    [
      'counts only to its depth, with more rows beside the range',
      {
        rows: [...tied(300, start + 30_400), ...tied(300, start + 32_022)],
        order: 'oldestFirst',
        cutMs: 1000,
        ...cutEnds,
        ...cutTo(90),
      },
      [90, 'unknown', 'depthUnproven'],
      { range: { from: start + 30_400, to: start + 31_861 } },
    ],
    ...inTime.map((sort): Case => [
      `counts only to its depth, and cuts ends to minutes, ${sort}`,
      {
        rows: minutes,
        order: sort,
        cutMs: 60_000,
        comparesUnits: true,
        includesTo: true,
        ...cutTo(5),
      },
      [5, 'unknown', 'depthUnproven'],
      { range: { from: openStart, to: start + 3 * 60_000 + 20_773 } },
    ]),
    ...(['absent', 'thisPage'] as const).map((total): Case => [
      `gives 200 of a moment, and the total is ${total}`,
      { rows: tied(300), order, reach: 200, totals: totals[total] },
      [200, 'unknown', 'depthUnproven'],
      { size: 500 },
    ]),
    ...(['absent', 'thisPage', 'capped'] as const).map((total): Case => [
      `gives rows by symbol, and the total is ${total}`,
      { rows: bySymbol, order: 'none', totals: totals[total] },
      [1000, 'unknown', 'countDisagrees'],
    ]),
  ];
  for (const [name, options, end, wishes] of cases) it(name, () => assertEnd(options, end, wishes));
});

describe('the steps of a walk', () => {
  const options = { range: { from: openStart, to: start + dayMs }, size, maxReads: 100 };
  let history: SimulatedHistory;
  beforeEach(() => (history = new SimulatedHistory({ rows: rowsEvery(1000, 500), order })));

  it('have a cursor that does not grow, and progress that never falls', async () => {
    let [longest, last] = [0, 0];
    const many = new SimulatedHistory({ rows: rowsEvery(1000, 20_000), order });
    for await (const { cursor, fraction } of walk(many, { ...options, size: 500 })) {
      longest = Math.max(longest, JSON.stringify(cursor).length);
      assert.ok(fraction >= last && fraction <= 1);
      last = fraction;
    }
    assert.equal(last, 1);
    assert.ok(longest < 2000, String(longest));
  });

  it('reject with what the history rejects with, and with the signal’s reason', async () => {
    const abort = new AbortController();
    const steps = walk(history, options, abort.signal);
    await steps.next();
    abort.abort(new Error('enough'));
    await assert.rejects(async () => {
      for (;;) if ((await steps.next()).done) return;
    }, /enough/);
    history.read = () => Promise.reject(new Error('no'));
    await assert.rejects(walk(history, options).next(), /no/);
  });

  it('do not go on from a stored cursor of another shape', async () => {
    const first = await walk(history, options).next();
    assert.ok(!first.done);
    const { cursor } = first.value;
    assert.deepEqual(parseWalkCursor(JSON.parse(JSON.stringify(cursor))), cursor);
    const { order: _, ...cut } = cursor;
    for (const value of [null, 'x', {}, cut, { ...cursor, version: 2 }, { ...cursor, order: 1 }])
      assert.equal(parseWalkCursor(value), undefined);
  });
});

import assert from 'node:assert/strict';
import { contains, openStart } from '../../../../../src/base/interval.ts';
import { nothingProven } from '../../../../../src/exchange/conventions/learnedConventions.ts';
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
const endUnproven = ['unknown', 'endUnproven'] as const;
const anyOrder = ['newestFirst', 'oldestFirst', 'none'] as const;

/** That many rows, oldest first. */
const rowsEvery = (stepMs: number, count: number): SimulatedRow[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `row-${index}`,
    time: start + index * stepMs,
  }));
const tied = (count: number): SimulatedRow[] => rowsEvery(0, count);
const idsOf = (rows: readonly SimulatedRow[]): string[] => rows.map(({ id }) => id).toSorted();

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
  return end;
}

describe('a walk', () => {
  describe('believes no count that says it is done', () => {
    for (const count of ['thisPage', 'capped', 'zero', 'constant', 'absent'] as const)
      it(`reads 2,000 rows where the count is ${count}`, async () => {
        for (const sort of anyOrder)
          await assertWhole({ rows: rowsEvery(1000, 2000), order: sort, totals: totals[count] });
      });

    it('reads on where the exchange gives 200 rows of a question at most', () =>
      assertWhole({ rows: rowsEvery(1000, 2000), order, reach: 200, caps: [50] }));
  });

  describe('does not contradict the count of the exchange', () => {
    for (const [given, counted, reason] of [
      [1, 400, 'depthUnproven'],
      [500, 600, 'countDisagrees'],
    ] as const)
      it(`where it counts ${counted} rows and gives ${given}`, () =>
        assertEnd({ rows: rowsEvery(1000, given), order, totals: () => counted }, [
          given,
          'unknown',
          reason,
        ]));

    it('where it withholds a row', async () => {
      for (const hidden of [3, 250, 499]) {
        const hiddenIds = new Set([`row-${hidden}`]);
        const options = { rows: rowsEvery(1000, 500), order, hiddenIds } as const;
        await assertEnd(options, [499, 'unknown', 'countDisagrees']);
      }
    });

    it('where rows left before they were read, and the count with them: another may be missing', () =>
      assertEnd(
        {
          rows: rowsEvery(1000, 500),
          order,
          change: (rows) => rows.filter(({ id }) => id !== 'row-5'),
        },
        [499, 'unknown', 'countDisagrees'],
      ));
  });

  it('is drifted if a row that an answer showed left before it was read', () =>
    assertEnd(
      {
        rows: rowsEvery(1000, 30),
        order,
        change: (rows) => rows.filter(({ id }) => id !== 'row-5'),
      },
      [29, 'drifted'],
    ));

  it('is not complete if such a row left right before another process went on', async () => {
    for (const [sort, gone] of [
      ['newestFirst', 'row-201'],
      ['oldestFirst', 'row-198'],
    ] as const) {
      const change: SimulationOptions['change'] = (rows, read) =>
        read < 3 ? rows : rows.filter(({ id }) => id !== gone);
      const options = { rows: rowsEvery(1000, 400), order: sort, change };
      await assertEnd(options, [399, 'unknown', 'countDisagrees'], { interrupts: true });
    }
  });

  it('finds the rows between sorted rows of an exchange that has no order', async () => {
    const late = rowsEvery(40, 400).map(({ id, time }) => ({
      id: `b-${id}`,
      time: time + 100_000,
    }));
    const other = { id: 'other', time: start + 98_001 };
    await assertWhole({ rows: [...rowsEvery(1000, 100), ...late, other], order: 'none' });
  });

  it('counts equal records of a page border as often as one answer shows them', async () => {
    for (const border of [98, 99]) {
      const rows = tied(150).map((row, index, all) =>
        index === border + 1 ? (all[border] ?? row) : row,
      );
      await assertWhole({ rows, order });
    }
  });

  it('reads a full second again if a row was missing from one of its pages', async () => {
    const rows = rowsEvery(1000, 240).map((row, index) =>
      index >= 60 && index < 160 ? { ...row, time: start + 60_000 + index - 60 } : row,
    );
    for (const [sort, missing, reads] of [
      ['newestFirst', 'row-120', [10, 11, 12]],
      ['oldestFirst', 'row-90', [8, 9, 10, 11]],
    ] as const)
      for (const at of reads) {
        const flickers = ({ id }: SimulatedRow, read: number): boolean =>
          id === missing && read === at;
        await assertWhole({ rows, order: sort, caps: [20], flickers });
      }
  });

  describe('knows no end of an instant that needs several pages', () => {
    it('where the exchange gives 200 of 300 rows, and counts none', () =>
      assertEnd({ rows: tied(300), order, reach: 200, totals: totals.absent }, [
        200,
        'unknown',
        'depthUnproven',
      ]));

    it('unless it counts as many, in any order of the ties', async () => {
      for (const reorders of [false, true]) await assertWhole({ rows: tied(300), order, reorders });
    });
  });

  it('keeps both sides of a trade that share id and time, however ties are ordered', async () => {
    const rows = rowsEvery(1000, 250).flatMap((row, index) =>
      index % 50 === 7 ? [row, { ...row, content: 'other side' }] : [row],
    );
    for (const sort of anyOrder)
      for (const cap of [21, 60])
        await assertWhole({ rows, order: sort, reorders: true, caps: [cap] });
    const pairs = tied(30).flatMap((row) => [row, { ...row, content: 'other side' }]);
    await assertWhole({ rows: pairs, order, reorders: true, caps: [25] });
  });

  it('never asks for no rows, as an exchange may fail then', async () => {
    for (let left = 0; left < 4; left += 1)
      for (const cap of [2, 3, 20]) {
        const rows = tied(cap + 1);
        const change: SimulationOptions['change'] = (_rows, read) =>
          read % 2 === 1 ? rows.slice(0, left) : rows;
        const { ids } = await walkOver({ rows, order, caps: [cap], change });
        assert.equal(new Set(ids).size, ids.length);
      }
  });

  it('loses no row beside a full second where the exchange includes the end and a row leaves', async () => {
    const second = rowsEvery(1000, 400).map((row, index) =>
      index >= 150 && index < 270 ? { ...row, time: start + 150_000 } : row,
    );
    for (let read = 2; read < 9; read += 1) {
      const change: SimulationOptions['change'] = (rows, now) =>
        now === read ? rows.filter(({ id }) => id !== 'row-200') : rows;
      const { ids, end } = await walkOver({
        rows: second,
        order,
        includesTo: true,
        cutMs: 1000,
        change,
      });
      const isWhole = idsOf(second).every((id) => id === 'row-200' || ids.includes(id));
      assert.ok(isWhole || end.completeness !== 'complete', `a row left before read ${read}`);
    }
  });

  describe('proves the ends of a question', () => {
    for (const cutMs of [1000, 60_000, dayMs])
      for (const excludesFrom of [false, true])
        for (const includesTo of [false, true])
          it(`cut to ${cutMs} ms, from ${excludesFrom ? 'excluded' : 'included'}, to ${includesTo ? 'included' : 'excluded'}`, async () => {
            const rows = rowsEvery(40_000, 300);
            const range = { from: start + 1_700_000, to: start + 9_000_000 };
            const within = rows.filter(({ time }) => time >= range.from && time < range.to);
            for (const sort of anyOrder)
              for (const comparesUnits of [false, true]) {
                const reading = { cutMs, excludesFrom, includesTo, comparesUnits };
                const { ids, end } = await walkOver({ rows, order: sort, ...reading }, { range });
                assert.equal(new Set(ids).size, ids.length);
                if (end.completeness === 'complete')
                  assert.deepEqual(ids.toSorted(), idsOf(within));
                if (cutMs === 1000) assert.equal(end.completeness, 'complete');
              }
          });

    it('of whole days with few questions', async () => {
      const days = { unitMs: dayMs, cutMs: dayMs, comparesUnits: true };
      for (const perDay of [24, 72, 150])
        for (const cap of [20, 30, 100])
          for (const [sort, bar] of [['newestFirst', 3.5] as const, ['oldestFirst', 3] as const])
            for (const includesTo of [false, true]) {
              const rows = rowsEvery(dayMs / perDay, 3000);
              const options = { rows, order: sort, caps: [cap], includesTo, ...days };
              const { reads } = await assertWhole(options, { size: 500 });
              assert.ok(reads <= (bar * 3000) / cap, `${reads} reads of ${3000 / cap} pages`);
            }
    });
  });

  it('loses no row at midnight where the exchange takes days and excludes the moment of `dateFrom`', async () => {
    const days = { unitMs: dayMs, cutMs: 60_000, excludesFrom: true, caps: [12] };
    const range = { from: openStart, to: start + 4 * dayMs };
    for (const count of [28, 30, 32])
      for (const sort of ['newestFirst', 'oldestFirst'] as const)
        for (const total of ['honest', 'absent'] as const)
          await assertWhole(
            { rows: rowsEvery(dayMs / 8, count), order: sort, totals: totals[total], ...days },
            { range },
          );
  });

  it('asks at most a tenth and three times more than 5,000 rows need', async () => {
    for (const sort of ['newestFirst', 'oldestFirst'] as const)
      for (const cap of [50, 100, 500, 1000]) {
        const { reads } = await assertWhole(
          { rows: rowsEvery(1000, 5000), order: sort, caps: [cap], reorders: true },
          { size: 1000 },
        );
        const fewest = 5000 / cap;
        assert.ok(reads <= 1.1 * fewest + 3, `${reads} reads where ${fewest} are the fewest`);
      }
  });

  for (const pastEnd of [404, 400, 'lastPage', 'firstPage'] as const)
    it(`never treats a page past the end as proof of the end: ${pastEnd}`, async () => {
      const expected = pastEnd === 404 ? (['complete'] as const) : endUnproven;
      for (const sort of anyOrder)
        for (const count of [1, 3, 12, 99, 250]) {
          const options = { rows: rowsEvery(1000, count), order: sort, pastEnd };
          const { reads } = await assertEnd(options, [count, ...expected]);
          assert.ok(reads < 30, `${reads} reads of ${count} rows`);
        }
      if (pastEnd !== 404)
        await assertEnd({ rows: tied(100), order, pastEnd }, [100, ...endUnproven]);
    });

  it('proves the ends of days and minutes whose first rows come at their begin', async () => {
    for (const cutMs of [60_000, dayMs])
      for (const [stepMs, first] of [
        [100, 500],
        [400, 0],
      ] as const)
        for (const sort of anyOrder) {
          const rows = rowsEvery(stepMs, 600).map(({ id, time }) => ({ id, time: time + first }));
          const range = { from: rows[150]?.time ?? 0, to: rows[450]?.time ?? 0 };
          const reading = { cutMs, comparesUnits: true, excludesFrom: true, includesTo: true };
          await assertEnd({ rows, order: sort, ...reading }, [300, 'complete'], { range });
        }
  });

  it('accepts few rows as all of a question only if a count agrees or the exchange gave more elsewhere', async () => {
    const rows = rowsEvery(1000, 300).map((row, index) =>
      index >= 100 && index < 130 ? { ...row, time: start + 100_000 } : row,
    );
    for (const sort of anyOrder)
      for (const reach of [1, 5, 10, 19])
        for (const total of ['honest', 'absent'] as const) {
          const options = { rows, order: sort, reach, totals: totals[total] };
          const { end } = await walkOver(options, { maxReads: 2000 });
          assert.equal(end.completeness, 'unknown', `${sort} ${reach} ${total}`);
        }
    for (const sort of anyOrder) {
      await assertWhole({ rows: rowsEvery(1000, 12), order: sort, totals: totals.absent });
      await assertWhole({ rows: tied(1), order: sort });
      const alone = { rows: tied(1), order: sort, totals: totals.absent };
      await assertEnd(alone, [1, 'unknown', 'depthUnproven']);
    }
  });

  it('loses no row unseen where the exchange cuts ends to days of a zone that it does not name', async () => {
    for (const zoneHours of [9, -5, 5.5])
      for (const includesTo of [false, true])
        for (const count of [4, 100, 2400])
          for (const total of ['honest', 'absent'] as const)
            for (const sort of anyOrder) {
              const rows = rowsEvery(Math.floor((14 * dayMs) / count), count);
              const range = { from: start + 2 * dayMs + 5_000_000, to: start + 8.8 * dayMs };
              const within = rows.filter(({ time }) => time >= range.from && time < range.to);
              const days = { cutMs: dayMs, zoneMs: zoneHours * 3_600_000, comparesUnits: true };
              const options = { rows, order: sort, includesTo, totals: totals[total], ...days };
              const { ids, end } = await walkOver(options, { range });
              assert.equal(new Set(ids).size, ids.length);
              if (end.completeness === 'complete') assert.deepEqual(ids.toSorted(), idsOf(within));
              if (count < 100 && total === 'honest') assert.equal(end.completeness, 'complete');
            }
  });

  it('reads the rows before the last days, which some exchanges answer where no start is named', async () => {
    for (const sort of anyOrder)
      for (const total of ['honest', 'absent'] as const)
        await assertWhole({
          rows: rowsEvery(dayMs / 12, 1200),
          order: sort,
          totals: totals[total],
          defaultDays: 30,
        });
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

  it('loses no row where dates are days, of another zone than the exchange names', async () => {
    for (const zoneHours of [12, 9, -5, 5.5])
      for (const [excludesFrom, includesTo] of [
        [false, false],
        [true, false],
        [false, true],
      ] as const)
        for (const sort of anyOrder)
          for (const bounds of [{}, { from: start + dayMs }]) {
            const days = { unitMs: dayMs, cutMs: dayMs, comparesUnits: true, namedZoneMs: 0 };
            const zoneMs = zoneHours * 3_600_000;
            const rows = rowsEvery(3_600_000, 100);
            const range = { from: openStart, to: start + 3 * dayMs + 6000, ...bounds };
            const within = rows.filter(({ time }) => contains(range, time));
            const options = { rows, order: sort, excludesFrom, includesTo, zoneMs, ...days };
            const { ids, end } = await walkOver(options, { range });
            if (end.completeness === 'complete') assert.deepEqual(ids.toSorted(), idsOf(within));
            if (includesTo) assert.equal(end.completeness, 'complete', `${zoneHours} ${sort}`);
          }
  });

  it('excuses no withheld row by rows that only earlier questions included', async () => {
    const rows = rowsEvery(100, 3000);
    const range = { from: start + 50_000, to: start + 150_000 };
    const ends = { cutMs: 1000, comparesUnits: true, excludesFrom: true, includesTo: true };
    const options = {
      rows,
      order: 'oldestFirst',
      hiddenIds: new Set(['row-800']),
      ...ends,
    } as const;
    await assertEnd(options, [999, 'unknown', 'countDisagrees'], { range });
  });

  it('believes no count that is cut to the depth of the exchange', async () => {
    const rows = rowsEvery(1000, 2000).map((row, index) =>
      index >= 700 && index < 1000 ? { ...row, time: start + 700_000 } : row,
    );
    for (const sort of anyOrder)
      await assertEnd({ rows, order: sort, reach: 200, totals: (all) => Math.min(200, all) }, [
        1900,
        'unknown',
        'depthUnproven',
      ]);
  });

  it('finds rows that such a count hides behind rows beside the ends of a question', async () => {
    const counted = { reach: 200, totals: (all: number) => Math.min(200, all) };
    const seconds = Array.from({ length: 6 }, (_, second) =>
      tied(250).map(({ id }) => ({ id: `${second} ${id}`, time: start + second * 1000 })),
    ).flat();
    const days = Array.from({ length: 3 }, (_, day) =>
      tied(110).map(({ id }) => ({ id: `${day} ${id}`, time: start + (day + 0.5) * dayMs })),
    ).flat();
    for (const sort of ['newestFirst', 'oldestFirst'] as const) {
      const ends = { comparesUnits: true, includesTo: true };
      const { end } = await walkOver({ rows: seconds, order: sort, ...ends, ...counted });
      assert.deepEqual([end.completeness, end.reason], ['unknown', 'depthUnproven'], sort);
      const range = { from: start + dayMs, to: start + 3 * dayMs };
      const unitMs = { unitMs: dayMs, cutMs: dayMs };
      const byDay = await walkOver({ rows: days, order: sort, ...unitMs, ...counted }, { range });
      assert.deepEqual(
        [byDay.end.completeness, byDay.end.reason],
        ['unknown', 'depthUnproven'],
        sort,
      );
    }
  });

  it('finds rows that such a count hides where the ends of a question are cut to minutes', async () => {
    const rows = rowsEvery(60_000, 4).flatMap(({ id, time }) =>
      tied(6).map((row) => ({ id: `${id} ${row.id}`, time: time + 20_772 })),
    );
    const range = { from: openStart, to: start + 3 * 60_000 + 20_773 };
    const counted = { reach: 5, totals: (all: number) => Math.min(5, all) };
    const ends = { cutMs: 60_000, comparesUnits: true, includesTo: true };
    for (const sort of ['newestFirst', 'oldestFirst'] as const) {
      const { end } = await walkOver({ rows, order: sort, ...ends, ...counted }, { range });
      assert.deepEqual([end.completeness, end.reason], ['unknown', 'depthUnproven'], sort);
    }
  });

  it('excuses no row that it missed by rows that left', async () => {
    const rare = new Set(['row-3', 'row-7']);
    const rows = rowsEvery(60_000, 300);
    const bySymbol = [
      ...rows.filter(({ id }) => !rare.has(id)),
      ...rows.filter(({ id }) => rare.has(id)),
    ];
    const leaving = new Set(idsOf(rows.slice(100, 120)));
    for (const [total, reason] of [
      ['honest', 'countDisagrees'],
      ['absent', 'depthUnproven'],
    ] as const) {
      const { ids, end } = await walkOver({
        rows: bySymbol,
        order: 'none',
        totals: totals[total],
        change: (before, read) => before.filter(({ id }) => read < 6 || !leaving.has(id)),
      });
      assert.equal(ids.length, 298);
      assert.deepEqual([end.completeness, end.reason], ['unknown', reason]);
    }
  });

  it('believes no such count if more rows came, also beside the range', async () => {
    const rows = [30_400, 32_022].flatMap((time) =>
      tied(300).map(({ id }) => ({ id: `${time} ${id}`, time: start + time })),
    );
    const ends = { cutMs: 1000, comparesUnits: true, excludesFrom: true, includesTo: true };
    const counted = { reach: 90, totals: (all: number) => Math.min(90, all) };
    const range = { from: start + 30_400, to: start + 31_861 };
    const expected = [90, 'unknown', 'depthUnproven'] as const;
    await assertEnd({ rows, order: 'oldestFirst', ...ends, ...counted }, expected, { range });
  });

  it('is not complete if the exchange withholds a row, whatever rows come before the range', async () => {
    const rows = rowsEvery(100, 3000);
    const range = { from: start + 100_000, to: start + 200_000 };
    for (const sort of anyOrder)
      for (const withheld of [1, 5]) {
        const hiddenIds = new Set(idsOf(rows.slice(1300, 1300 + withheld)));
        const expected = [1000 - withheld, 'unknown', 'countDisagrees'] as const;
        await assertEnd({ rows, order: sort, hiddenIds }, expected, { range });
      }
  });

  it('finds by a later page that rows come by symbol, where the exchange counts none', async () => {
    const late = rowsEvery(1000, 50).map(({ id, time }) => ({
      id: `b-${id}`,
      time: time + 400_500,
    }));
    for (const total of ['absent', 'thisPage', 'capped'] as const)
      for (const sorted of [
        (rows: SimulatedRow[]) => rows,
        (rows: SimulatedRow[]) => rows.reverse(),
      ]) {
        const rows = [...sorted(rowsEvery(1000, 1000)), ...sorted(late)];
        const { end } = await walkOver({ rows, order: 'none', totals: totals[total] });
        assert.deepEqual([end.completeness, end.reason], ['unknown', 'countDisagrees']);
      }
  });

  it('ends soon where the exchange ignores the period and repeats its last page', async () => {
    const rows = rowsEvery(3_600_000, 700);
    const range = { from: start + 300 * 3_600_000, to: start + 600 * 3_600_000 };
    for (const sort of ['newestFirst', 'oldestFirst'] as const) {
      const options = { rows, order: sort, ignoresRange: true, pastEnd: 'lastPage' } as const;
      await assertEnd(options, [300, 'unknown', 'endsIgnored'], { range, maxReads: 30 });
    }
  });

  it('is unknown where only the end of a day would prove a row, and the future is refused', async () => {
    const now = start + 30 * dayMs + 1_234_567;
    const refused = new ExchangeError({
      kind: 'refused',
      sent: 'yes',
      operation: 'trades',
      status: 400,
    });
    for (const sort of anyOrder) {
      const history = new SimulatedHistory({ rows: rowsEvery(dayMs, 30), order: sort });
      const read = history.read.bind(history);
      history.read = (asked, page, length) =>
        asked.to > now ? Promise.reject(refused) : read(asked, page, length);
      const { ids, end } = await walked(history, {
        range: { from: openStart, to: now - 5000 },
        size,
      });
      assert.deepEqual([ids.length, end.reason], [30, 'edgesUnproven']);
    }
  });

  it('is unknown where the exchange refuses a size', async () => {
    const refused = new ExchangeError({
      kind: 'refused',
      sent: 'yes',
      operation: 'trades',
      status: 400,
    });
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

  it('never treats a short page as the end, however the exchange counts pages', async () => {
    for (const offsetsByRequestedSize of [false, true])
      for (const sort of anyOrder)
        for (const stepMs of [0, 1, 1000])
          for (const caps of [1, 2, 3, 4].flatMap((one) => [1, 2, 3, 4, 5].map((n) => [one, n]))) {
            const rows = rowsEvery(stepMs, 5);
            const { ids, end } = await walkOver({
              rows,
              order: sort,
              caps,
              totals: totals.absent,
              offsetsByRequestedSize,
            });
            const isWhole = new Set(ids).size === 5;
            assert.ok(isWhole || end.completeness !== 'complete', `pages of ${caps.join(', ')}`);
          }
  });

  it('believes no total of a page as proof that it gave all rows of an instant', () =>
    assertEnd(
      { rows: tied(300), order, reach: 200, totals: totals.thisPage },
      [200, 'unknown', 'depthUnproven'],
      { size: 500 },
    ));

  it('recovers from one page that is wrongly empty', async () => {
    for (const sort of anyOrder)
      for (const emptyAt of [1, 2])
        await assertWhole({ rows: rowsEvery(1000, 400), order: sort, emptyAt });
  });

  it('recovers from a wrongly empty answer where a bounded period begins', async () => {
    const options = { rows: rowsEvery(5 * dayMs, 60), order, maxRangeMs: 30 * dayMs } as const;
    for (const emptyAt of [12, 15, 22]) await assertWhole({ ...options, emptyAt });
  });

  it('reads rows sorted by symbol and then by time', async () => {
    const rows = ['eth', 'btc'].flatMap((symbol) =>
      rowsEvery(1000, 300)
        .map(({ id, time }) => ({ id: `${symbol}-${id}`, time }))
        .reverse(),
    );
    await assertWhole({ rows, order: 'none' });
  });

  it('reads bounded periods, also where their length became known on the way', async () => {
    const rows = rowsEvery(5 * dayMs, 60);
    for (const sort of anyOrder) {
      await assertWhole({ rows, order: sort, maxRangeMs: 30 * dayMs });
      const options = {
        range: { from: openStart, to: start + 400 * dayMs },
        size: 20,
        maxReads: 900,
      };
      const ids: string[] = [];
      const steps = walk(new SimulatedHistory({ rows, order: sort }), options);
      const first = await steps.next();
      assert.ok(!first.done);
      ids.push(...first.value.items.map(({ id }) => id));
      const bounded = new SimulatedHistory({ rows, order: sort, maxRangeMs: 30 * dayMs });
      const { cursor } = first.value;
      for await (const { items } of walk(bounded, { ...options, cursor }))
        ids.push(...items.map(({ id }) => id));
      assert.deepEqual(ids.toSorted(), idsOf(rows), sort);
    }
  });

  it('gives every row once as unknown where the exchange ignores the period', async () => {
    for (const sort of ['newestFirst', 'oldestFirst'] as const) {
      const rows = rowsEvery(3_600_000, 500);
      const options = { rows, order: sort, ignoresRange: true };
      await assertEnd(options, [500, 'unknown', 'endsIgnored'], { interrupts: true });
    }
  });

  it('ends at a last page that is repeated, also where a record on it is unreadable', async () => {
    const rows = rowsEvery(3_600_000, 250);
    const badIds = new Set(['row-0']);
    const options = { rows, order, badIds, ignoresRange: true, pastEnd: 'lastPage' } as const;
    const { ids, end } = await walkOver(options, { maxReads: 100 });
    assert.deepEqual([ids.length, end.reason], [249, 'endsIgnored']);
  });

  it('is unknown where the exchange ignores another filter', () =>
    assertEnd({ rows: rowsEvery(1000, 5), order, unmatched: 2 }, [5, 'unknown', 'filterIgnored']));

  it('counts unreadable records as rows, and returns none that a filter excludes', async () => {
    const badIds = new Set(['row-399', 'row-303', 'row-302', 'row-0']);
    const { ids, end, bad } = await walkOver({ rows: rowsEvery(1000, 400), order, badIds });
    assert.ok(bad >= badIds.size);
    assert.deepEqual([ids.length, end.completeness], [396, 'complete']);
    const unwantedIds = new Set(idsOf(rowsEvery(1000, 300)));
    await assertEnd({ rows: rowsEvery(1000, 400), order, unwantedIds }, [100, 'complete']);
  });

  it('ends where it reached the most reads, and asks nothing of an empty range', async () => {
    const rows = rowsEvery(1000, 900);
    const { end } = await walkOver({ rows, order }, { maxReads: 5 });
    assert.deepEqual([end.completeness, end.reason, end.reads], ['unknown', 'readsUsedUp', 5]);
    const empty = await walkOver({ rows, order }, { range: { from: start, to: start } });
    assert.deepEqual(empty.end, { completeness: 'complete', rows: 0, reads: 0 });
  });

  it('keeps a cursor that does not grow with the walk, and its progress never falls', async () => {
    const options = { range: { from: openStart, to: start + dayMs }, size: 500, maxReads: 100 };
    let [longest, last] = [0, 0];
    const history = new SimulatedHistory({ rows: rowsEvery(1000, 20_000), order });
    for await (const { cursor, fraction } of walk(history, options)) {
      longest = Math.max(longest, JSON.stringify(cursor).length);
      assert.ok(fraction >= last && fraction <= 1);
      last = fraction;
    }
    assert.equal(last, 1);
    assert.ok(longest < 2000, String(longest));
  });

  it('rejects with what the history rejects with, and with the signal’s reason', async () => {
    const history = new SimulatedHistory({ rows: rowsEvery(1000, 500), order });
    const options = { range: { from: openStart, to: start + dayMs }, size, maxReads: 100 };
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

  it('rejects a stored cursor of another shape', async () => {
    const history = new SimulatedHistory({ rows: rowsEvery(1000, 500), order });
    const options = { range: { from: openStart, to: start + dayMs }, size, maxReads: 100 };
    const first = await walk(history, options).next();
    assert.ok(!first.done);
    const { cursor } = first.value;
    assert.deepEqual(parseWalkCursor(JSON.parse(JSON.stringify(cursor))), cursor);
    for (const value of [
      undefined,
      null,
      'x',
      {},
      { version: 1, windows: [] },
      { ...cursor, version: 2 },
      { ...cursor, order: 1 },
    ])
      assert.equal(parseWalkCursor(value), undefined);
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

  it('does not call whole what an exchange may leave out by the creation of its records', async () => {
    const range = { from: start, to: start + 2 * dayMs };
    const rows = rowsEvery(3_607_919, 40);
    const changed = ({ id }: SimulatedRow): number => (id === 'row-7' ? -12 * 3_600_000 : 0);
    await assertEnd({ rows, order, skewMs: changed }, [39, 'unknown', 'edgesUnproven'], { range });
    await assertWhole({ rows, order, skewMs: () => 0 }, { range });
  });
});

import assert from 'node:assert/strict';
import { stepOf } from '../../../../src/exchange/dialect/dates.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import { parseWalkCursor, walk, type WalkCursor } from '../../../../src/exchange/walk.ts';
import type { Unit } from '../../../../src/exchange/walk/history.ts';
import {
  MovingHistory,
  type MovingOptions,
  type MovingRow,
} from '../../../support/movingHistory.ts';
import { walked, type WalkedOptions } from '../../../support/walked.ts';

const start = Date.UTC(2026, 0, 1);
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const size = 97;

/** So many rows, oldest first. */
const rowsEvery = (stepMs: number, count = 3000): MovingRow[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `row-${index}`,
    time: start + index * stepMs,
  }));

const walkOver = (options: MovingOptions, wishes: Partial<WalkedOptions> = {}) => {
  const range = { from: undefined, to: start + 3000 * dayMs };
  return walked(new MovingHistory(options), { range, size, ...wishes });
};

const sorted = (ids: readonly string[]): string[] => ids.toSorted();
const idsOf = (rows: readonly MovingRow[]): string[] => rows.map(({ id }) => id);

describe('a walk', () => {
  const order = 'newestFirst';

  describe('loses no row and doubles none', () => {
    it('while five rows a second come in (A)', async () => {
      const rows = rowsEvery(1000);
      const to = start + 3_000_000;
      const change: MovingOptions['change'] = (before, read) => [
        ...before,
        ...[0, 1].map((nth) => ({ id: `new-${read}-${nth}`, time: to + read * 300 + nth })),
      ];
      const { ids, end } = await walkOver(
        { rows, order, change },
        { range: { from: undefined, to } },
      );
      assert.deepEqual(sorted(ids), sorted(idsOf(rows)));
      assert.deepEqual(end, { completeness: 'complete', rows: 3000, reads: 33 });
    });

    it('where five rows share each second and change places (B)', async () => {
      const rows = rowsEvery(200).map(({ id, time }) => ({ id, time: time - (time % 1000) }));
      const { ids, end } = await walkOver({ rows, order, isUnstable: true });
      assert.deepEqual(sorted(ids), sorted(idsOf(rows)));
      assert.deepEqual(end, { completeness: 'complete', rows: 3000, reads: 33 });
    });

    for (const sort of ['newestFirst', 'oldestFirst'] as const)
      it(`while rows leave the filter, ${sort} (C, D)`, async () => {
        const rows = rowsEvery(1000);
        const leaves = ({ id }: MovingRow, read: number): boolean =>
          Number(id.slice(4)) % 101 === 7 && Number(id.slice(4)) % 33 < read;
        const change: MovingOptions['change'] = (before, read) =>
          before.filter((row) => !leaves(row, read));
        const steady = rows.filter((row) => !leaves(row, Infinity));
        const { ids, end } = await walkOver({ rows, order: sort, change });
        assert.deepEqual(
          idsOf(steady).filter((id) => !ids.includes(id)),
          [],
        );
        assert.equal(new Set(ids).size, ids.length);
        assert.notEqual(end.completeness, 'unknown');
        assert.ok(end.reads <= 34);
      });

    it('where two hundred rows share a millisecond and change places (§13.8)', async () => {
      const rows = rowsEvery(1000).map((row, index) =>
        index > 1000 && index <= 1200 ? { ...row, time: start + 1_000_000 } : row,
      );
      for (const sort of ['newestFirst', 'oldestFirst', 'none'] as const) {
        const { ids, end } = await walkOver({ rows, order: sort, isUnstable: true });
        assert.deepEqual(sorted(ids), sorted(idsOf(rows)), sort);
        assert.equal(end.completeness, 'complete', sort);
      }
    });

    for (const unit of [1, 1000, dayMs])
      it(`where ends of a range are understood in steps of ${unit} ms`, async () => {
        const rows = rowsEvery(Math.max(1, unit / 5));
        for (const sort of ['newestFirst', 'oldestFirst', 'none'] as const) {
          const { ids, end } = await walkOver({ rows, order: sort, resolutionMs: unit });
          assert.deepEqual(sorted(ids), sorted(idsOf(rows)), sort);
          assert.equal(end.completeness, 'complete', sort);
        }
      });

    it('where an answer is empty by accident, although rows were seen where it was asked for', async () => {
      const rows = rowsEvery(1000, 400);
      for (const sort of ['newestFirst', 'oldestFirst', 'none'] as const)
        for (const emptyAt of [2, 3, 4]) {
          const { ids, end } = await walkOver({ rows, order: sort, emptyAt }, { size: 50 });
          assert.deepEqual(sorted(ids), sorted(idsOf(rows)), `${sort} ${emptyAt}`);
          assert.equal(end.completeness, 'complete');
        }
    });

    it('where its first answer is empty although it counts rows, once', async () => {
      const rows = rowsEvery(1000, 400);
      const { ids, end } = await walkOver({ rows, order, emptyAt: 1, claim: () => 400 });
      assert.deepEqual([ids.length, end.completeness], [400, 'complete']);
      const none = await walkOver({ rows: [], order, claim: () => 400 });
      assert.deepEqual(none.end, { completeness: 'drifted', rows: 0, reads: 2 });
    });

    it('or does not know where only rows behind its end came, and the next few are left out', async () => {
      const before = rowsEvery(0, 11);
      const after = [11, 12, 13, 14].map((nth) => ({ id: `row-${nth}`, time: start + 5 }));
      const hiddenIds = new Set(['row-0', 'row-12', 'row-13']);
      const rows = [...before, ...after];
      const options: MovingOptions = { rows, order, cap: 4, hiddenIds, seed: 417_011 };
      const history = new MovingHistory({ ...options, isUnstable: true, givesEndToo: true });
      const range = { from: undefined, to: start + 5 };
      const { ids, end } = await walked(history, { range, size: 4 });
      if (end.completeness !== 'unknown') assert.equal(ids.length, 10);
    });

    it('where the exchange caps the size and lies about its totals (§13.10)', async () => {
      const rows = rowsEvery(1000);
      for (const claim of [() => -1, () => null, () => 1, (total: number) => total >> 1])
        for (const sort of ['newestFirst', 'oldestFirst', 'none'] as const) {
          const isUnstable = sort === 'none';
          const options = { rows, order: sort, isUnstable, cap: 100, claim };
          const { ids, end } = await walkOver(options, { size: 1000 });
          assert.deepEqual(sorted(ids), sorted(idsOf(rows)), sort);
          assert.equal(end.completeness, 'complete', sort);
        }
    });

    describe('where what the exchange claims falls, and once is as much as a page', () => {
      const falling = (first: number) => (_total: number, read: number) =>
        Math.max(0, first - 8 * read);
      const times = [...Array<number>(5).fill(0), ...Array<number>(41).fill(1200), 1800, 2400];
      const rows = times.map((time, index) => ({ id: `row-${index}`, time: start + time }));

      for (const sort of ['oldestFirst', 'none'] as const)
        for (const ignoresRange of [true, false])
          it(`${sort}, and the range is ${ignoresRange ? 'ignored' : 'heeded'}`, async () => {
            for (let first = 7; first <= 90; first += 1) {
              const claim = falling(first);
              const seen: MovingOptions = { rows, order: sort, cap: 6, ignoresRange, claim };
              const options = { ...seen, isUnstable: sort === 'none', resolutionMs: 1000 };
              const range = { from: start + 540, to: start + 2160 };
              const { ids, end } = await walkOver(options, { range, maxReads: 500 });
              const label = `${first} first: ${end.completeness}`;
              if (end.completeness !== 'unknown') assert.equal(ids.length, 42, label);
            }
          });
    });

    it('where a page of rows behind the range is cut short', async () => {
      const rows = [1200, 1500, 1800, 2100, 2100, 2400, 2700].map((time, index) => ({
        id: `row-${index}`,
        time: start + time,
      }));
      const range = { from: start + 337, to: start + 1350 };
      const options: MovingOptions = { rows, order, givesEndToo: true, resolutionMs: 1000 };
      for (const caps of [
        [4, 7],
        [4, 12],
        [4, 5],
        [7, 4],
      ]) {
        const { ids, end } = await walkOver({ ...options, caps }, { range });
        if (end.completeness !== 'unknown') assert.deepEqual(ids, ['row-0'], String(caps));
      }
    });

    it('where a short page ends with one row of a day, after those of the day behind the range', async () => {
      const days = [1, 2, 3, 5, 5.5, 6, 6.3, 6.6, 7, 8, 9, 10];
      const rows = days.map((day, index) => ({ id: `row-${index}`, time: start + day * dayMs }));
      const caps = [8, 4, ...Array<number>(20).fill(8)];
      const options: MovingOptions = { rows, order, caps, givesEndToo: true, resolutionMs: dayMs };
      const range = { from: undefined, to: start + 12 * dayMs };
      const { ids, end } = await walkOver(options, { range });
      assert.deepEqual(sorted(ids), sorted(idsOf(rows)));
      assert.equal(end.completeness, 'complete');
    });

    it('while all rows of its first page leave before it has seen that there is no second', async () => {
      const rows = rowsEvery(1000, 6);
      const change: MovingOptions['change'] = () => rows.slice(0, 3);
      const { ids } = await walkOver({ rows, order, cap: 3, change });
      assert.deepEqual(sorted(ids), idsOf(rows));
    });

    it('where two records share an id, at one time or at two', async () => {
      const rows = rowsEvery(1000, 250);
      const twins = [...rows, ...rows.filter((_row, index) => index % 60 === 10)];
      const later = rows.map((row) => (row.id === 'row-130' ? { ...row, id: 'row-30' } : row));
      for (const sort of ['newestFirst', 'oldestFirst'] as const)
        for (const shared of [twins, later]) {
          const { ids, end } = await walkOver({ rows: shared, order: sort });
          assert.deepEqual(sorted(ids), sorted(idsOf(shared)), sort);
          assert.equal(end.completeness, 'complete', sort);
        }
    });

    it('where most of a page lies at the end of the range, which the exchange counts in', async () => {
      const rows = rowsEvery(1, 400).map((row, index) => ({
        ...row,
        time: start + (index < 200 ? Math.floor(index / 8) : index),
      }));
      const options: MovingOptions = { rows, order, givesEndToo: true };
      const { ids, end } = await walkOver(options, { size: 10 });
      assert.deepEqual(sorted(ids), sorted(idsOf(rows)));
      assert.equal(end.completeness, 'complete');
    });

    it('where every page after the first is refused', async () => {
      for (const sort of ['newestFirst', 'oldestFirst', 'none'] as const)
        for (const count of [1, 8, 96, 97, 300]) {
          const rows = rowsEvery(1000, count);
          const { ids, end } = await walkOver({ rows, order: sort, refusesPages: true });
          assert.deepEqual(sorted(ids), sorted(idsOf(rows)), sort);
          // Rows of one moment that fill a page cannot be proved to be all without a second page.
          assert.equal(end.completeness, count === 1 ? 'unknown' : 'complete', `${count} ${sort}`);
        }
    });

    it('where a page holds one row', async () => {
      const rows = rowsEvery(1000, 12);
      for (const sort of ['newestFirst', 'oldestFirst', 'none'] as const) {
        const { ids } = await walkOver({ rows, order: sort, cap: 1 });
        assert.deepEqual(sorted(ids), sorted(idsOf(rows)), sort);
      }
    });

    it('where a range may be asked in slices only, and most slices are empty', async () => {
      const rows = rowsEvery(40 * dayMs, 9);
      const maxRangeMs = 30 * dayMs;
      const range = { from: undefined, to: start + 400 * dayMs };
      const { ids, end } = await walkOver({ rows, order, maxRangeMs }, { range });
      assert.deepEqual(sorted(ids), sorted(idsOf(rows)));
      assert.equal(end.completeness, 'complete');
    });
  });

  it('goes on in slices from wherever it was when it became known how long a range may be', async () => {
    const rows = rowsEvery(5 * dayMs, 60).flatMap((row) => [row, { ...row, id: `${row.id} too` }]);
    const range = { from: undefined, to: start + 400 * dayMs };
    for (const sort of ['newestFirst', 'oldestFirst', 'none'] as const)
      for (const cap of [10, 120]) {
        const given = { rows, order: sort, isUnstable: sort === 'none', cap };
        const options = { range, size, maxReads: 2000 };
        const whole = await walkOver(given, { range });
        for (let steps = 1; steps <= Math.min(whole.end.reads, 30); steps += 1) {
          const ids: string[] = [];
          let [left, cursor]: [number, WalkCursor | undefined] = [steps, undefined];
          for await (const step of walk(new MovingHistory(given), options)) {
            ids.push(...idsOf(step.items));
            ({ cursor } = step);
            if (--left === 0) break;
          }
          assert.ok(cursor);
          const history = new MovingHistory({ ...given, maxRangeMs: 30 * dayMs });
          for await (const step of walk(history, { ...options, cursor }))
            ids.push(...idsOf(step.items));
          assert.deepEqual(sorted(ids), sorted(idsOf(rows)), `${sort}, cap ${cap}, ${steps}`);
        }
      }
  });

  describe('of days that clocks make longer and shorter', () => {
    const berlin = new TimeZone('Europe/Berlin');
    const days = new Map<number, Unit>();
    const unitOf = (timeMs: number): Unit => {
      const hour = Math.floor(timeMs / hourMs);
      const day = days.get(hour) ?? stepOf(timeMs, 'isoDate', berlin);
      days.set(hour, day);
      return day;
    };
    for (const change of [Date.UTC(2023, 9, 29, 1), Date.UTC(2024, 2, 31, 1)])
      for (const sort of ['newestFirst', 'oldestFirst', 'none'] as const)
        for (const maxRangeMs of [undefined, 25 * hourMs, 73 * hourMs])
          it(`gives every row once around ${new Date(change).toISOString()}, ${sort}, ${String(maxRangeMs)}`, async () => {
            const rows = Array.from({ length: 600 }, (_, index) => ({
              id: `row-${index}`,
              time: change - 5 * dayMs + index * (hourMs / 3),
            }));
            const range = { from: change - 4 * dayMs, to: change + 3 * dayMs };
            const within = rows.filter(({ time }) => time >= range.from && time < range.to);
            const bound = maxRangeMs === undefined ? {} : { maxRangeMs };
            for (const cap of [30, 80, 160]) {
              const options = { rows, order: sort, isUnstable: sort === 'none', unitOf, cap };
              const history = { ...options, ...bound };
              const { ids, end } = await walkOver(history, { range, interrupts: true });
              assert.deepEqual(sorted(ids), sorted(idsOf(within)), String(cap));
              // A day has 72 rows: more than 30 do not fit a page.
              if (cap > 80) assert.equal(end.completeness, 'complete', String(cap));
            }
          });
  });

  it('reads at most a tenth more pages than hold the rows', async () => {
    for (const sort of ['newestFirst', 'oldestFirst'] as const)
      for (const pages of [20, 50, 100]) {
        const { end } = await walkOver({ rows: rowsEvery(1000, pages * size), order: sort });
        assert.ok(end.reads <= 1.1 * pages, `${end.reads} reads of ${pages} pages`);
      }
  });

  it('reads once where there is nothing, twice where a page is full of everything, and three times where it is not: it may have been cut', async () => {
    for (const sort of ['newestFirst', 'oldestFirst', 'none'] as const)
      for (const [count, reads] of [
        [0, 1],
        [1, 3],
        [2, 3],
        [size - 1, 3],
        [size, 2],
      ] as const) {
        const { ids, end } = await walkOver({ rows: rowsEvery(1000, count), order: sort });
        assert.equal(ids.length, count);
        assert.equal(end.reads, reads, `${count} ${sort}`);
        assert.equal(end.completeness, 'complete');
      }
  });

  it('is not misled by a first page that came ordered by accident', async () => {
    const times = [5, 3, 9, 1, 4, 8, 2, 7, 6, 0];
    const rows = times.map((time) => ({ id: `row-${time}`, time: start + time }));
    const { ids, end } = await walkOver({ rows, order: 'none', cap: 2 });
    assert.deepEqual(sorted(ids), sorted(idsOf(rows)));
    assert.equal(end.completeness, 'complete');
  });

  describe('says that it does not know', () => {
    it('where the exchange ignores the range, and gives what pages by number give', async () => {
      const rows = rowsEvery(1000, 500);
      const { ids, end } = await walkOver({ rows, order, ignoresRange: true });
      assert.deepEqual(sorted(ids), sorted(idsOf(rows)));
      assert.deepEqual([end.completeness, end.reason], ['unknown', 'endsIgnored']);
    });

    it('where it ignores the range and rows leave, without a loss from the last page back', async () => {
      const rows = rowsEvery(1000, 1000);
      const change: MovingOptions['change'] = (before, read) =>
        before.filter(({ id }) => id !== `row-${read * 40}`);
      const options: MovingOptions = { rows, order: 'oldestFirst', change, ignoresRange: true };
      const { ids, end } = await walkOver(options);
      const steady = idsOf(rows).filter((id) => Number(id.slice(4)) % 40 !== 0);
      assert.deepEqual(
        steady.filter((id) => !ids.includes(id)),
        [],
      );
      assert.equal(new Set(ids).size, ids.length);
      assert.deepEqual([end.completeness, end.reason], ['unknown', 'endsIgnored']);
    });

    it('where more rows than a page share a moment and passes do not agree', async () => {
      const rows = rowsEvery(1000, 400).map((row) => ({ ...row, time: start }));
      let next = 0;
      const change: MovingOptions['change'] = (before) => [
        ...before.slice(1),
        { id: `late-${next++}`, time: start },
      ];
      const { end } = await walkOver({ rows, order, change });
      assert.deepEqual([end.completeness, end.reason], ['unknown', 'crowdedInstant']);
    });

    it('where the order breaks after it was relied on', async () => {
      const two = ['eth', 'btc'].flatMap((symbol) =>
        rowsEvery(1000, 300)
          .map(({ id, time }) => ({ id: `${symbol}-${id}`, time }))
          .reverse(),
      );
      const { ids, end } = await walkOver({ rows: two, order: 'none' });
      assert.deepEqual([end.completeness, end.reason], ['unknown', 'orderBroke']);
      assert.equal(new Set(ids).size, ids.length);
    });

    it('where the exchange ignores another filter', async () => {
      const { end } = await walkOver({ rows: rowsEvery(1000, 5), order, unmatched: 2 });
      assert.deepEqual([end.completeness, end.reason], ['unknown', 'filterIgnored']);
    });

    it('where it may not read more, and can be gone on with', async () => {
      const rows = rowsEvery(1000, 500);
      const options = { range: { from: undefined, to: start + dayMs }, size };
      const history = new MovingHistory({ rows, order });
      const first = walk(history, { ...options, maxReads: 3 });
      const given: string[] = [];
      let next = await first.next();
      let cursor: unknown;
      for (; !next.done; next = await first.next()) {
        given.push(...idsOf(next.value.items));
        cursor = JSON.parse(JSON.stringify(next.value.cursor));
      }
      assert.deepEqual(next.value, {
        completeness: 'unknown',
        reason: 'readsUsedUp',
        rows: given.length,
        reads: 3,
      });
      const parsed = parseWalkCursor(cursor);
      assert.ok(parsed);
      for await (const { items } of walk(history, { ...options, maxReads: 100, cursor: parsed }))
        given.push(...idsOf(items));
      assert.deepEqual(sorted(given), sorted(idsOf(rows)));
    });
  });

  describe('says that the history drifted', () => {
    it('when a row came in late, and gives it', async () => {
      const rows = rowsEvery(1000, 500);
      const late = { id: 'late', time: start + 498_500 };
      const change: MovingOptions['change'] = (before, read) =>
        read === 3 ? [...before, late] : before;
      const { ids, end } = await walkOver({ rows, order, change });
      assert.equal(end.completeness, 'drifted');
      assert.deepEqual(sorted(ids), sorted([...idsOf(rows), 'late']));
    });

    it('when a row that was given is gone where it is read again', async () => {
      const change: MovingOptions['change'] = (before) =>
        before.filter(({ id }) => id !== 'row-499');
      const { ids, end } = await walkOver({ rows: rowsEvery(1000, 500), order, change });
      assert.equal(end.completeness, 'drifted');
      assert.equal(ids.length, 500);
    });

    it('when the row from which it went on is gone', async () => {
      const change: MovingOptions['change'] = (before) =>
        before.filter(({ id }) => id !== `row-${500 - size}`);
      const { ids, end } = await walkOver({ rows: rowsEvery(1000, 500), order, change });
      assert.equal(end.completeness, 'drifted');
      assert.equal(ids.length, 500);
    });

    for (const withheld of [3, 250, 499])
      it(`when the exchange, which counts right, counts a row that it never gives (row ${withheld})`, async () => {
        const rows = rowsEvery(1000, 500);
        const hiddenIds = new Set([`row-${withheld}`]);
        for (const sort of ['newestFirst', 'oldestFirst'] as const) {
          const { ids, end } = await walkOver({ rows, order: sort, hiddenIds });
          assert.equal(ids.length, 499);
          assert.equal(end.completeness, 'drifted', sort);
          const uncounted = await walkOver({ rows, order: sort, hiddenIds, claim: () => null });
          assert.equal(uncounted.end.completeness, 'complete', sort);
        }
      });

    it('not when the exchange counts records that could not be read, or rows outside the period', async () => {
      const rows = rowsEvery(1000, 500);
      const badIds = new Set(['row-3', 'row-250', 'row-499']);
      const bad = await walkOver({ rows, order, badIds });
      assert.deepEqual([bad.ids.length, bad.end.completeness], [497, 'complete']);
      const ends = await walkOver(
        {
          ...{ rows, order, givesEndToo: true },
        },
        { range: { from: start, to: start + 400_000 } },
      );
      assert.deepEqual([ends.ids.length, ends.end.completeness], [400, 'complete']);
    });

    it('not when rows come in after its end, whatever the resolution', async () => {
      const rows = rowsEvery(1000, 500);
      const to = start + 500_000;
      const change: MovingOptions['change'] = (before, read) => [
        ...before,
        { id: `new-${read}`, time: to + read },
      ];
      for (const resolutionMs of [1, 1000, 60_000]) {
        const range = { from: undefined, to };
        const { end } = await walkOver({ rows, order, change, resolutionMs }, { range });
        assert.equal(end.completeness, 'complete', String(resolutionMs));
      }
    });
  });

  it('counts records that cannot be read as rows of their page', async () => {
    const rows = rowsEvery(1000, 400);
    const badIds = new Set(['row-399', 'row-303', 'row-302', 'row-100', 'row-0']);
    const { ids, end, bad } = await walkOver({ rows, order, badIds });
    assert.equal(ids.length, 395);
    assert.ok(bad >= badIds.size);
    assert.equal(end.completeness, 'complete');
  });

  it('goes past a page on which nothing can be read, and says so', async () => {
    const rows = rowsEvery(1000, 400);
    const badIds = new Set(idsOf(rows.slice(0, 300)));
    const { ids, end } = await walkOver({ rows, order, badIds });
    assert.equal(ids.length, 100);
    assert.deepEqual([end.completeness, end.reason], ['unknown', 'unreadablePage']);
  });

  it('gives nothing outside its range, whatever the resolution', async () => {
    const rows = rowsEvery(1000, 500);
    const range = { from: start + 100_500, to: start + 400_000 };
    for (const resolutionMs of [1, 1000, dayMs]) {
      const { ids } = await walkOver({ rows, order, resolutionMs }, { range });
      assert.deepEqual(sorted(ids), sorted(idsOf(rows.slice(101, 400))), String(resolutionMs));
    }
  });

  it('reads nothing of an empty range', async () => {
    const range = { from: start, to: start };
    const { end } = await walkOver({ rows: rowsEvery(1000, 10), order }, { range });
    assert.deepEqual(end, { completeness: 'complete', rows: 0, reads: 0 });
  });

  it('keeps a cursor that does not grow with the walk', async () => {
    const longestOf = async (count: number): Promise<number> => {
      const history = new MovingHistory({ rows: rowsEvery(1000, count), order });
      const range = { from: undefined, to: start + 3000 * dayMs };
      let [longest, parts] = [0, 0];
      for await (const { cursor, part } of walk(history, { range, size: 500, maxReads: 100 })) {
        longest = Math.max(longest, JSON.stringify(cursor).length);
        assert.ok(part >= parts && part <= 1);
        parts = part;
      }
      assert.equal(parts, 1);
      return longest;
    };
    const [short, long] = [await longestOf(2000), await longestOf(20_000)];
    assert.ok(long - short < 200 && long < 5000, `${short} and ${long}`);
  });

  it('estimates how much is done where the exchange counts to 100 only', async () => {
    const claim = (total: number): number => Math.min(100, total);
    const history = new MovingHistory({ rows: rowsEvery(1000, 2000), order, claim });
    const range = { from: undefined, to: start + 3000 * dayMs };
    const parts: number[] = [];
    for await (const { part } of walk(history, { range, size, maxReads: 100 })) parts.push(part);
    assert.deepEqual(
      parts,
      parts.toSorted((a, b) => a - b),
    );
    assert.ok((parts[4] ?? 1) < 1);
    assert.equal(parts.at(-1), 1);
  });

  it('rejects with what the history rejects with, and with the signal’s reason', async () => {
    const history = new MovingHistory({ rows: rowsEvery(1000, 500), order });
    const options = { range: { from: undefined, to: start + dayMs }, size, maxReads: 100 };
    const abort = new AbortController();
    const steps = walk(history, options, abort.signal);
    await steps.next();
    abort.abort(new Error('enough'));
    await assert.rejects(steps.next(), /enough/);
    const failing = walk(
      { ...bound(history), read: () => Promise.reject(new Error('no')) },
      options,
    );
    await assert.rejects(failing.next(), /no/);
  });
});

describe('a cursor', () => {
  it('is refused when it is of another shape or version', async () => {
    const history = new MovingHistory({ rows: rowsEvery(1000, 500), order: 'newestFirst' });
    const options = { range: { from: undefined, to: start + dayMs }, size, maxReads: 100 };
    const first = await walk(history, options).next();
    assert.ok(!first.done);
    const { cursor } = first.value;
    assert.deepEqual(parseWalkCursor(JSON.parse(JSON.stringify(cursor))), cursor);
    for (const value of [
      undefined,
      null,
      'x',
      {},
      { ...cursor, version: 1 },
      { ...cursor, seen: 1 },
    ])
      assert.equal(parseWalkCursor(value), undefined);
  });
});

function bound(history: MovingHistory) {
  return {
    idOf: (row: MovingRow) => history.idOf(row),
    timeOf: (row: MovingRow) => history.timeOf(row),
    unitOf: (timeMs: number) => history.unitOf(timeMs),
    maxPageSize: history.maxPageSize,
    maxRangeMs: history.maxRangeMs,
  };
}

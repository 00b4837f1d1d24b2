import assert from 'node:assert/strict';
import { TimeZone } from '../../../../../src/base/timeZone.ts';
import { unitContaining } from '../../../../../src/exchange/conventions/dateFormats.ts';
import type { TimeUnit } from '../../../../../src/exchange/history/walk/historySource.ts';
import {
  parseWalkCursor,
  walk,
  type WalkCursor,
} from '../../../../../src/exchange/history/walk/walk.ts';
import {
  MovingHistory,
  type MovingOptions,
  type MovingRow,
} from '../../../../support/movingHistory.ts';
import { walked, type WalkedOptions } from '../../../../support/walked.ts';

const start = Date.UTC(2026, 0, 1);
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const size = 97;

/** Rows at these times, from `start`. */
const rowsAt = (times: readonly number[]): MovingRow[] =>
  times.map((time, index) => ({ id: `row-${index}`, time: start + time }));

/** That many rows, oldest first. */
const rowsEvery = (stepMs: number, count = 3000): MovingRow[] =>
  rowsAt(Array.from({ length: count }, (_, index) => index * stepMs));

const walkOver = (options: MovingOptions, wishes: Partial<WalkedOptions> = {}) => {
  const range = { from: undefined, to: start + 3000 * dayMs };
  return walked(new MovingHistory(options), { range, size, ...wishes });
};

const sorted = (ids: readonly string[]): string[] => ids.toSorted();
const idsOf = (rows: readonly MovingRow[]): string[] => rows.map(({ id }) => id);
const anyOrder = ['newestFirst', 'oldestFirst', 'none'] as const;

/** Walks over all rows: each is returned once, and the walk knows that these are all. */
async function assertWhole(options: MovingOptions, wishes: Partial<WalkedOptions> = {}) {
  const { ids, end } = await walkOver(options, wishes);
  const label = JSON.stringify({ ...options, rows: undefined, ...wishes });
  assert.deepEqual(sorted(ids), sorted(idsOf(options.rows)), label);
  assert.equal(end.completeness, 'complete', label);
  return end;
}

describe('a walk', () => {
  const order = 'newestFirst';

  describe('returns every row once', () => {
    it('while rows are added', async () => {
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

    it('where five rows share each second and change places', async () => {
      const rows = rowsEvery(200).map(({ id, time }) => ({ id, time: time - (time % 1000) }));
      const end = await assertWhole({ rows, order, isUnstable: true });
      assert.deepEqual(end, { completeness: 'complete', rows: 3000, reads: 33 });
    });

    for (const sort of ['newestFirst', 'oldestFirst'] as const)
      it(`while rows stop matching the filter, ${sort}`, async () => {
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

    it('where two hundred rows share a millisecond and change places', async () => {
      const rows = rowsEvery(1000).map((row, index) =>
        index > 1000 && index <= 1200 ? { ...row, time: start + 1_000_000 } : row,
      );
      for (const sort of anyOrder) await assertWhole({ rows, order: sort, isUnstable: true });
    });

    for (const unit of [1, 1000, dayMs])
      it(`where the ends of a range have units of ${unit} ms`, async () => {
        const rows = rowsEvery(Math.max(1, unit / 5));
        for (const sort of anyOrder) await assertWhole({ rows, order: sort, resolutionMs: unit });
      });

    it('where one page is wrongly empty', async () => {
      const rows = rowsEvery(1000, 400);
      for (const sort of anyOrder)
        for (const emptyAt of [2, 3, 4])
          await assertWhole({ rows, order: sort, emptyAt }, { size: 50 });
    });

    it('where the first page is empty once although its total is not 0', async () => {
      const rows = rowsEvery(1000, 400);
      const { ids, end } = await walkOver({ rows, order, emptyAt: 1, claim: () => 400 });
      assert.deepEqual([ids.length, end.completeness], [400, 'complete']);
      const none = await walkOver({ rows: [], order, claim: () => 400 });
      assert.deepEqual(none.end, { completeness: 'drifted', rows: 0, reads: 2 });
    });

    it('or says unknown, where only rows behind the range came and the next few are left out', async () => {
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

    it('where the exchange has a page cap and wrong totals', async () => {
      const rows = rowsEvery(1000);
      for (const claim of [() => -1, () => null, () => 1, (total: number) => total >> 1])
        for (const sort of anyOrder) {
          const isUnstable = sort === 'none';
          await assertWhole({ rows, order: sort, isUnstable, cap: 100, claim }, { size: 1000 });
        }
    });

    describe('where the reported total falls, and once equals the page', () => {
      const falling = (first: number) => (_total: number, read: number) =>
        Math.max(0, first - 8 * read);
      const times = [...Array<number>(5).fill(0), ...Array<number>(41).fill(1200), 1800, 2400];
      const rows = rowsAt(times);

      for (const sort of ['oldestFirst', 'none'] as const)
        for (const ignoresRange of [true, false])
          it(`${sort}, and the range is ${ignoresRange ? 'ignored' : 'applied'}`, async () => {
            for (let first = 7; first <= 90; first += 1) {
              const claim = falling(first);
              const base: MovingOptions = { rows, order: sort, cap: 6, ignoresRange, claim };
              const options = { ...base, isUnstable: sort === 'none', resolutionMs: 1000 };
              const range = { from: start + 540, to: start + 2160 };
              const { ids, end } = await walkOver(options, { range, maxReads: 500 });
              const label = `${first} first: ${end.completeness}`;
              if (end.completeness !== 'unknown') assert.equal(ids.length, 42, label);
            }
          });
    });

    it('where a page of rows behind the range is cut short', async () => {
      const rows = rowsAt([1200, 1500, 1800, 2100, 2100, 2400, 2700]);
      const range = { from: start + 337, to: start + 1350 };
      const options: MovingOptions = { rows, order, givesEndToo: true, resolutionMs: 1000 };
      for (const last of [7, 12, 5, 4]) {
        const caps = last === 4 ? [7, 4] : [4, last];
        const { ids, end } = await walkOver({ ...options, caps }, { range });
        if (end.completeness !== 'unknown') assert.deepEqual(ids, ['row-0'], String(caps));
      }
    });

    it('where a short page ends with one row of a day, after those of the day behind the range', async () => {
      const days = [1, 2, 3, 5, 5.5, 6, 6.3, 6.6, 7, 8, 9, 10];
      const rows = rowsAt(days.map((day) => day * dayMs));
      const caps = [8, 4, ...Array<number>(20).fill(8)];
      const options: MovingOptions = { rows, order, caps, givesEndToo: true, resolutionMs: dayMs };
      const range = { from: undefined, to: start + 12 * dayMs };
      await assertWhole(options, { range });
    });

    it('while all rows of the first page leave before the second is read', async () => {
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
        for (const shared of [twins, later]) await assertWhole({ rows: shared, order: sort });
    });

    it('where most of a page lies at the end of the range, which the exchange includes', async () => {
      const times = Array.from({ length: 400 }, (_, nth) => (nth < 200 ? nth >> 3 : nth));
      await assertWhole({ rows: rowsAt(times), order, givesEndToo: true }, { size: 10 });
    });

    it('where every page after the first is refused', async () => {
      for (const sort of anyOrder)
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
      for (const sort of anyOrder) {
        const { ids } = await walkOver({ rows, order: sort, cap: 1 });
        assert.deepEqual(sorted(ids), sorted(idsOf(rows)), sort);
      }
    });

    it('where the length of a range is bounded and most parts are empty', async () => {
      const rows = rowsEvery(40 * dayMs, 9);
      const maxRangeMs = 30 * dayMs;
      const range = { from: undefined, to: start + 400 * dayMs };
      await assertWhole({ rows, order, maxRangeMs }, { range });
    });
  });

  it('resumes in shorter ranges from any step where the longest range became known', async () => {
    const rows = rowsEvery(5 * dayMs, 60).flatMap((row) => [row, { ...row, id: `${row.id} too` }]);
    const range = { from: undefined, to: start + 400 * dayMs };
    for (const sort of anyOrder)
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

  describe('over days of 23 and 25 hours', () => {
    const berlin = new TimeZone('Europe/Berlin');
    const days = new Map<number, TimeUnit>();
    const unitOf = (timeMs: number): TimeUnit => {
      const hour = Math.floor(timeMs / hourMs);
      const day = days.get(hour) ?? unitContaining(timeMs, 'isoDate', berlin);
      days.set(hour, day);
      return day;
    };
    for (const change of [Date.UTC(2023, 9, 29, 1), Date.UTC(2024, 2, 31, 1)])
      for (const sort of anyOrder)
        for (const maxRangeMs of [undefined, 25 * hourMs, 73 * hourMs])
          it(`returns every row once around ${new Date(change).toISOString()}, ${sort}, ${String(maxRangeMs)}`, async () => {
            const rows = Array.from({ length: 600 }, (_, index) => ({
              id: `row-${index}`,
              time: change - 5 * dayMs + index * (hourMs / 3),
            }));
            const range = { from: change - 4 * dayMs, to: change + 3 * dayMs };
            const within = rows.filter(({ time }) => time >= range.from && time < range.to);
            const bound = maxRangeMs && { maxRangeMs };
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

  it('reads one page of an empty history, two where a full page has everything, and three where a short page does', async () => {
    for (const sort of anyOrder)
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

  it('recovers from a first page that was sorted by chance', async () => {
    const times = [5, 3, 9, 1, 4, 8, 2, 7, 6, 0];
    const rows = times.map((time) => ({ id: `row-${time}`, time: start + time }));
    await assertWhole({ rows, order: 'none', cap: 2 });
  });

  describe('ends as unknown', () => {
    it('where the exchange ignores the range, with the rows of pages by number', async () => {
      const rows = rowsEvery(1000, 500);
      const { ids, end } = await walkOver({ rows, order, ignoresRange: true });
      assert.deepEqual(sorted(ids), sorted(idsOf(rows)));
      assert.deepEqual([end.completeness, end.reason], ['unknown', 'endsIgnored']);
    });

    it('where it ignores the range while rows leave, and loses none from the last page back', async () => {
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

    it('where more rows than a page share a time and passes differ', async () => {
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

    it('where it reached the most reads, and can be resumed', async () => {
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

  describe('ends as drifted', () => {
    it('when a row came late, and returns it', async () => {
      const rows = rowsEvery(1000, 500);
      const late = { id: 'late', time: start + 498_500 };
      const change: MovingOptions['change'] = (before, read) =>
        read === 3 ? [...before, late] : before;
      const { ids, end } = await walkOver({ rows, order, change });
      assert.equal(end.completeness, 'drifted');
      assert.deepEqual(sorted(ids), sorted([...idsOf(rows), 'late']));
    });

    for (const [which, gone] of [
      ['a returned row is gone where it is read again', 'row-499'],
      ['the row from which it continued is gone', `row-${500 - size}`],
    ] as const)
      it(`when ${which}`, async () => {
        const change: MovingOptions['change'] = (before) => before.filter(({ id }) => id !== gone);
        const { ids, end } = await walkOver({ rows: rowsEvery(1000, 500), order, change });
        assert.deepEqual([ids.length, end.completeness], [500, 'drifted']);
      });

    for (const withheld of [3, 250, 499])
      it(`when right totals count a row that is never returned (row ${withheld})`, async () => {
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

    it('not when totals count unreadable records or rows outside the period', async () => {
      const rows = rowsEvery(1000, 500);
      const badIds = new Set(['row-3', 'row-250', 'row-499']);
      const bad = await walkOver({ rows, order, badIds });
      assert.deepEqual([bad.ids.length, bad.end.completeness], [497, 'complete']);
      const range = { from: start, to: start + 400_000 };
      const ends = await walkOver({ rows, order, givesEndToo: true }, { range });
      assert.deepEqual([ends.ids.length, ends.end.completeness], [400, 'complete']);
    });

    it('not when rows are added after the range, in any unit', async () => {
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

  it('counts unreadable records as rows of their page', async () => {
    const rows = rowsEvery(1000, 400);
    const badIds = new Set(['row-399', 'row-303', 'row-302', 'row-100', 'row-0']);
    const { ids, end, bad } = await walkOver({ rows, order, badIds });
    assert.equal(ids.length, 395);
    assert.ok(bad >= badIds.size);
    assert.equal(end.completeness, 'complete');
  });

  it('continues after a page of unreadable records, and ends as unknown', async () => {
    const rows = rowsEvery(1000, 400);
    const badIds = new Set(idsOf(rows.slice(0, 300)));
    const { ids, end } = await walkOver({ rows, order, badIds });
    assert.equal(ids.length, 100);
    assert.deepEqual([end.completeness, end.reason], ['unknown', 'unreadablePage']);
  });

  it('returns no row outside its range, in any unit', async () => {
    const rows = rowsEvery(1000, 500);
    const range = { from: start + 100_500, to: start + 400_000 };
    for (const resolutionMs of [1, 1000, dayMs]) {
      const { ids } = await walkOver({ rows, order, resolutionMs }, { range });
      assert.deepEqual(sorted(ids), sorted(idsOf(rows.slice(101, 400))), String(resolutionMs));
    }
  });

  it('reads no page of an empty range', async () => {
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

  it('estimates its progress where totals end at 100', async () => {
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
    history.read = () => Promise.reject(new Error('no'));
    await assert.rejects(walk(history, options).next(), /no/);
  });
});

describe('a cursor', () => {
  it('is rejected with another shape or version', async () => {
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

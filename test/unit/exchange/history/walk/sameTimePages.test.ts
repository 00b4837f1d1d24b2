import assert from 'node:assert/strict';
import {
  MovingHistory,
  type MovingOptions,
  type MovingRow,
} from '../../../../support/movingHistory.ts';
import { walked, type Walked } from '../../../../support/walked.ts';

const start = Date.UTC(2026, 0, 1);
const order = 'newestFirst';

/** So many rows of one moment. */
const tied = (count: number): MovingRow[] =>
  Array.from({ length: count }, (_, index) => ({ id: `row-${index}`, time: start }));

const idsOf = (rows: readonly MovingRow[]): string[] => rows.map(({ id }) => id);

const walkOver = (options: MovingOptions, size = 500): Promise<Walked> =>
  walked(new MovingHistory(options), { range: { from: undefined, to: start + 1 }, size });

async function checkComplete(options: MovingOptions, message?: string): Promise<void> {
  const { ids, end } = await walkOver(options);
  const steady = idsOf(options.rows).filter((id) => !options.hiddenIds?.has(id));
  assert.deepEqual(ids.toSorted(), steady.toSorted(), message);
  assert.equal(end.completeness, 'complete', message);
}

describe('a walk through rows of one time', () => {
  it('that just fit on a page takes three reads, and one more for few rows without a total', async () => {
    for (const isUnstable of [false, true])
      for (const [count, uncounted] of [
        [2, 4],
        [6, 3],
      ] as const) {
        const options: MovingOptions = { rows: tied(count), order, isUnstable, cap: count };
        assert.equal((await walkOver(options)).end.reads, 3);
        assert.equal((await walkOver({ ...options, claim: () => null })).end.reads, uncounted);
        await checkComplete(options);
      }
  });

  it('that just fit on a page is complete beside a row outside the range', async () => {
    const rows = [...tied(6), { id: 'after', time: start + 1 }];
    for (const size of [6, 500]) {
      const { ids, end } = await walkOver({ rows, order, isUnstable: true, cap: 6 }, size);
      assert.deepEqual(ids.toSorted(), idsOf(tied(6)));
      assert.equal(end.completeness, 'complete');
    }
  });

  for (const isUnstable of [false, true])
    for (const caps of [
      [4, 5],
      [8, 4],
      [4, 12, 7],
      [12, 4, 4],
      [6, 5, 4, 5],
    ])
      it(`loses nothing where pages are cut at ${caps.join(', ')}, ${isUnstable ? 'un' : ''}stable`, async () => {
        for (let count = 1; count <= 24; count += 1)
          for (let turn = 0; turn < 2 * caps.length; turn += 1) {
            const turned = [...caps.slice(turn), ...caps.slice(0, turn)];
            // Newer rows, that the moment is not the first to be read.
            const newer = Array.from({ length: 3 * turn }, (_, index) => ({
              id: `newer-${index}`,
              time: start + 1 + index,
            }));
            const rows = [...newer, ...tied(count)];
            const history = new MovingHistory({ rows, order, isUnstable, caps: turned });
            const range = { from: undefined, to: start + 1000 };
            const { ids, end } = await walked(history, { range, size: 500 });
            const label = `${count} rows, turn ${turn}: ${end.completeness}`;
            if (end.completeness !== 'unknown') assert.equal(ids.length, rows.length, label);
            if (count <= Math.min(...caps)) assert.equal(end.completeness, 'complete', label);
          }
      });

  it('is complete with pages of one length, in any order', async () => {
    for (const count of [5, 7, 8, 9, 23])
      for (const isUnstable of [false, true])
        await checkComplete({ rows: tied(count), order, isUnstable, cap: 4 }, String(count));
  });

  it('is complete with pages of different lengths, once short ones are requested', async () => {
    await checkComplete({ rows: tied(40), order, caps: [12, 9, 4, 11, 7] });
  });

  it('that fit on a page is complete where one of them is left out', async () => {
    for (const left of [0, 2, 4])
      for (const isUnstable of [false, true]) {
        const hiddenIds = new Set([`row-${left}`]);
        await checkComplete({ rows: tied(5), order, isUnstable, cap: 5, hiddenIds });
      }
  });

  it('does not end at a page whose rows are all left out', async () => {
    const hiddenIds = new Set(['row-2', 'row-3']);
    for (const claim of [undefined, () => null]) {
      const options: MovingOptions = { rows: tied(6), order, cap: 4, hiddenIds };
      const { ids, end } = await walkOver(claim ? { ...options, claim } : options);
      if (end.completeness !== 'unknown') assert.deepEqual(ids.length, 4);
    }
  });

  it('does not end at a short page whose only row is left out', async () => {
    const hiddenIds = new Set(['row-7', 'row-10']);
    for (const order of ['newestFirst', 'none'] as const)
      for (let seed = 1; seed <= 300; seed += 1) {
        const change: MovingOptions['change'] = (before, read) =>
          before.filter(({ id }) => id !== `row-${20 - read}` || read > 5);
        const options = { rows: tied(21), order, isUnstable: true, cap: 4, hiddenIds, change };
        const { ids, end } = await walkOver({ ...options, seed }, 4);
        const steady = idsOf(tied(15)).filter((id) => !hiddenIds.has(id));
        if (end.completeness !== 'unknown')
          assert.deepEqual(
            steady.filter((id) => !ids.includes(id)),
            [],
            `seed ${seed}, ${order}`,
          );
      }
  });

  it('does not count a row that left in place of one that never came', async () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const rows = tied(6);
      const change: MovingOptions['change'] = (before, read) =>
        read === 1 ? before.filter(({ id }) => id !== 'row-0') : before;
      const { ids, end } = await walkOver({ rows, order, isUnstable: true, cap: 4, change, seed });
      const steady = idsOf(rows.slice(1));
      if (end.completeness !== 'unknown')
        assert.deepEqual(
          steady.filter((id) => !ids.includes(id)),
          [],
          `seed ${seed}`,
        );
    }
  });

  it('requests pages in the length of the first, and the row behind a short last one', async () => {
    const history = new MovingHistory({ rows: tied(10), order, cap: 4 });
    const asked: string[] = [];
    const read = history.read.bind(history);
    history.read = (range, page, size) => {
      asked.push(size === 1 ? `row ${page}` : `${page} of ${size}`);
      return read(range, page, size);
    };
    await walked(history, { range: { from: undefined, to: start + 1 }, size: 500 });
    const passes = [
      ['0 of 500', '1 of 4', '2 of 4', '3 of 4', 'row 10'],
      ['0 of 500', '1 of 4', '2 of 4'],
    ];
    // First the rows are looked at as any others, and the first page comes again at the end.
    assert.deepEqual(asked, ['0 of 500', '1 of 4', '0 of 500', ...passes.flat(), '0 of 500']);
  });
});

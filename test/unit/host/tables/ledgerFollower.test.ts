import assert from 'node:assert/strict';
import { LedgerFollower } from '../../../../src/host/tables/ledgerFollower.ts';
import type { Log } from '../../../../src/host/shared/log.ts';
import { eventually } from '../../../support/eventually.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

describe('what follows a ledger', () => {
  let clock: FakeClock;
  let isVisible: boolean;
  let looks: number;
  let pageBehind: number | undefined;
  let changed: number[];
  let failures: unknown[];
  let follower: LedgerFollower;
  let answer: () => Promise<number | undefined>;

  beforeEach(() => {
    clock = new FakeClock();
    isVisible = true;
    looks = 0;
    pageBehind = 7;
    changed = [];
    failures = [];
    answer = () => Promise.resolve(pageBehind);
    follower = new LedgerFollower({
      clock,
      isVisible: () => isVisible,
      onChange: (id) => changed.push(id),
      log: { failure: (_what: string, error: unknown) => failures.push(error) } as unknown as Log,
      pageReader: {
        pageBehindLedger: () => {
          looks += 1;
          return answer();
        },
      },
    });
  });

  const looked = (count: number) => eventually('a look', () => looks === count);

  it('names a page that is behind, once for all writes of a second', async () => {
    follower.look();
    follower.look();
    follower.look();
    assert.equal(looks, 0);
    await clock.advance(1000);
    await eventually('the page', () => changed.length === 1);
    assert.deepEqual([changed, looks, clock.waiting], [[7], 1, 0]);
  });

  it('names no page that has the rows of the ledger', async () => {
    pageBehind = undefined;
    follower.look();
    await clock.advance(1000);
    await looked(1);
    assert.deepEqual(changed, []);
  });

  it('does nothing while the page is hidden, until it is shown', async () => {
    isVisible = false;
    follower.look();
    assert.equal(clock.waiting, 0);
    isVisible = true;
    follower.look();
    await clock.advance(1000);
    await eventually('the page', () => changed.length === 1);
  });

  it('looks again for what was written while it looked, also after a failure', async () => {
    const first = Promise.withResolvers<number | undefined>();
    answer = () => first.promise;
    follower.look();
    await clock.advance(1000);
    await looked(1);
    follower.look();
    answer = () => Promise.resolve(pageBehind);
    first.reject(new Error('The file is locked.'));
    await eventually('a timer', () => clock.waiting === 1);
    await clock.advance(1000);
    await eventually('the page', () => changed.length === 1);
    assert.equal(failures.length, 1);
  });

  it('stops with its panel', () => {
    follower.look();
    follower.dispose();
    assert.equal(clock.waiting, 0);
  });
});

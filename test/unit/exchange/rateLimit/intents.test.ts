import assert from 'node:assert/strict';
import { existsSync, linkSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ExchangeError } from '../../../../src/exchange/exchangeError.ts';
import { RateLimitFile } from '../../../../src/exchange/rateLimit/rateLimitFile.ts';
import {
  emptyState,
  totalWeight,
  type Charge,
  type RateLimitState,
  type SendResult,
} from '../../../../src/exchange/rateLimit/rateLimitState.ts';
import type { RateLimitStore } from '../../../../src/exchange/rateLimit/rateLimitStore.ts';
import { RateLimiter, type Reservation } from '../../../../src/exchange/rateLimit/rateLimiter.ts';
import { eventually } from '../../../support/eventually.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/project.ts';

const answered: SendResult = { kind: 'answered' };

describe('cancel-alls of several windows', () => {
  let clock: FakeClock;
  let folder: TemporaryFolder;
  let windows: RateLimiter[];

  beforeEach(async () => {
    clock = new FakeClock();
    folder = await temporaryFolder();
    windows = [];
  });
  afterEach(async () => {
    rmSync(lock(), { force: true });
    await Promise.all(windows.map((one) => one.flushed()));
    for (const one of windows) one.dispose();
    await folder.remove();
  });

  const file = () => path.join(folder.path, 'state.json');
  const lock = () => `${file()}.lock`;
  const intents = () => (existsSync(`${file()}.intents`) ? readdirSync(`${file()}.intents`) : []);

  function store(): RateLimitFile {
    const onProblem = (error: unknown): never => assert.fail(String(error));
    return new RateLimitFile({ folder: folder.path, name: 'state.json', clock, onProblem });
  }

  /** Windows that read this state. */
  function open(
    count: number,
    state: Partial<RateLimitState> = {},
    share = 1,
  ): readonly RateLimiter[] {
    writeFileSync(file(), JSON.stringify({ ...emptyState, fileId: '1', ...state }));
    const opened = Array.from(
      { length: count },
      () => new RateLimiter({ store: store(), clock, share: () => share }),
    );
    windows.push(...opened);
    return opened;
  }

  /** A state of the usual limit, of which this weight was used just now. */
  const spent = (weight: number): Partial<RateLimitState> => ({
    entries: [{ id: 'spent', weight, endsAt: clock.now(), isForeign: false }],
  });

  function intentOf(weight: number): Charge {
    return { id: crypto.randomUUID(), weight, operation: 'cancelAll', maxDurationMs: 20_000 };
  }

  const holdLock = (): void => writeFileSync(lock(), 'of another');

  const cancel = (
    window: RateLimiter,
    operation: 'cancelAll' | 'accounts' = 'cancelAll',
  ): Promise<Reservation> =>
    window.acquire({ operation, weight: 5, priority: 'cancel', maxDurationMs: 20_000 });

  /** The states of promises once everything has run that does not wait for the lock. */
  async function outcomes(all: readonly Promise<unknown>[]): Promise<string[]> {
    const seen = all.map(() => 'waits');
    for (const [index, one] of all.entries())
      one.then(
        () => (seen[index] = 'sent'),
        (error: unknown) =>
          (seen[index] = error instanceof ExchangeError ? 'refused' : String(error)),
      );
    await clock.advance(0);
    return seen;
  }

  const countOf = (seen: readonly string[], outcome: string): number =>
    seen.filter((one) => one === outcome).length;

  it('are sent immediately while the lock is held, before anything is written', async () => {
    const [first, second] = open(2, spent(100)) as [RateLimiter, RateLimiter];
    holdLock();
    const reservation = await cancel(first);
    assert.equal(second.usage.used, 105);
    reservation.complete(answered);
    rmSync(lock());
    await first.flushed();
    assert.deepEqual([second.usage.used, intents()], [105, []]);

    await cancel(second);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    assert.equal(intents().length, 1, 'the file was written before the request could be sent');
    await second.flushed();
    assert.deepEqual([first.usage.used, intents()], [110, []]);
  });

  for (const [share, reserve] of [
    [1, 25],
    [0.1, 25],
    [0.03, 10],
  ] as const)
    it(`never exceed the limit when ten windows cancel simultaneously, at a share of ${share}`, async () => {
      const all = open(10, spent(970), share);
      holdLock();
      const asked = all.map((one) => cancel(one));
      const atOnce = countOf(await outcomes(asked), 'sent');
      assert.equal(atOnce, reserve / 5, 'by intents alone');
      rmSync(lock());
      await eventually('the rest of the limit', () => store().read().entries.length === 7);
      assert.equal(countOf(await outcomes(asked), 'sent'), 6);
      assert.deepEqual([totalWeight(store().read().entries), intents()], [1000, []]);
      for (const one of all) one.dispose();
      await Promise.allSettled(asked);
    });

  it('are sent in a pause by every window, and one read-back of all windows', async () => {
    const all = open(3, { pausedUntil: clock.now() + 30_000 });
    holdLock();
    const deletes = all.map((one) => cancel(one));
    const readBacks = all.map((one) => cancel(one, 'accounts'));
    assert.equal(countOf(await outcomes(deletes), 'sent'), 3);
    assert.equal(countOf(await outcomes(readBacks), 'sent'), 1);
    rmSync(lock());
    const ended = await Promise.allSettled(readBacks);
    assert.equal(ended.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  it('wait in the queue until an intent that is in their way is removed', async () => {
    const [window] = open(1, spent(995)) as [RateLimiter];
    const other = store();
    const intent = intentOf(5);
    other.addIntent(intent);
    holdLock();
    const asked = cancel(window);
    assert.deepEqual(await outcomes([asked]), ['waits']);
    other.removeIntent(intent);
    rmSync(lock());
    await asked;
  });

  it('see each other even if only one of them waits for the lock', async () => {
    const [rival] = open(1, spent(995)) as [RateLimiter];
    const inTheWay = intentOf(5);
    const shared = store();
    shared.addIntent(inTheWay);
    let rivals: Promise<Reservation> | undefined;
    const update: RateLimitStore['update'] = (change) => {
      shared.removeIntent(inTheWay);
      return shared.update((state) => {
        rivals ??= cancel(rival);
        return change(state);
      });
    };
    const hooked: RateLimitStore = {
      read: () => shared.read(),
      update,
      addIntent: (intent) => shared.addIntent(intent),
      removeIntent: (intent) => shared.removeIntent(intent),
    };
    const waiting = new RateLimiter({ store: hooked, clock, share: () => 1 });
    windows.push(waiting);
    const refused = assert.rejects(cancel(waiting), { message: 'cancelAll: rateLimited' });
    await eventually('the other window', () => rivals);
    await rivals;
    await waiting.flushed();
    assert.equal(waiting.usage.used, 1000);
    await refused;
  });

  it('are counted and removed in a moment, however many windows left them behind', async () => {
    const [window] = open(1) as [RateLimiter];
    const folderOfIntents = `${file()}.intents`;
    mkdirSync(folderOfIntents);
    for (let left = 0; left < 10_000; left += 1)
      linkSync(file(), path.join(folderOfIntents, `20000_5_cancelAll_${crypto.randomUUID()}`));
    // Of the processor, as tests share the machine.
    const before = process.cpuUsage();
    cancel(window).catch(() => undefined);
    await eventually('their end', () => intents().length === 0);
    const { user, system } = process.cpuUsage(before);
    assert.equal(window.usage.used, 50_000);
    assert.ok(user + system < 5e6, `it took ${user + system} µs`);
    window.dispose();
  });

  it('count when their process died before it wrote the file', async () => {
    const [dead] = open(1, spent(990)) as [RateLimiter];
    holdLock();
    await cancel(dead);
    const [first, second] = Array.from({ length: 2 }, () => {
      const window = new RateLimiter({ store: store(), clock, share: () => 1 });
      windows.push(window);
      return window;
    }) as [RateLimiter, RateLimiter];
    assert.equal(first.usage.used, 995);
    await cancel(first);
    assert.deepEqual(await outcomes([cancel(second)]), ['waits']);
  });
});

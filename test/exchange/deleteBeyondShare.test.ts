import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../../src/base/time.ts';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import { ExchangeError } from '../../src/exchange/exchangeError.ts';
import { RateLimitFile } from '../../src/exchange/rateLimit/rateLimitFile.ts';
import { RateLimiter } from '../../src/exchange/rateLimit/rateLimiter.ts';
import { worstFixed, worstSliding } from '../support/arrivals.ts';
import { eventually } from '../support/eventually.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { exchangesOfEachTest, type HostileExchange } from '../support/hostileExchange.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/project.ts';

const windowMs = 60_000;
const weight = 100;

type Window = { readonly client: ExchangeClient; readonly rateLimiter: RateLimiter };

describe('cancel-alls while interactive reads use up the share', () => {
  const start = exchangesOfEachTest();
  let exchange: HostileExchange;
  let folder: TemporaryFolder;
  let windows: Window[];

  beforeEach(async () => {
    exchange = await start({ limit: { weight, windowMs } });
    folder = await temporaryFolder();
    windows = [];
  });
  afterEach(async () => {
    for (const { rateLimiter } of windows) rateLimiter.dispose();
    await Promise.all(windows.map(({ rateLimiter }) => rateLimiter.flushed()));
    await folder.remove();
  });

  /** Windows that share a rate-limit file of this folder, at half the limit. */
  async function open(count: number, inFolder = folder.path): Promise<readonly Window[]> {
    const limits = [{ weight, windowMs }];
    for (let nth = 0; nth < count; nth += 1) {
      const options = { folder: inFolder, name: 'limit.json', clock: systemClock };
      const store = new RateLimitFile({ ...options, onProblem: () => undefined });
      await store.update((state) => ({ ...state, limits, learnedAt: Date.now() }));
      const rateLimiter = new RateLimiter({ store, clock: systemClock, share: () => 0.5 });
      windows.push({ rateLimiter, client: clientFor(exchange, { rateLimiter }) });
    }
    return windows;
  }

  /** Reads as often as the share allows, until it allows no more. */
  async function useShare({ client }: Window): Promise<void> {
    for (;;) {
      const error = await client.feeTiers().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (error === undefined) continue;
      assert.ok(error instanceof ExchangeError && error.failure.kind === 'rateLimited');
      return;
    }
  }

  const deletes = (): number => exchange.seen('cancelAll').length;

  function assertWithinLimit(): void {
    assert.ok(worstSliding(exchange.arrivals, windowMs) <= weight);
    assert.ok(worstFixed(exchange.arrivals, windowMs) <= weight);
  }

  it('send their DELETE at each of ten presses', async () => {
    const [window] = (await open(1)) as [Window];
    await useShare(window);
    for (let press = 1; press <= 10; press += 1) {
      await Promise.all([window.client.cancelAll(), useShare(window)]);
      assert.equal(deletes(), press);
    }
    assertWithinLimit();
  });

  it('never exceed the limit when more windows press at once than it holds', async () => {
    const [first, ...others] = (await open(14)) as [Window, ...Window[]];
    const all = [first, ...others];
    await useShare(first);
    const room = Math.floor((weight - first.rateLimiter.usage.used) / 5);
    assert.ok(room < all.length);
    const pressed = all.map(({ client }) => client.cancelAll());
    await eventually('the DELETEs that fit', () => deletes() === room);
    await eventually('the rest waits', () => {
      const waiting = all.filter(({ rateLimiter }) => rateLimiter.usage.waiting > 0);
      return waiting.length >= all.length - room;
    });
    assert.equal(deletes(), room);
    assertWithinLimit();
    for (const { rateLimiter } of all) rateLimiter.dispose();
    await Promise.allSettled(pressed);
  });

  it('send a DELETE from each of ten windows while the rate-limit file cannot be written', async () => {
    const noFolder = path.join(folder.path, 'file');
    await writeFile(noFolder, '');
    const all = await open(10, noFolder);
    await Promise.all(all.map(({ client }) => client.cancelAll()));
    assert.equal(deletes(), 10);
    await all[0]?.client.cancelAll();
    assert.equal(deletes(), 11);
    assertWithinLimit();
  });
});

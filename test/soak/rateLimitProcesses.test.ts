import assert from 'node:assert/strict';
import { open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { dayMs } from '../../src/base/time.ts';
import { worstFixed, worstSliding } from '../support/arrivals.ts';
import { eventually } from '../support/eventually.ts';
import { hostileExchange, type HostileExchange } from '../support/hostileExchange.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/project.ts';
import { startWeightProcess, type WeightProcess } from '../support/weightProcesses.ts';

const usual = 200;
const windowMs = 1000;

describe('several windows of one user', () => {
  let server: HostileExchange;
  let folder: TemporaryFolder;
  let processes: WeightProcess[];

  beforeEach(async () => {
    server = await hostileExchange({ uplinkMs: () => 1 + Math.random() * 29 });
    folder = await temporaryFolder();
    processes = [];
  });
  afterEach(async () => {
    await Promise.all(processes.map((one) => one.kill()));
    await server.close();
    await folder.remove();
  });

  const start = async (
    limit = usual,
    { clockAheadMs = 0, windowMs: inMs = windowMs } = {},
  ): Promise<WeightProcess> => {
    const { url } = server;
    const started = await startWeightProcess({
      ...{ url, folder: folder.path, limit, clockAheadMs, mayFail: true },
      ...{ windowSeconds: inMs / 1000, atATime: 8 },
    });
    processes.push(started);
    return started;
  };
  const killOne = async (): Promise<void> => processes.shift()?.kill();
  const seen = (requests: number) =>
    eventually(`${requests} requests`, () => server.arrivals.length >= requests, {
      deadlineMs: 15_000,
    });

  it('keep the limit together, even when one is killed in the middle and comes back', async () => {
    await Promise.all([start(), start(), start()]);
    await seen(40);
    await killOne();
    await start();
    await seen(120);
    keptLimit(usual);
  });

  it('keep it when all of them cancel at one instant with the rest of the limit used', async () => {
    const tight = 60;
    await Promise.all([start(tight), start(tight), start(tight), start(tight)]);
    for (const requests of [20, 35, 50]) {
      await seen(requests);
      await Promise.all(processes.flatMap((one) => [one.cancel(), one.cancel(), one.cancel()]));
    }
    keptLimit(tight);
    const deletes = server.requests.filter(({ method }) => method === 'DELETE');
    assert.ok(deletes.length >= 3, `${deletes.length} cancelled`);
  });

  const limits = () => path.join(folder.path, 'limits');
  const file = async (): Promise<string> => {
    const names = await readdir(limits());
    return path.join(limits(), names.find((name) => name.endsWith('.json')) ?? 'none.json');
  };
  /** Whoever else holds the file lets go of it after a moment. */
  const lock = async (): Promise<void> => {
    const handle = await open(`${await file()}.lock`, 'wx').catch(() => undefined);
    await handle?.close();
  };
  const disturbances: Readonly<Record<string, () => Promise<unknown>>> = {
    'is deleted': async () => rm(await file(), { force: true }),
    'is corrupt': async () => writeFile(await file(), '[1'),
    'is locked': lock,
    'cannot be written': async () => {
      await rename(limits(), `${limits()}.aside`);
      // A window may create the folder again in between.
      await eventually('a file in its place', () =>
        rm(limits(), { recursive: true, force: true }).then(() =>
          writeFile(limits(), '').then(() => true),
        ),
      );
    },
    'has another clock': () => Promise.resolve(),
  };
  const aheadMs = [8, -8].map((days) => days * dayMs);
  const longWindowMs = 10_000;
  for (const [what, disturb] of Object.entries(disturbances))
    it(`keep it while the file ${what}, windows are killed, and others start with a clock of 8 days more or less`, async () => {
      const open = (ahead?: number) =>
        start(usual, { clockAheadMs: ahead, windowMs: longWindowMs });
      await Promise.all([0, 0, 0, ...aheadMs].map(open));
      for (let turn = 1; turn <= 2; turn += 1) {
        if (turn === 1) await seen(20);
        await setTimeout(1000);
        await disturb().catch(() => undefined);
        // Who has never read the file cannot know what others sent, nor can they.
        if (what === 'cannot be written') continue;
        await Promise.all([killOne(), killOne(), killOne()]);
        await Promise.all(aheadMs.map(open));
      }
      await setTimeout(4000);
      keptLimit(usual, longWindowMs);
    });

  function keptLimit(limit: number, inMs = windowMs): void {
    const { arrivals } = server;
    const worst = [worstSliding(arrivals, inMs), worstFixed(arrivals, inMs)] as const;
    assert.ok(Math.max(...worst) <= limit, `sliding ${worst[0]}, fixed ${worst[1]}`);
    assert.ok(worst[0] > limit / 2, `the limit was hardly approached: ${worst[0]}`);
  }
});

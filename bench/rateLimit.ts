import { performance } from 'node:perf_hooks';
import { createMemoryStore } from '../src/exchange/rateLimit/rateLimitStore.ts';
import { RateLimiter } from '../src/exchange/rateLimit/rateLimiter.ts';
import { worstFixed, worstSliding, type Arrival } from '../test/support/arrivals.ts';
import { countingServer } from '../test/support/countingServer.ts';
import { FakeClock } from '../test/support/fakeClock.ts';
import { temporaryFolder } from '../test/support/project.ts';
import { startWeightProcess, type WeightProcess } from '../test/support/weightProcesses.ts';
import { percentile, type Bar, type Figure } from './figures.ts';
import { limiters, ourRateLimiter, type Limiter } from './limiters.ts';

const limit = 1000;
/** A window of three seconds stands for the minute, and the way of a request is as much shorter. */
const windowMs = 3000;
const uplinkMs = [2.5, 42] as const;
const weights = [10, 5, 1];
const atATime = 16;
/** Five cancel-alls a window are what the reserve of 25 holds; a person makes fewer. */
const cancelPauseMs = windowMs / 5 + 50;

/** How the rate limiter keeps the limit, beside other libraries, on the same work. */
export async function rateLimitFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, limiter] of limiters(limit, windowMs))
    figures.push(...worst(`${name}, 16 at a time`, await burst(limiter), name === ourRateLimiter));
  figures.push(...(await processFigures()));
  for (const roundTripMs of [80, 400]) figures.push(await bulkFigure(roundTripMs));
  return figures;
}

function worst(name: string, arrivals: readonly Arrival[], isOurs: boolean): Figure[] {
  const bar: Bar = { is: 'at most', value: limit, fails: isOurs };
  const total = arrivals.reduce((sum, { weight }) => sum + weight, 0);
  const spans = ((arrivals.at(-1)?.at ?? 0) - (arrivals[0]?.at ?? 0)) / windowMs;
  return [
    {
      name: `worst sliding window, ${name}`,
      value: worstSliding(arrivals, windowMs),
      unit: '',
      bar,
    },
    {
      name: `worst fixed window, ${name}`,
      value: worstFixed(arrivals, windowMs),
      unit: '',
      bar,
    },
    {
      name: `weight a window, ${name}, from the first burst on`,
      value: total / Math.max(1, spans),
      unit: '',
    },
  ];
}

/** Sends a mix of weights through a limiter for four windows; gives what arrived, when. */
async function burst(limiter: Limiter): Promise<readonly Arrival[]> {
  const server = await countingServer({ uplinkMs });
  const paths = ['/api/v1/orders/history', '/api/v1/accounts', '/api/v1/feeTiers/structure'];
  const end = performance.now() + 4 * windowMs;
  let next = 0;
  const send = async (): Promise<void> => {
    while (performance.now() < end) {
      const turn = next++ % weights.length;
      await limiter(weights[turn] ?? 0, async () => {
        await (await fetch(`${server.url}${paths[turn]}`)).arrayBuffer();
      });
    }
  };
  await Promise.all(Array.from({ length: atATime }, send));
  await server.close();
  return server.arrivals;
}

/** Five windows of one user: one is reloaded and one killed mid-burst, then they cancel in turn. */
async function processFigures(): Promise<Figure[]> {
  const server = await countingServer({ uplinkMs });
  const folder = await temporaryFolder();
  const start = (): Promise<WeightProcess> =>
    startWeightProcess({
      url: server.url,
      folder: folder.path,
      limit,
      windowSeconds: windowMs / 1000,
      atATime,
    });
  const [reloaded, killed, ...others] = await Promise.all([
    start(),
    start(),
    start(),
    start(),
    start(),
  ]);
  await passed(windowMs * 0.3);
  await killed.kill();
  await passed(windowMs);
  await reloaded.kill();
  const all = [...others, await start(), await start()];
  await passed(windowMs * 3);
  const delays = await cancelDelays(all);
  await Promise.all(all.map((one) => one.kill()));
  const figures = worst('five processes, one reloaded, one killed', server.arrivals, true);
  await server.close();
  await folder.remove();
  return [
    ...figures,
    {
      name: 'from the confirmation to the DELETE sent, its receipt saved, p50',
      value: percentile(delays, 0.5),
      unit: 'ms',
      bar: { is: 'at most', value: 5, fails: { beyond: 50 } },
    },
    {
      name: 'and p99',
      value: percentile(delays, 0.99),
      unit: 'ms',
      bar: { is: 'at most', value: 50, fails: { beyond: 500 } },
    },
  ];
}

async function cancelDelays(processes: readonly WeightProcess[]): Promise<number[]> {
  const delays: number[] = [];
  for (let turn = 0; turn < 100; turn += 1) {
    const process = processes[turn % processes.length];
    delays.push((await process?.cancel()) ?? Number.NaN);
    await passed(cancelPauseMs);
  }
  return delays;
}

const passed = (delayMs: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, delayMs));

/** A bulk walk of six hours in virtual time, against the most that the limit allows at this round trip. */
async function bulkFigure(roundTripMs: number): Promise<Figure> {
  const clock = new FakeClock();
  const limits = [{ weight: limit, windowMs: 60_000 }];
  const store = createMemoryStore({ limits });
  const rateLimiter = new RateLimiter({ store, clock, share: () => 1 });
  const request = {
    operation: 'orders',
    weight: 10,
    priority: 'bulk',
    maxDurationMs: 20_000,
  } as const;
  const hours = 6;
  const warmUpMs = 120_000;
  const start = clock.now() + warmUpMs;
  let walked = 0;
  const walk = async (): Promise<void> => {
    for (;;) {
      const reservation = await rateLimiter.acquire(request);
      if (clock.now() >= start) walked += 10;
      await new Promise<void>((answered) => void clock.after(roundTripMs, answered));
      reservation.complete({ kind: 'answered' });
    }
  };
  for (let walker = 0; walker < 8; walker += 1) walk().catch(() => undefined);
  await clock.advance(warmUpMs + hours * 3_600_000);
  rateLimiter.dispose();
  const reserves = 25 + 30;
  const perMinute = (Math.floor((limit - reserves) / 10) * 10 * 60_000) / (60_000 + roundTripMs);
  const ratio = walked / (perMinute * hours * 60);
  return {
    name: `bulk walk at a round trip of ${roundTripMs} ms, of what is possible`,
    value: ratio * 100,
    unit: '%',
    // In virtual time, so that no busy machine is an excuse.
    bar: { is: 'at least', value: 99.5, fails: true },
  };
}

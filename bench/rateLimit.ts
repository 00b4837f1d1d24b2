import Bottleneck from 'bottleneck';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../src/base/time.ts';
import { createMemoryStore } from '../src/exchange/rateLimit/rateLimitStore.ts';
import { RateLimiter } from '../src/exchange/rateLimit/rateLimiter.ts';
import { worstFixed, worstSliding, type Arrival } from '../test/support/arrivals.ts';
import { FakeClock } from '../test/support/fakeClock.ts';
import { hostileExchange } from '../test/support/hostileExchange.ts';
import { temporaryFolder } from '../test/support/project.ts';
import { startWeightProcess, type WeightProcess } from '../test/support/weightProcesses.ts';
import { percentile, type Figure } from './figures.ts';
import { sizes } from './sizes.ts';

/** Runs a request of this weight when its limit allows. */
type Limiter = (weight: number, send: () => Promise<void>) => Promise<void>;

const limit = 1000;
/** A window of three seconds stands for the minute, and the way of a request is as much shorter. */
const windowMs = 3000;
const uplinkMs = (): number => 2.5 + Math.random() * 39.5;
const weights = [10, 5, 1];
const atATime = 16;
/** Five cancel-alls a window are what the reserve of 25 holds; a person makes fewer. */
const cancelPauseMs = windowMs / 5 + 50;

/** How the rate limiter keeps the limit, beside another library on the same work. */
export async function rateLimitFigures(): Promise<Figure[]> {
  const [own, peer] = [await burst(ours()), await burst(bottleneck())];
  const figures = [
    ...windows('16 requests at a time', own, { bottleneck: peer }),
    ...(await processFigures()),
  ];
  for (const roundTripMs of [80, 400]) figures.push(await bulkFigure(roundTripMs));
  return figures;
}

function ours(): Limiter {
  const store = createMemoryStore({ limits: [{ weight: limit, windowMs }] });
  const rateLimiter = new RateLimiter({ store, clock: systemClock, share: () => 1 });
  const request = { operation: 'orders', priority: 'refresh', maxDurationMs: 1000 } as const;
  return async (weight, send) => {
    const reservation = await rateLimiter.acquire({ ...request, weight });
    await send();
    reservation.complete({ kind: 'answered' });
  };
}

function bottleneck(): Limiter {
  const peer = new Bottleneck({
    reservoir: limit,
    reservoirRefreshAmount: limit,
    reservoirRefreshInterval: windowMs,
  });
  return (weight, send) => peer.schedule({ weight }, send);
}

/** The most weight in any window, and in one of the exchange's. */
function windows(
  name: string,
  arrivals: readonly Arrival[],
  others: Readonly<Record<string, readonly Arrival[]>> = {},
): Figure[] {
  const figure = (what: string, of: (all: readonly Arrival[]) => number): Figure => ({
    ...{ name: `${what}, ${name}`, unit: '', value: of(arrivals) },
    peers: Object.fromEntries(Object.entries(others).map(([peer, all]) => [peer, of(all)])),
  });
  const bar = { atMost: limit };
  return [
    { ...figure('worst sliding window', (all) => worstSliding(all, windowMs)), bar },
    { ...figure('worst fixed window', (all) => worstFixed(all, windowMs)), bar },
  ];
}

/** Sends a mix of weights through a limiter for some windows; gives what arrived, when. */
async function burst(limiter: Limiter): Promise<readonly Arrival[]> {
  const server = await hostileExchange({ uplinkMs });
  const paths = ['/api/v1/orders/history', '/api/v1/accounts', '/api/v1/feeTiers/structure'];
  const end = performance.now() + sizes.limitWindows * windowMs;
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
  const server = await hostileExchange({ uplinkMs });
  const folder = await temporaryFolder();
  const start = (): Promise<WeightProcess> =>
    startWeightProcess({
      url: server.url,
      folder: folder.path,
      limit,
      windowSeconds: windowMs / 1000,
      atATime,
    });
  const [reloaded, killed, ...others] = await Promise.all(Array.from({ length: 5 }, start));
  await setTimeout(windowMs * 0.3);
  await killed?.kill();
  await setTimeout(windowMs);
  await reloaded?.kill();
  const all = [...others, await start(), await start()];
  await setTimeout(windowMs * (sizes.limitWindows - 1));
  const delays = await cancelDelays(all);
  await Promise.all(all.map((one) => one.kill()));
  const figures = windows('five processes, one reloaded, one killed', server.arrivals);
  await server.close();
  await folder.remove();
  // It waits for no window: that would take longer on any machine.
  const bar = { atMost: windowMs };
  const name = 'from the confirmation to the DELETE sent, its receipt saved';
  return [
    ...figures,
    { name: `${name}, p50`, unit: 'ms', value: percentile(delays, 0.5), bar },
    { name: `${name}, p99`, unit: 'ms', value: percentile(delays, 0.99), bar },
  ];
}

async function cancelDelays(processes: readonly WeightProcess[]): Promise<number[]> {
  const delays: number[] = [];
  for (let turn = 0; turn < sizes.cancelAlls; turn += 1) {
    const process = processes[turn % processes.length];
    delays.push((await process?.cancel()) ?? Number.NaN);
    await setTimeout(cancelPauseMs);
  }
  return delays;
}

/** A bulk walk of hours in virtual time, against the most that the limit allows at this round trip. */
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
  const hours = 1;
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
    unit: '%',
    value: ratio * 100,
    // In virtual time, so that no busy machine is an excuse.
    bar: { atLeast: 99.5 },
  };
}

import { createRequire } from 'node:module';
import { systemClock } from '../src/base/clock.ts';
import { booksInMemory } from '../src/exchange/ledger/booksStore.ts';
import { WeightLedger } from '../src/exchange/ledger/weightLedger.ts';

/** Runs a request of this weight when its limit allows. */
export type Limiter = (weight: number, send: () => Promise<void>) => Promise<void>;

export const ourLedger = 'weight ledger';

type Peer = (limit: number, windowMs: number) => Limiter | undefined;

/** The peers are looked for here, or in the folder that this variable names; a missing one is left out. */
const peersFolder = process.env.MARGIN_DESK_BENCH_PEERS;
const load = createRequire(peersFolder ? `${peersFolder}/peers.cjs` : import.meta.url);

/** Our ledger and, as far as they are installed, what others use to keep a limit by weight. */
export function limiters(limit: number, windowMs: number): [name: string, limiter: Limiter][] {
  const all: [string, Peer][] = [
    [ourLedger, ours],
    ['bottleneck', bottleneck],
    ['p-queue strict', pQueue],
    ['ccxt leakyBucket', ccxt('leakyBucket')],
    ['ccxt rollingWindow', ccxt('rollingWindow')],
  ];
  return all.flatMap(([name, peer]) => {
    const limiter = peer(limit, windowMs);
    return limiter ? [[name, limiter] as [string, Limiter]] : [];
  });
}

function ours(limit: number, windowMs: number): Limiter {
  const ledger = new WeightLedger({
    store: booksInMemory({ limits: [{ weight: limit, windowMs }] }),
    clock: systemClock,
    share: () => 1,
  });
  const request = { operation: 'orders', priority: 'refresh', longestMs: 1000 } as const;
  return async (weight, send) => {
    const reservation = await ledger.acquire({ ...request, weight });
    await send();
    reservation.end({ kind: 'answered', usedWeight: undefined });
  };
}

export function optional(name: string): unknown {
  try {
    return load(name) as unknown;
  } catch {
    console.error(`${name} is not installed and was left out`);
    return undefined;
  }
}

type Bottleneck = new (options: object) => {
  schedule(options: { weight: number }, send: () => Promise<void>): Promise<void>;
};

function bottleneck(limit: number, windowMs: number): Limiter | undefined {
  const Peer = optional('bottleneck') as Bottleneck | undefined;
  if (!Peer) return undefined;
  const peer = new Peer({
    reservoir: limit,
    reservoirRefreshAmount: limit,
    reservoirRefreshInterval: windowMs,
  });
  return (weight, send) => peer.schedule({ weight }, send);
}

type PQueue = new (options: object) => { add(send: () => Promise<void>): Promise<void> };

/** It counts calls, not weights: as many as the limit holds of the mean weight. */
function pQueue(limit: number, windowMs: number): Limiter | undefined {
  const Peer = (optional('p-queue') as { default: PQueue } | undefined)?.default;
  if (!Peer) return undefined;
  const meanWeight = (10 + 5 + 1) / 3;
  const intervalCap = Math.floor(limit / meanWeight);
  const peer = new Peer({ strict: true, interval: windowMs, intervalCap });
  return (_weight, send) => peer.add(send);
}

type Exchange = { throttle(cost: number): Promise<void> };
type Ccxt = { readonly Exchange: new (options: object) => Exchange };

function ccxt(rateLimiterAlgorithm: string): Peer {
  return (limit, windowMs) => {
    const Peer = (optional('ccxt') as Ccxt | undefined)?.Exchange;
    if (!Peer) return undefined;
    const peer = new Peer({
      id: 'bench',
      enableRateLimit: true,
      rateLimit: windowMs / limit,
      rollingWindowSize: windowMs,
      rateLimiterAlgorithm,
    });
    return async (weight, send) => {
      await peer.throttle(weight);
      await send();
    };
  };
}

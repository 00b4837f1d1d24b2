import Bottleneck from 'bottleneck';
import { Exchange } from 'ccxt';
import PQueue from 'p-queue';
import { systemClock } from '../src/base/time.ts';
import { createMemoryStore } from '../src/exchange/rateLimit/rateLimitStore.ts';
import { RateLimiter } from '../src/exchange/rateLimit/rateLimiter.ts';

/** Runs a request of this weight when its limit allows. */
export type Limiter = (weight: number, send: () => Promise<void>) => Promise<void>;

export const ourRateLimiter = 'rate limiter';

type Peer = (limit: number, windowMs: number) => Limiter;

/** Our rate limiter, and other libraries that keep a limit by weight. */
export function limiters(limit: number, windowMs: number): [name: string, limiter: Limiter][] {
  const all: [string, Peer][] = [
    [ourRateLimiter, ours],
    ['bottleneck', bottleneck],
    ['p-queue strict', pQueue],
    ['ccxt leakyBucket', ccxt('leakyBucket')],
    ['ccxt rollingWindow', ccxt('rollingWindow')],
  ];
  return all.map(([name, peer]) => [name, peer(limit, windowMs)]);
}

function ours(limit: number, windowMs: number): Limiter {
  const rateLimiter = new RateLimiter({
    store: createMemoryStore({ limits: [{ weight: limit, windowMs }] }),
    clock: systemClock,
    share: () => 1,
  });
  const request = { operation: 'orders', priority: 'refresh', maxDurationMs: 1000 } as const;
  return async (weight, send) => {
    const reservation = await rateLimiter.acquire({ ...request, weight });
    await send();
    reservation.complete({ kind: 'answered' });
  };
}

function bottleneck(limit: number, windowMs: number): Limiter {
  const peer = new Bottleneck({
    reservoir: limit,
    reservoirRefreshAmount: limit,
    reservoirRefreshInterval: windowMs,
  });
  return (weight, send) => peer.schedule({ weight }, send);
}

/** It counts calls, not weights: as many as the limit holds of the mean weight. */
function pQueue(limit: number, windowMs: number): Limiter {
  const meanWeight = (10 + 5 + 1) / 3;
  const intervalCap = Math.floor(limit / meanWeight);
  const peer = new PQueue({ strict: true, interval: windowMs, intervalCap });
  return (_weight, send) => peer.add(send);
}

function ccxt(rateLimiterAlgorithm: string): Peer {
  return (limit, windowMs) => {
    const peer = new Exchange({
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

import { setTimeout } from 'node:timers/promises';
import { operations } from '../../src/api/operations.ts';
import type { Arrival } from './arrivals.ts';
import { hostileServer, type HostileServer } from './hostileServer.ts';

export type CountingServerOptions = {
  /** How long a request is on its way, at least and at most. */
  readonly uplinkMs: readonly [least: number, most: number];
};

/** A server that notes the weight of every request when it arrives, after an uneven way to it. */
export type CountingServer = HostileServer & { readonly arrivals: readonly Arrival[] };

export async function countingServer({
  uplinkMs: [least, most],
}: CountingServerOptions): Promise<CountingServer> {
  const arrivals: Arrival[] = [];
  const server = await hostileServer((request, response) => {
    void setTimeout(least + Math.random() * (most - least)).then(() => {
      arrivals.push({ at: performance.now(), weight: weightOf(request.method, request.url) });
      response.end('[]');
    });
  });
  return { ...server, arrivals };
}

function weightOf(method = '', url = ''): number {
  const [path] = url.split('?');
  const found = Object.values(operations).find((one) => one.method === method && one.path === path);
  return found?.weight ?? 0;
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetchers, type FetcherName } from '../src/exchange/http/fetch.ts';
import { clientFor } from '../test/support/exchangeClient.ts';
import type { Figure } from './figures.ts';

const requests = 50;
const information = '{"rateLimits":[],"timezone":"UTC","serverTime":1763632800123,"symbols":[]}';

/** How many connections fifty requests in a row open, by who carries them. */
export async function connectionFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const fetcher of Object.keys(fetchers) as FetcherName[])
    figures.push({
      name: `connections for ${requests} requests, ${fetcher} in plain Node`,
      value: await connectionsOf(fetcher),
      unit: '',
    });
  return figures;
}

async function connectionsOf(fetcher: FetcherName): Promise<number> {
  let connections = 0;
  const server = createServer((_request, response) => response.end(information));
  server.on('connection', () => (connections += 1));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const client = clientFor({ url: `http://127.0.0.1:${port}` }, { fetcher });
  for (let request = 0; request < requests; request += 1) await client.exchangeInfo();
  await new Promise<void>((closed) => {
    server.close(() => closed());
    server.closeAllConnections();
  });
  return connections;
}

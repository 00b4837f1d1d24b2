import { Exchange } from 'ccxt';
import { openStart } from '../src/base/interval.ts';
import { historySource } from '../src/exchange/history/source.ts';
import { walk } from '../src/exchange/history/walk/walk.ts';
import { clientFor } from '../test/support/exchangeClient.ts';
import { hostileExchange, type HostileExchange } from '../test/support/hostileExchange.ts';
import type { Reading } from '../test/support/hostileExchange/reading.ts';
import { rowsOf, type Row } from '../test/support/hostileExchange/rows.ts';
import type { Figure } from './figures.ts';

const count = 3000;
const size = 97;
const fewest = Math.ceil(count / size);
/** A proof of the end and of the edges costs a few calls, however many rows there are. */
const mostCalls = 1.1 * fewest + 3;
const newestAt = 1_700_000_000_000;

type Scene = {
  readonly name: string;
  readonly reading?: Partial<Reading>;
  readonly tied?: number;
  readonly newPerCall?: number;
  readonly leavingPerCall?: number;
};

/** As if a call took 300 ms: five rows a second come in, two a second leave the filter. */
const scenes: readonly Scene[] = [
  { name: 'rows come in', newPerCall: 1.5 },
  {
    name: 'five rows share a second and change places',
    reading: { ties: 'unstable' },
    tied: 5,
    newPerCall: 1.5,
  },
  { name: 'rows leave, newest first', leavingPerCall: 0.6 },
  { name: 'rows leave, oldest first', reading: { sort: 'oldestFirst' }, leavingPerCall: 0.6 },
];

/** Walks one server and gives the ids of the rows as they came. */
type Walker = (url: string) => Promise<readonly string[]>;

/** What our walk and ccxt's by page number lose and double on the same server, and how often they call. */
export async function walkFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const scene of scenes) {
    const [own, peer] = [await countsOf(scene, ours), await countsOf(scene, ccxt)];
    const figure = (name: keyof typeof own, atMost: number): Figure => ({
      ...{ name: `${name}, ${scene.name}`, unit: '', value: own[name] },
      ...{ peers: { 'ccxt by page': peer[name] }, bar: { atMost } },
    });
    figures.push(figure('rows lost', 0), figure('rows doubled', 0), figure('calls', mostCalls));
  }
  return figures;
}

async function countsOf(scene: Scene, walker: Walker) {
  const exchange = await movingExchange(scene);
  try {
    const given = await walker(exchange.url);
    const distinct = new Set(given);
    const stayed = exchange.rows('trades').filter(({ at }) => at <= newestAt);
    return {
      'rows lost': stayed.filter(({ id }) => !distinct.has(String(id))).length,
      'rows doubled': given.length - distinct.size,
      calls: exchange.seen('trades').length,
    };
  } finally {
    await exchange.close();
  }
}

async function movingExchange(scene: Scene): Promise<HostileExchange> {
  const { reading, tied = 1, newPerCall = 0, leavingPerCall = 0 } = scene;
  const rows = rowsOf('trades', count, { newestAt, tied });
  const whole = (nth: number, perCall: number): number =>
    Math.floor(nth * perCall) - Math.floor((nth - 1) * perCall);
  const exchange: HostileExchange = await hostileExchange({
    reading: { dateTo: 'exclusive', ...reading },
    rows: { trades: rows },
    onRequest: ({ nth }) => {
      if (nth === 1) return;
      exchange.insert('trades', newer(rows, nth, whole(nth, newPerCall)));
      // Spread over all rows, those that are read already and those that are not.
      const gone = whole(nth, leavingPerCall) > 0 ? BigInt((nth * 1237) % count) : undefined;
      exchange.remove('trades', ({ id }) => id === gone);
    },
  });
  return exchange;
}

function newer([row]: readonly Row[], nth: number, number: number): Row[] {
  if (!row) return [];
  return Array.from({ length: number }, (_none, index) => ({
    ...row,
    at: newestAt + nth * 300 + index,
    id: BigInt(count + nth * 10 + index),
  }));
}

type Trade = { readonly id: string; readonly timestamp: number };

async function page(url: string, query: Record<string, number | undefined>): Promise<Trade[]> {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const search = new URLSearchParams(given).toString();
  const answer = await fetch(`${url}/api/v1/trades/history?${search}`);
  const { content } = (await answer.json()) as { content: { tradeId: number; time: number }[] };
  return content.map(({ tradeId, time }) => ({ id: String(tradeId), timestamp: time }));
}

/** The client that ships. */
async function ours(url: string): Promise<readonly string[]> {
  const history = historySource(clientFor({ url }), { operation: 'trades', filters: {} }, 'bulk');
  const ids: string[] = [];
  const range = { from: openStart, to: newestAt + 1 };
  for await (const { items } of walk(history, { range, size, maxReads: 1000 }))
    ids.push(...items.flatMap((item) => ('tradeId' in item ? [item.tradeId] : [])));
  return ids;
}

/** It counts pages from 1, and stops after ten unless an option changes that: here it may go to the end. */
async function ccxt(url: string): Promise<readonly string[]> {
  const peer = new Exchange({ id: 'bench' });
  peer.options.fetchMyTrades = { paginationCalls: 1000 };
  Object.assign(peer, {
    fetchMyTrades: (_symbol: unknown, _since: unknown, limit: number, params: { page: number }) =>
      page(url, { page: params.page - 1, size: limit }),
  });
  const trades = (await peer.fetchPaginatedCallIncremental(
    ...(['fetchMyTrades', undefined, undefined, undefined, {}, 'page', size] as const),
  )) as readonly Trade[];
  return trades.map(({ id }) => id);
}

import type { IncomingMessage, RequestListener } from 'node:http';
import type { Account, Trade } from '../../src/exchange/records.ts';
import { anAccount, aTrade, wire } from './builders.ts';
import { minuteLimit } from './hostileExchange/options.ts';

type TradedExchange = {
  readonly trades: (request: IncomingMessage) => readonly Trade[];
  readonly account?: () => Account;
};

/** An exchange with trades and no other rows, whose limit is so high that a download does not wait for weight. */
export function tradedExchange({ trades, account = anAccount }: TradedExchange): RequestListener {
  return (request, response) => {
    const { url = '' } = request;
    if (url.includes('exchangeInfo')) response.end(information());
    else if (url.includes('/accounts')) response.end(wire(account()));
    else response.end(pageOf(url, url.includes('/trades') ? trades(request) : []));
  };
}

function information(): string {
  const limits = minuteLimit(1_000_000);
  return `{"rateLimits":${limits},"timezone":"UTC","serverTime":${Date.now()},"symbols":[]}`;
}

/** An hour apart unless it says otherwise, the newest an hour old and first. */
export function hourlyTrades(count: number, newestId = count, spacingHours = 1): readonly Trade[] {
  const hourMs = 3_600_000;
  const newest = Math.floor(Date.now() / hourMs) * hourMs - hourMs;
  return Array.from({ length: count }, (_none, index) =>
    aTrade({
      tradeId: String(newestId - index),
      time: String(newest - index * spacingHours * hourMs),
    }),
  );
}

function pageOf(url: string, all: readonly Trade[]): string {
  const query = new URL(url, 'http://localhost').searchParams;
  const from = Number(query.get('dateFrom') ?? 0);
  const to = Number(query.get('dateTo') ?? Infinity);
  const [page, size] = [Number(query.get('page') ?? 0), Number(query.get('size') ?? 100)];
  const own = all.filter(({ time }) => Number(time) >= from && Number(time) <= to);
  const content = own.slice(page * size, (page + 1) * size);
  return `{"content":${wire(content)},"totalElements":${own.length}}`;
}

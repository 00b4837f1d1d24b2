import path from 'node:path';
import type { ExportFormat } from '../../src/account/export/exportFormats.ts';
import { runToEnd } from './childProcess.ts';
import type { ExportCost, ExportSource } from './exportProcess.ts';
import { temporaryFolder } from './project.ts';
import { hostileServer, type HostileServer } from './hostileServer.ts';

/** Exports so many rows in a process of its own, from a server in this one or a ledger, and says what it took. */
export async function exportCost(
  rows: number,
  format: ExportFormat,
  source: ExportSource = 'exchange',
): Promise<ExportCost> {
  const [server, folder] = [await endlessTrades(rows), await temporaryFolder()];
  try {
    const script = path.join(import.meta.dirname, 'exportProcess.ts');
    const { code, output } = await runToEnd(process.execPath, [
      ...[script, server.url, folder.path, format, source],
    ]);
    if (code !== 0) throw new Error(output);
    return JSON.parse(output) as ExportCost;
  } finally {
    await server.close();
    await folder.remove();
  }
}

const newestAt = 1_700_000_000_000;
const spacingMs = 10_000;

/**
 * An exchange with so many trades, made as they are asked for: ten seconds apart, newest first, pages
 * of any size, no limit. It holds none of them.
 */
function endlessTrades(total: number): Promise<HostileServer> {
  return hostileServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://host');
    const isHistory = pathname.endsWith('/trades/history');
    response.end(isHistory ? pageText(total, searchParams) : informationText());
  });
}

function pageText(total: number, query: URLSearchParams): string {
  const [dateTo, dateFrom] = [query.get('dateTo'), query.get('dateFrom')];
  const size = Number(query.get('size') ?? 20);
  const newest = dateTo === null ? 0 : indexAt(Number(dateTo));
  const end = dateFrom === null ? total : indexAt(Number(dateFrom) - 1);
  const [first, last] = [Math.max(0, newest), Math.min(total, end)];
  const start = first + Number(query.get('page')) * size;
  const count = Math.max(0, Math.min(size, last - start));
  const rows = Array.from({ length: count }, (_none, index) => tradeText(start + index, total));
  const matching = Math.max(0, last - first);
  return `{"content":[${rows.join(',')}],"size":${size},"totalPages":${Math.ceil(matching / size)},"totalElements":${matching}}`;
}

/** The number of the newest trade at or before a moment; the newest of all is 0. */
function indexAt(moment: number): number {
  return Math.ceil((newestAt - moment) / spacingMs);
}

function tradeText(index: number, total: number): string {
  const id = 9_007_199_254_740_993n + BigInt(total - index);
  return (
    `{"tradeId":${id},"orderId":${id},"symbol":"btc_usdt","amount":0.${index + 1},` +
    `"price":50000.10,"side":"SELL","maker":true,"fee":-1E-7,"rpnl":-5.25,"feeAsset":"usdt",` +
    `"type":"ORDER_BOOK","time":${newestAt - index * spacingMs}}`
  );
}

function informationText(): string {
  return `{"rateLimits":[],"timezone":"UTC","serverTime":${Date.now()},"symbols":[]}`;
}

import type { ClientMessage } from '../../src/base/rpc.ts';
import type { TableDescription, TableQuery } from '../../src/protocol/table.ts';
import { amountOf, tradesPage } from '../gridTrades.ts';
import type { Watch } from './watch.ts';

declare const watch: Watch;
declare const hostData: {
  readonly description: TableDescription;
  readonly pageRows: number;
  readonly visibleRows: number;
};

const { description, pageRows, visibleRows } = hostData;
const pages = [0, 1].map((page) => tradesPage(description, page, pageRows));

/** In place of the host: it has the answer to each message, and sends it at once. */
function toHost(message: ClientMessage): void {
  if (message.kind === 'cancel') return;
  const { id, name } = message;
  postMessage({ kind: 'reply', id, body: answerTo(name, message.body) });
}

function answerTo(name: string, params: unknown): unknown {
  if (name === 'table/open') return description;
  return name === 'table/page' ? pages[(params as TableQuery).page] : null;
}

/** When the script of the page had arrived: what it costs to compile counts too. */
const created = (): number =>
  performance
    .getEntriesByType('resource')
    .filter((entry) => entry instanceof PerformanceResourceTiming)
    .find(({ initiatorType }) => initiatorType === 'script')?.responseEnd ?? NaN;

Object.assign(globalThis, { toHost });
document.addEventListener('DOMContentLoaded', () => {
  const firstRows = Array.from({ length: visibleRows }, (_, row) => amountOf(0, row));
  watch.result = watch.shown(firstRows, created);
});

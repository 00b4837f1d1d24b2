import { createServer, type ServerResponse } from 'node:http';
import {
  filterRows,
  pageOf,
  type Page,
  type RowSort,
} from '../../src/practice/account/pagedHistory.ts';
import type {
  Transaction,
  TransactionFilter,
} from '../../src/practice/account/transactionHistory.ts';
import { jsonText } from '../../src/practice/http/jsonResponse.ts';
import { routes } from '../../src/practice/http/routes.ts';
import { SimulatedExchange } from '../../src/practice/simulatedExchange.ts';
import { listenAtNewOrigin } from './newOrigin.ts';
import { practiceClock } from './practiceTime.ts';

export type WithholdingExchange = {
  readonly url: string;
  close(): Promise<void>;
};

const mostPerPage = 500;
const newestFirst: RowSort<Transaction> = {
  timeOf: ({ time }) => time,
  idOf: ({ transactionId }) => transactionId,
};

/**
 * The practice exchange without authentication, with a limit that no test reaches. Its history lacks so
 * many fees of trades.
 */
export async function withholdingExchange(withheld: 0 | 1 = 1): Promise<WithholdingExchange> {
  const options = { seed: 1, clock: practiceClock(), weightLimit: 1_000_000 };
  const exchange = new WithholdingSimulation(options, withheld);
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const route = routes.find(({ method, path }) => method === request.method && path === pathname);
    if (!route) response.writeHead(404).end();
    else send(response, route.handle(exchange, searchParams), options.clock.now());
  });
  // The comparison blocks this thread for seconds: an idle connection outlives that.
  server.keepAliveTimeout = 0;
  const url = await listenAtNewOrigin(server);
  return {
    url,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, value: unknown, now: number): void {
  response.writeHead(200, { date: new Date(now).toUTCString() }).end(jsonText(value));
}

class WithholdingSimulation extends SimulatedExchange {
  /** A fee from the middle of the history. */
  private readonly withheld: Transaction | undefined;
  private readonly listed = new Map<string, readonly Transaction[]>();

  constructor(options: ConstructorParameters<typeof SimulatedExchange>[0], withheld: 0 | 1) {
    super(options);
    if (withheld === 0) return;
    const fees = this.all({ accountType: 'FUTURE', type: 'FEE' });
    this.withheld = fees[Math.floor(fees.length / 2)];
  }

  /** As of the start: the exchange works out a page of everything slowly. */
  override transactions(
    { accountType, ...filter }: TransactionFilter,
    page?: number,
    size?: number,
  ): Page<Transaction> {
    const listed = this.listed.get(accountType) ?? this.all({ accountType });
    this.listed.set(accountType, listed);
    const { transactionId, type } = this.withheld ?? {};
    const left = listed.filter(
      (each) => each.transactionId !== transactionId || each.type !== type,
    );
    return pageOf(filterRows<Transaction>(left, filter, newestFirst), page, size);
  }

  private all(filter: TransactionFilter): readonly Transaction[] {
    const rows: Transaction[] = [];
    for (let page = 0, pages = 1; page < pages; page++) {
      const { content, totalPages } = super.transactions(filter, page, mostPerPage);
      rows.push(...content);
      pages = totalPages;
    }
    return rows;
  }
}

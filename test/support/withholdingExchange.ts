import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { pageOf, type Page } from '../../src/practice/account/pagedHistory.ts';
import type {
  Transaction,
  TransactionFilter,
} from '../../src/practice/account/transactionHistory.ts';
import { jsonText } from '../../src/practice/http/jsonResponse.ts';
import { routes } from '../../src/practice/http/routes.ts';
import { SimulatedExchange } from '../../src/practice/simulatedExchange.ts';
import { practiceClock } from './practiceTime.ts';

export type WithholdingExchange = {
  readonly url: string;
  close(): Promise<void>;
};

const mostPerPage = 500;

/** The practice exchange without authentication, whose history lacks a transaction. */
export async function withholdingExchange(
  isWithheld: (transaction: Transaction) => boolean,
): Promise<WithholdingExchange> {
  const options = { seed: 1, clock: practiceClock(), weightLimit: 1000 };
  const exchange = new WithoutTransaction(options, isWithheld);
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const route = routes.find(({ method, path }) => method === request.method && path === pathname);
    if (!route) response.writeHead(404).end();
    else send(response, route.handle(exchange, searchParams), options.clock.now());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, value: unknown, now: number): void {
  response.writeHead(200, { date: new Date(now).toUTCString() }).end(jsonText(value));
}

class WithoutTransaction extends SimulatedExchange {
  private readonly isWithheld: (transaction: Transaction) => boolean;

  constructor(
    options: ConstructorParameters<typeof SimulatedExchange>[0],
    isWithheld: (transaction: Transaction) => boolean,
  ) {
    super(options);
    this.isWithheld = isWithheld;
  }

  override transactions(
    filter: TransactionFilter,
    page?: number,
    size?: number,
  ): Page<Transaction> {
    const listed: Transaction[] = [];
    for (let number = 0, pages = 1; number < pages; number++) {
      const { content, totalPages } = super.transactions(filter, number, mostPerPage);
      listed.push(...content);
      pages = totalPages;
    }
    return pageOf(
      listed.filter((transaction) => !this.isWithheld(transaction)),
      page,
      size,
    );
  }
}

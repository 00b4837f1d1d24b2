import { accountTypes, transactionTypes } from '../account/balanceChanges.ts';
import { orderStatuses, orderTypes } from '../account/tradingRecords.ts';
import { feeTiers } from '../market/fees.ts';
import { sides } from '../market/instruments.ts';
import { leverageRules } from '../market/margin.ts';
import type { SimulatedExchange } from '../simulatedExchange.ts';
import {
  choice,
  choices,
  periodEnd,
  periodStart,
  parseParameters,
  required,
  text,
  wholeNumber,
  type ParameterRules,
  type ParameterValues,
} from './queryParameters.ts';

/**
 * One operation of the API (sections 4, 5 and 8 of the API document). The client has its own table:
 * the two are written separately, so that each checks the other.
 */
export type Route = {
  readonly method: 'GET' | 'DELETE';
  readonly path: string;
  readonly weight: number;
  readonly isProtected: boolean;
  /** Returns the response value. Throws an `HttpError` for an invalid parameter. */
  readonly handle: (exchange: SimulatedExchange, query: URLSearchParams) => unknown;
};

const historyParameters = {
  dateFrom: periodStart,
  dateTo: periodEnd,
  page: wholeNumber(0),
  size: wholeNumber(1),
};

export const routes: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/orders/history',
    weight: 10,
    isProtected: true,
    handle: parsed(
      {
        symbol: text,
        type: choice(orderTypes),
        side: choice(sides),
        statuses: choices(orderStatuses),
        ...historyParameters,
        page: required(wholeNumber(0)),
      },
      (exchange, { page, size, ...filter }) => exchange.orders(filter, page, size),
    ),
  },
  {
    method: 'GET',
    path: '/api/v1/trades/history',
    weight: 10,
    isProtected: true,
    handle: parsed(
      {
        symbol: text,
        side: choice(sides),
        ...historyParameters,
      },
      (exchange, { page, size, ...filter }) => exchange.trades(filter, page, size),
    ),
  },
  {
    method: 'GET',
    path: '/api/v1/liquidationAuction/history',
    weight: 10,
    isProtected: false,
    handle: parsed(
      {
        symbol: text,
        side: choice(sides),
        ...historyParameters,
      },
      (exchange, { page, size, ...filter }) => exchange.lots(filter, page, size),
    ),
  },
  {
    method: 'GET',
    path: '/api/v1/transactions/history',
    weight: 10,
    isProtected: true,
    handle: parsed(
      {
        accountType: required(choice(accountTypes)),
        type: choice(transactionTypes),
        asset: text,
        ...historyParameters,
      },
      (exchange, { page, size, ...filter }) => exchange.transactions(filter, page, size),
    ),
  },
  {
    method: 'GET',
    path: '/api/v1/accounts',
    weight: 5,
    isProtected: true,
    handle: parsed({}, (exchange) => exchange.account()),
  },
  {
    method: 'DELETE',
    path: '/api/v1/orders/all',
    weight: 5,
    isProtected: true,
    handle: parsed({}, (exchange) =>
      exchange.cancelAll().map(({ time, ...order }) => ({ ...order, updatedAt: time })),
    ),
  },
  {
    method: 'GET',
    path: '/api/v1/system/exchangeInfo',
    weight: 1,
    isProtected: false,
    handle: parsed({}, (exchange) => exchange.exchangeInformation()),
  },
  {
    method: 'GET',
    path: '/api/v1/tradingRules/leverage',
    weight: 1,
    isProtected: false,
    handle: parsed({}, () => leverageRules),
  },
  {
    method: 'GET',
    path: '/api/v1/feeTiers/structure',
    weight: 1,
    isProtected: false,
    handle: parsed({}, () => feeTiers),
  },
];

function parsed<Rules extends ParameterRules>(
  rules: Rules,
  respond: (exchange: SimulatedExchange, values: ParameterValues<Rules>) => unknown,
): Route['handle'] {
  return (exchange, query) => respond(exchange, parseParameters(query, rules));
}

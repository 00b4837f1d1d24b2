import { accountTypes, transactionTypes } from '../account/transactionHistory.ts';
import { orderStatuses, orderTypes } from '../account/completedOrders.ts';
import { feeTiers, leverageRules } from '../market/tradingRules.ts';
import { sides } from '../market/instruments.ts';
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
  signed(
    '/api/v1/orders/history',
    10,
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
  signed(
    '/api/v1/trades/history',
    10,
    { symbol: text, side: choice(sides), ...historyParameters },
    (exchange, { page, size, ...filter }) => exchange.trades(filter, page, size),
  ),
  open(
    '/api/v1/liquidationAuction/history',
    10,
    { symbol: text, side: choice(sides), ...historyParameters },
    (exchange, { page, size, ...filter }) => exchange.lots(filter, page, size),
  ),
  signed(
    '/api/v1/transactions/history',
    10,
    {
      accountType: required(choice(accountTypes)),
      type: choice(transactionTypes),
      asset: text,
      ...historyParameters,
    },
    (exchange, { page, size, ...filter }) => exchange.transactions(filter, page, size),
  ),
  signed('/api/v1/accounts', 5, {}, (exchange) => exchange.account()),
  { ...signed('/api/v1/orders/all', 5, {}, canceledOrders), method: 'DELETE' },
  open('/api/v1/system/exchangeInfo', 1, {}, (exchange) => exchange.exchangeInformation()),
  open('/api/v1/tradingRules/leverage', 1, {}, () => leverageRules),
  open('/api/v1/feeTiers/structure', 1, {}, () => feeTiers),
];

function signed<Rules extends ParameterRules>(
  path: string,
  weight: number,
  rules: Rules,
  respond: (exchange: SimulatedExchange, values: ParameterValues<Rules>) => unknown,
): Route {
  return {
    ...{ method: 'GET', path, weight, isProtected: true },
    handle: (exchange, query) => respond(exchange, parseParameters(query, rules)),
  };
}

function open<Rules extends ParameterRules>(...route: Parameters<typeof signed<Rules>>): Route {
  return { ...signed(...route), isProtected: false };
}

function canceledOrders(exchange: SimulatedExchange) {
  return exchange.cancelAll().map(({ time, ...order }) => ({ ...order, updatedAt: time }));
}

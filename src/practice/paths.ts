import { accountTypes, transactionTypes } from './entries.ts';
import { feeTiers } from './fees.ts';
import { leverageRules } from './leverageRules.ts';
import { orderStatuses, orderTypes, sides } from './orders.ts';
import {
  choice,
  choices,
  periodEnd,
  periodStart,
  readParameters,
  required,
  text,
  wholeNumber,
  type ParameterRules,
  type ParameterValues,
} from './parameters.ts';
import type { Venue } from './venue.ts';

/**
 * What the venue serves: the interface document's sections 4, 5 and 8 as this server reads them. It
 * is written apart from the client's table on purpose, so that each checks the other.
 */
export type Route = {
  readonly method: 'GET' | 'DELETE';
  readonly path: string;
  readonly weight: number;
  readonly isProtected: boolean;
  /** Reads the parameters and answers; throws a `Refusal` where one is wrong. */
  readonly answer: (venue: Venue, query: URLSearchParams) => unknown;
};

export const routes: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/orders/history',
    weight: 10,
    isProtected: true,
    answer: reading(
      {
        symbol: text,
        type: choice(orderTypes),
        side: choice(sides),
        statuses: choices(orderStatuses),
        dateFrom: periodStart,
        dateTo: periodEnd,
        page: required(wholeNumber(0)),
        size: wholeNumber(1),
      },
      (venue, { page, size, ...filter }) => venue.orders(filter, page, size),
    ),
  },
  {
    method: 'GET',
    path: '/api/v1/trades/history',
    weight: 10,
    isProtected: true,
    answer: reading(
      {
        symbol: text,
        side: choice(sides),
        dateFrom: periodStart,
        dateTo: periodEnd,
        page: wholeNumber(0),
        size: wholeNumber(1),
      },
      (venue, { page, size, ...filter }) => venue.trades(filter, page, size),
    ),
  },
  {
    method: 'GET',
    path: '/api/v1/liquidationAuction/history',
    weight: 10,
    isProtected: false,
    answer: reading(
      {
        symbol: text,
        dateFrom: periodStart,
        dateTo: periodEnd,
        page: wholeNumber(0),
        side: choice(sides),
        size: wholeNumber(1),
      },
      (venue, { page, size, ...filter }) => venue.lots(filter, page, size),
    ),
  },
  {
    method: 'GET',
    path: '/api/v1/transactions/history',
    weight: 10,
    isProtected: true,
    answer: reading(
      {
        accountType: required(choice(accountTypes)),
        type: choice(transactionTypes),
        asset: text,
        dateFrom: periodStart,
        dateTo: periodEnd,
        page: wholeNumber(0),
        size: wholeNumber(1),
      },
      (venue, { page, size, ...filter }) => venue.transactions(filter, page, size),
    ),
  },
  {
    method: 'GET',
    path: '/api/v1/accounts',
    weight: 5,
    isProtected: true,
    answer: reading({}, (venue) => venue.account()),
  },
  {
    method: 'DELETE',
    path: '/api/v1/orders/all',
    weight: 5,
    isProtected: true,
    answer: reading({}, (venue) =>
      venue.cancelAll().map(({ time, ...order }) => ({ ...order, updatedAt: time })),
    ),
  },
  {
    method: 'GET',
    path: '/api/v1/system/exchangeInfo',
    weight: 1,
    isProtected: false,
    answer: reading({}, (venue) => venue.exchangeInformation()),
  },
  {
    method: 'GET',
    path: '/api/v1/tradingRules/leverage',
    weight: 1,
    isProtected: false,
    answer: reading({}, () => leverageRules),
  },
  {
    method: 'GET',
    path: '/api/v1/feeTiers/structure',
    weight: 1,
    isProtected: false,
    answer: reading({}, () => feeTiers),
  },
];

function reading<Rules extends ParameterRules>(
  rules: Rules,
  answer: (venue: Venue, values: ParameterValues<Rules>) => unknown,
): Route['answer'] {
  return (venue, query) => answer(venue, readParameters(query, rules));
}

/**
 * The operations of the API (section 4), one row each: where they are, what they cost
 * (section 8), whether they are signed unless a profile says otherwise (section 5), and how each
 * parameter is written into the query.
 */

export type ParameterKind = 'text' | 'integer' | 'page' | 'list' | 'date';

export type Operation = {
  readonly method: 'GET' | 'DELETE';
  readonly path: string;
  /** Cost against the exchange's rate limit. */
  readonly weight: number;
  readonly signed: boolean;
  readonly parameters: Readonly<Record<string, ParameterKind>>;
};

export const operations = {
  orders: {
    method: 'GET',
    path: '/api/v1/orders/history',
    weight: 10,
    signed: true,
    parameters: {
      symbol: 'text',
      type: 'text',
      side: 'text',
      statuses: 'list',
      dateFrom: 'date',
      dateTo: 'date',
      page: 'page',
      size: 'integer',
    },
  },
  trades: {
    method: 'GET',
    path: '/api/v1/trades/history',
    weight: 10,
    signed: true,
    parameters: {
      symbol: 'text',
      side: 'text',
      dateFrom: 'date',
      dateTo: 'date',
      page: 'page',
      size: 'integer',
    },
  },
  lots: {
    method: 'GET',
    path: '/api/v1/liquidationAuction/history',
    weight: 10,
    signed: false,
    parameters: {
      symbol: 'text',
      dateFrom: 'date',
      dateTo: 'date',
      page: 'page',
      side: 'text',
      size: 'integer',
    },
  },
  transactions: {
    method: 'GET',
    path: '/api/v1/transactions/history',
    weight: 10,
    signed: true,
    parameters: {
      accountType: 'text',
      type: 'text',
      asset: 'text',
      dateFrom: 'date',
      dateTo: 'date',
      page: 'page',
      size: 'text',
    },
  },
  accounts: { method: 'GET', path: '/api/v1/accounts', weight: 5, signed: true, parameters: {} },
  cancelAll: {
    method: 'DELETE',
    path: '/api/v1/orders/all',
    weight: 5,
    signed: true,
    parameters: {},
  },
  exchangeInfo: {
    method: 'GET',
    path: '/api/v1/system/exchangeInfo',
    weight: 1,
    signed: false,
    parameters: {},
  },
  leverage: {
    method: 'GET',
    path: '/api/v1/tradingRules/leverage',
    weight: 1,
    signed: false,
    parameters: {},
  },
  feeTiers: {
    method: 'GET',
    path: '/api/v1/feeTiers/structure',
    weight: 1,
    signed: false,
    parameters: {},
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

export const operationNames = Object.keys(operations) as readonly OperationName[];

/** What is signed unless a profile says otherwise: what the API protects or leaves open (section 5). */
export const defaultSignedOperations: readonly OperationName[] = operationNames.filter(
  (name) => operations[name].signed,
);

/** The operations that change nothing, and so may be sent again. */
export type ReadName = {
  [Name in OperationName]: (typeof operations)[Name]['method'] extends 'GET' ? Name : never;
}[OperationName];

export function isRead(name: OperationName): name is ReadName {
  return operations[name].method === 'GET';
}

import { records, type Field, type FieldOfKind, type RecordName } from './fields.ts';

/**
 * The operations of the API (section 4 of `docs/api.md`) as data: where they are, what they cost (section 8),
 * whether they are signed unless a profile says otherwise (section 5), what they return, and their parameters.
 */

/** What rows are filtered by: a text, or a `list` of several. The rows show it in `field`; null if they do not. */
export type FilterParameter<FieldName = string> = {
  readonly kind: 'text' | 'list';
  readonly field: FieldName | null;
  /** Sent in every request: the first of `values` unless another one is chosen. */
  readonly isRequired?: true;
  /** The values that the API names, if no field has them. */
  readonly values?: readonly string[];
};

/** An end of the period of rows. */
export type DateParameter = { readonly kind: 'date' };

/** `page` is counted from 0, whatever the exchange counts from. */
export type Parameter<FieldName = string> =
  | FilterParameter<FieldName>
  | DateParameter
  | { readonly kind: 'page' }
  | { readonly kind: 'size' };

/** Rows come in a `page` (section 2.1), or all of them in a `list`. */
type AnswerForm = 'page' | 'list' | 'record';

/** The fields whose text shows that a filter was applied. A number is none: an exchange may write 10 as `10.0`. */
export type FilterField<Of extends RecordName> = FieldOfKind<Of, 'word' | 'reference' | 'id'>;

/** Of a record, whose fields show that its filters were applied. */
type OperationOf<Of extends RecordName> = {
  readonly section: string;
  readonly method: 'GET' | 'DELETE';
  readonly path: string;
  /** Cost against the exchange's rate limit. */
  readonly weight: number;
  readonly signed: boolean;
  readonly answer: AnswerForm;
  readonly of: Of;
  readonly parameters: Readonly<Record<string, Parameter<FilterField<Of>>>>;
};

type AnyOperation = { [Of in RecordName]: OperationOf<Of> }[RecordName];

export type Operation = Omit<AnyOperation, 'parameters'> & {
  readonly parameters: Readonly<Record<string, Parameter>>;
};

const symbol = { kind: 'text', field: 'symbol' } as const;
const side = { kind: 'text', field: 'side' } as const;
const type = { kind: 'text', field: 'type' } as const;
const paging = {
  dateFrom: { kind: 'date' },
  dateTo: { kind: 'date' },
  page: { kind: 'page' },
  size: { kind: 'size' },
} as const;

export const operations = {
  orders: {
    section: '4.1',
    method: 'GET',
    path: '/api/v1/orders/history',
    weight: 10,
    signed: true,
    answer: 'page',
    of: 'order',
    parameters: { symbol, side, type, statuses: { kind: 'list', field: 'status' }, ...paging },
  },
  trades: {
    section: '4.2',
    method: 'GET',
    path: '/api/v1/trades/history',
    weight: 10,
    signed: true,
    answer: 'page',
    of: 'trade',
    parameters: { symbol, side, ...paging },
  },
  lots: {
    section: '4.3',
    method: 'GET',
    path: '/api/v1/liquidationAuction/history',
    weight: 10,
    signed: false,
    answer: 'page',
    of: 'lot',
    parameters: { symbol, side, ...paging },
  },
  transactions: {
    section: '4.4',
    method: 'GET',
    path: '/api/v1/transactions/history',
    weight: 10,
    signed: true,
    answer: 'page',
    of: 'transaction',
    parameters: {
      accountType: { kind: 'text', field: null, isRequired: true, values: ['FUTURE', 'SPOT'] },
      type,
      asset: { kind: 'text', field: 'asset' },
      ...paging,
    },
  },
  accounts: {
    section: '4.5',
    method: 'GET',
    path: '/api/v1/accounts',
    weight: 5,
    signed: true,
    answer: 'record',
    of: 'account',
    parameters: {},
  },
  cancelAll: {
    section: '4.6',
    method: 'DELETE',
    path: '/api/v1/orders/all',
    weight: 5,
    signed: true,
    answer: 'list',
    of: 'canceledOrder',
    parameters: {},
  },
  exchangeInfo: {
    section: '4.7',
    method: 'GET',
    path: '/api/v1/system/exchangeInfo',
    weight: 1,
    signed: false,
    answer: 'record',
    of: 'exchangeInformation',
    parameters: {},
  },
  leverage: {
    section: '4.8',
    method: 'GET',
    path: '/api/v1/tradingRules/leverage',
    weight: 1,
    signed: false,
    answer: 'list',
    of: 'leverageRule',
    parameters: {},
  },
  feeTiers: {
    section: '4.9',
    method: 'GET',
    path: '/api/v1/feeTiers/structure',
    weight: 1,
    signed: false,
    answer: 'list',
    of: 'feeTier',
    parameters: {},
  },
} as const satisfies Readonly<Record<string, AnyOperation>>;

/** The accounts whose transactions can be asked for (section 4.4). */
export const accountTypes = operations.transactions.parameters.accountType.values;

export type OperationName = keyof typeof operations;

export const operationNames = Object.keys(operations) as readonly OperationName[];

/** What is signed unless a profile says otherwise: what the API protects or leaves open (section 5). */
export const defaultSignedOperations: readonly OperationName[] = operationNames.filter(
  (name) => operations[name].signed,
);

/** The operations that change nothing, and so may be sent again. */
export type ReadName = NamesWith<{ readonly method: 'GET' }>;

export function isRead(name: OperationName): name is ReadName {
  return operations[name].method === 'GET';
}

type NamesWith<Shape> = {
  [Name in OperationName]: (typeof operations)[Name] extends Shape ? Name : never;
}[OperationName];

/** What is read as a whole list. */
export type ListName = NamesWith<{ readonly method: 'GET'; readonly answer: 'list' }>;

/** The paged histories, sections 4.1 to 4.4. */
export type HistoryName = NamesWith<{ readonly answer: 'page' }>;

export const historyNames = operationNames.filter(
  (name): name is HistoryName => operations[name].answer === 'page',
);

/** The fields of its records by name, in the order of the document. */
export function fieldsOf(history: HistoryName): ReadonlyMap<string, Field> {
  return new Map(Object.entries<Field>(records[operations[history].of].fields));
}

export function parametersOf(history: HistoryName): ReadonlyMap<string, Parameter> {
  return new Map(Object.entries<Parameter>(operations[history].parameters));
}

type ParametersOf<Name extends HistoryName> = (typeof operations)[Name]['parameters'];

/** The parameters of a history that are of some shape, such as its filters. */
export type ParameterName<Name extends HistoryName, Shape = FilterParameter> = Name extends unknown
  ? {
      [Each in keyof ParametersOf<Name>]: ParametersOf<Name>[Each] extends Shape ? Each : never;
    }[keyof ParametersOf<Name>]
  : never;

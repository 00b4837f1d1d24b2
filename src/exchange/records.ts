import {
  records,
  type AnyField,
  type FieldKind,
  type FieldsOf,
  type RecordDescription,
  type RecordName,
} from '../api/fields.ts';
import {
  operationNames,
  operations,
  type accountTypes,
  type OperationName,
} from '../api/operations.ts';
import type { NumberText } from '../base/decimal.ts';
import { isJsonObject, type JsonObject } from '../base/exactJson.ts';
import type { BadRecord, Decoded } from './badRecords.ts';
import {
  countOrNull,
  flag,
  id,
  ifMissing,
  ifUnreadable,
  list,
  listOrEmpty,
  name,
  number,
  orNull,
  record,
  text,
  time,
  wholeNumber,
  withSomeField,
  type Decoder,
} from './decoders.ts';

/**
 * How the records of `api/fields.ts` are decoded, and their types. Numbers are the text of the wire. Fields that the
 * API does not name are kept in `extra`.
 */

export type { BadRecord, Decoded, NumberText };

type ValueOf<Of> = Of extends { readonly isNullable: true } ? Known<Of> | null : Known<Of>;
type Known<Of> = Of extends { readonly kind: 'list'; readonly of: infer Item extends RecordName }
  ? readonly ApiRecord<Item>[]
  : Of extends { readonly kind: 'flag' }
    ? boolean
    : Of extends { readonly values: readonly (infer Named)[] }
      ? Named | (string & Record<never, never>)
      : NumberText;

/** A record of the API; of several names, any of them. */
export type ApiRecord<Name extends RecordName> = Name extends unknown
  ? { readonly [Each in keyof FieldsOf<Name>]: ValueOf<FieldsOf<Name>[Each]> } & {
      readonly extra: JsonObject;
    }
  : never;

export type Order = ApiRecord<'order'>;
export type CanceledOrder = ApiRecord<'canceledOrder'>;
export type Trade = ApiRecord<'trade'>;
export type Transaction = ApiRecord<'transaction'>;
export type Account = ApiRecord<'account'>;
export type AssetBalance = ApiRecord<'assetBalance'>;
export type Position = ApiRecord<'position'>;
export type LockedOrders = ApiRecord<'lockedOrders'>;
/** What open orders lock in one symbol. */
export type LockedFigures = Omit<LockedOrders, 'extra'>;
export type ExchangeInformation = ApiRecord<'exchangeInformation'>;
export type RateLimit = ApiRecord<'rateLimit'>;
export type SymbolInformation = ApiRecord<'symbolInformation'>;
export type LeverageRule = ApiRecord<'leverageRule'>;
export type FeeTier = ApiRecord<'feeTier'>;

export type AccountType = (typeof accountTypes)[number];

/** Section 2.1. A count is null if the exchange sent none, or a value that cannot be a count, such as −1. */
export type Page<Item> = {
  readonly content: readonly Item[];
  readonly size: NumberText | null;
  readonly totalPages: NumberText | null;
  readonly totalElements: NumberText | null;
  readonly extra: JsonObject;
};

/** What an operation returns. */
export type Answer<Name extends OperationName> = (typeof operations)[Name] extends {
  readonly answer: infer Form;
  readonly of: infer Item extends RecordName;
}
  ? Form extends 'page'
    ? Page<ApiRecord<Item>>
    : Form extends 'list'
      ? readonly ApiRecord<Item>[]
      : ApiRecord<Item>
  : never;

/** Section 2.1: the envelope of every history. Rows may come without one, and a count without a list. */
function page<Item>(item: Decoder<Item>): Decoder<Page<Item>> {
  const envelope = record({
    content: listOrEmpty(item),
    size: countOrNull,
    totalPages: countOrNull,
    totalElements: countOrNull,
  });
  return (value, path, badRecords) => {
    const isEnvelope = isJsonObject(value) && Object.hasOwn(value, 'totalElements');
    const answer = isEnvelope ? { content: null, ...value } : value;
    return envelope(Array.isArray(value) ? { content: value } : answer, path, badRecords);
  };
}

/** Of some fields of a record. */
type Decoders<Name extends RecordName> = {
  readonly [Each in keyof FieldsOf<Name>]?: Decoder<unknown>;
};

const byKind: Readonly<Record<FieldKind, Decoder<string | boolean>>> = {
  word: text,
  reference: text,
  number,
  id,
  flag,
  time,
};

/** Fields that are not decoded as their kind says. A name in the account is not blank; a limit counts however it is written. */
const exceptions: { readonly [Name in RecordName]?: Decoders<Name> } = {
  assetBalance: { name },
  position: { symbol: name },
  lockedOrders: { symbol: name },
  rateLimit: {
    intervalNum: ifUnreadable(ifMissing(number, '1'), null),
    limit: ifUnreadable(number, null),
  },
};

function recordDecoder<Name extends RecordName>(
  of: Name,
  own: Decoders<Name> = exceptions[of] ?? {},
): Decoder<ApiRecord<Name>> {
  const { fields, reportsNull }: RecordDescription = records[of];
  const decoders = Object.entries(fields).map(
    ([field, description]) => [field, fieldDecoder(description, reportsNull === true)] as const,
  );
  return record({ ...Object.fromEntries(decoders), ...own }) as unknown as Decoder<ApiRecord<Name>>;
}

function fieldDecoder(field: AnyField, reportsNull: boolean): Decoder<unknown> {
  const decoder = knownDecoder(field);
  if (!field.isNullable) return decoder;
  return reportsNull ? ifUnreadable(decoder, null) : orNull(decoder);
}

function knownDecoder(field: AnyField): Decoder<unknown> {
  if (field.kind === 'list') return list(recordDecoder(field.of as RecordName));
  return field.isWhole ? wholeNumber : byKind[field.kind];
}

function answerDecoder({ answer, of }: (typeof operations)[OperationName]): Decoder<unknown> {
  const item = recordDecoder(of);
  switch (answer) {
    case 'page':
      return page(item);
    case 'list':
      return list(item);
    case 'record':
      return item;
  }
}

const unknownRateLimit: RateLimit = {
  intervalNum: null,
  limit: null,
  interval: null,
  rateLimitType: null,
  extra: {},
};

type Answers = { readonly [Name in OperationName]: Decoder<Answer<Name>> };

/** The decoder of each operation's answer. */
export const answers: Answers = {
  ...(Object.fromEntries(
    operationNames.map((each) => [each, answerDecoder(operations[each])]),
  ) as Answers),
  accounts: withSomeField(recordDecoder('account')),
  // Whatever is wrong with the other fields, the limits are known: a dropped limit could be exceeded.
  exchangeInfo: recordDecoder('exchangeInformation', {
    rateLimits: list(ifUnreadable(recordDecoder('rateLimit'), unknownRateLimit)),
    symbols: ifUnreadable(list(recordDecoder('symbolInformation')), []),
  }),
  // It cannot be requested again.
  cancelAll: list(recordDecoder('canceledOrder'), true),
};

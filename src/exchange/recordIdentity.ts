import { fieldsOf, historyNames } from '../api/operations.ts';
import { parseTimestampMs } from '../base/time.ts';

/** By its id, a record is of one history. A trade names its order too: orders come last. */
const identities = historyNames.toReversed().map((history) => {
  const own = [...fieldsOf(history)].filter(([, { isIdentity }]) => isIdentity);
  const [id = ''] = own.find(([, { kind }]) => kind === 'id') ?? [];
  return { id, fields: own.map(([name, { kind }]) => ({ name, kind })) };
});

/**
 * The fields that tell the records of one history apart; each account type has its own transactions. Ids may be
 * unique only within a symbol, and a trade and its fee may share one. Orders and lots may change their time;
 * a trade or transaction of another time is another record.
 */
export function identityFields(item: object): Readonly<Record<string, string>> {
  return Object.fromEntries(identityIn(item).map(({ name }) => [name, textOf(item, name)]));
}

/** The same as one text, however the exchange writes a time. */
export function identityOf(item: object): string {
  const values = identityIn(item).map(({ name, kind }) => {
    const text = textOf(item, name);
    return kind === 'time' ? (parseTimestampMs(text) ?? text) : text;
  });
  return JSON.stringify(values);
}

function identityIn(item: object) {
  return identities.find(({ id }) => id in item)?.fields ?? [];
}

function textOf(item: object, field: string): string {
  return (item as Readonly<Record<string, string | undefined>>)[field] ?? '';
}

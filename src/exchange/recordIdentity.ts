import { fieldsOf, historyNames } from '../api/operations.ts';
import { parseTimestampMs } from '../base/time.ts';

/** By its id, a record is of one history. A trade names its order too: orders come last. */
const identities = historyNames.toReversed().map((history) => {
  const own = [...fieldsOf(history)].filter(([, { isIdentity }]) => isIdentity);
  const [id = ''] = own.find(([, { kind }]) => kind === 'id') ?? [];
  return { id, names: own.map(([name]) => name) };
});

/**
 * The fields that tell the records of one history apart; each account type has its own transactions. Ids may be
 * unique only within a symbol, and a trade and its fee may share one. Orders and lots may change their time;
 * a trade or transaction of another time is another record.
 */
export function identityFields(item: object): Readonly<Record<string, string>> {
  return Object.fromEntries(identityNames(item).map((name) => [name, textOf(item, name)]));
}

/** The same as one text, however the exchange writes a time. */
export function identityOf(item: object): string {
  const values = identityNames(item).map((name) => {
    const text = textOf(item, name);
    return name === 'time' ? (parseTimestampMs(text) ?? text) : text;
  });
  return JSON.stringify(values);
}

function identityNames(item: object): readonly string[] {
  return identities.find(({ id }) => id in item)?.names ?? [];
}

function textOf(item: object, field: string): string {
  return (item as Readonly<Record<string, string | undefined>>)[field] ?? '';
}

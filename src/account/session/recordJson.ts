import type { NamesOf } from '../../exchange/decoders.ts';
import type { AccountKinds, AssetBalance, LockedOrders, Position } from '../../exchange/records.ts';

export type AccountRecord = Position | AssetBalance | LockedOrders;

/** The fields whose value is text on the wire; all other text here is a number's. */
const textFields: Readonly<
  Record<NamesOf<AccountKinds['positions' | 'assets' | 'orders'], 'text'>, true>
> = { symbol: true, marginMode: true, name: true };

/** The record as JSON: every number digit for digit as the wire had it, and fields that the API does not name last. */
export function copiedJson({ extra, ...fields }: AccountRecord): string {
  const known = Object.entries(fields).map(([name, value]) => {
    const isNumber = typeof value === 'string' && !Object.hasOwn(textFields, name);
    return member(name, isNumber ? value : JSON.stringify(value));
  });
  const unnamed = Object.entries(extra).map(([name, value]) => member(name, JSON.stringify(value)));
  return `{${[...known, ...unnamed].join(', ')}}`;
}

/** One field of it as the wire had it, text without its quotes; undefined if the record has none. */
export function fieldText(record: AccountRecord, name: string): string | undefined {
  const value: unknown = Object.entries(record).find(([field]) => field === name)?.[1];
  return typeof value === 'string' || typeof value === 'boolean' ? `${value}` : undefined;
}

function member(name: string, json: string): string {
  return `${JSON.stringify(name)}: ${json}`;
}

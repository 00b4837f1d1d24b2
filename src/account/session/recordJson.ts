import { records, type AnyField } from '../../api/fields.ts';
import type { AssetBalance, LockedOrders, Position } from '../../exchange/records.ts';

export type AccountRecord = Position | AssetBalance | LockedOrders;

/** What each field is: those of these records that share a name are of one kind. */
const fieldsByName: Readonly<Record<string, AnyField>> = {
  ...records.position.fields,
  ...records.assetBalance.fields,
  ...records.lockedOrders.fields,
};

/** The record as JSON: every number digit for digit as the wire had it, and fields that the API does not name last. */
export function copiedJson({ extra, ...fields }: AccountRecord): string {
  const known = Object.entries(fields).map(([name, value]) => {
    const isNumber = typeof value === 'string' && fieldsByName[name]?.kind === 'number';
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

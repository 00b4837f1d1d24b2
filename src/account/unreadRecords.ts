import type { Account, BadRecord } from '../exchange/records.ts';
import type { Snapshot } from './accountStore.ts';

/** A list of the account whose records are set aside one by one. */
export type AccountList = Extract<keyof Account, 'assets' | 'positions' | 'orders'>;

/** The records of a list that could not be read: they are missing there, and need not be gone. */
export function unreadRecords(
  { badRecords }: Pick<Snapshot, 'badRecords'>,
  list: AccountList,
): readonly BadRecord[] {
  return badRecords.filter(({ path }) => path.startsWith(`$.${list}`));
}

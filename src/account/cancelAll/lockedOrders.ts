import { sign } from '../../base/decimal.ts';
import type { Account, BadRecord, Decoded, LockedOrders } from '../../exchange/records.ts';
import type { Snapshot } from '../accountStore.ts';
import { unreadRecords } from '../unreadRecords.ts';
import type { CancelAccount } from './account.ts';
import type { LockedNow } from './outcome.ts';

type AccountRead = Pick<Snapshot, 'account' | 'badRecords'>;

/** The summaries in which anything is locked; an exchange may list symbols with zeros. */
export function lockedIn({ account }: AccountRead): readonly LockedOrders[] {
  return account.orders.filter(({ lockedAsk, sumSizeAsk, lockedBid, sumSizeBid }) =>
    [lockedAsk, sumSizeAsk, lockedBid, sumSizeBid].some((amount) => sign(amount) !== 0),
  );
}

/** The summaries that could not be read and are missing in `lockedIn`. */
export function unreadIn(read: AccountRead): readonly BadRecord[] {
  return unreadRecords(read, 'orders');
}

/** What is locked now; undefined when the account, or a part of its locked orders, cannot be read. */
export async function readLocked(account: CancelAccount): Promise<LockedNow> {
  try {
    const read = await readAccount(account);
    return unreadIn(read).length > 0 ? undefined : lockedIn(read);
  } catch {
    return undefined;
  }
}

/** The views see what is read; where another account has taken their place, it is read past them. */
async function readAccount({ refresher, client }: CancelAccount): Promise<AccountRead> {
  try {
    return await refresher.readAnew('cancel');
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    return accountRead(await client.at('cancel').accounts());
  }
}

function accountRead({ value, badRecords }: Decoded<Account>): AccountRead {
  return { account: value, badRecords };
}

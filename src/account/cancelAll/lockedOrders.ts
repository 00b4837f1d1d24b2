import { lockedFigures } from '../../api/fields.ts';
import { sign, type NumberText } from '../../base/decimal.ts';
import type { Clock } from '../../base/time.ts';
import type { BadRecord, LockedOrders } from '../../exchange/records.ts';
import { clientKey } from '../../exchange/client.ts';
import type { AccountSession } from '../session/accountSession.ts';
import { unreadableRecords, type Snapshot } from '../session/accountStore.ts';
import type { LockedReadBack } from './cancelOutcome.ts';

/** The parts of an open account that a cancel-all uses. */
export type CancelAccount = Pick<
  AccountSession,
  'profile' | 'fingerprint' | 'redact' | typeof clientKey | 'refresher' | 'store' | 'rateLimiter'
>;

type AccountRead = Pick<Snapshot, 'account' | 'badRecords'>;

/** The summaries in which anything is, or may be, locked, unless unknown; an exchange may list symbols with zeros. */
export function lockedIn({ account }: AccountRead): readonly LockedOrders[] | undefined {
  return account.orders?.filter((orders) =>
    lockedFigures.some((name) => mayBeLocked(orders[name])),
  );
}

/** An unknown figure is not zero. */
export function mayBeLocked(figure: NumberText | null): boolean {
  return figure === null || sign(figure) !== 0;
}

/** The summaries, their list or their figures that could not be read: `lockedIn` lacks them. */
export function unreadableIn(read: AccountRead): readonly BadRecord[] {
  return unreadableRecords(read, 'orders');
}

const maxSharedAgeMs = 2000;

/** Reads the account for plans and read-backs. Repeated presses share a read, so that they cost its weight once. */
export class SharedAccountReader {
  private readonly clock: Clock;
  private last:
    | {
        readonly account: CancelAccount;
        readonly startedAt: number;
        readonly result: Promise<Snapshot>;
      }
    | undefined;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** The read that began less than 2 s ago and after the last `invalidate`, unless it failed. */
  recent(account: CancelAccount): Promise<Snapshot> | undefined {
    const { last, clock } = this;
    const isRecent = last && clock.steadyNow() - last.startedAt < maxSharedAgeMs;
    return isRecent && last.account === account ? last.result : undefined;
  }

  read(account: CancelAccount): Promise<Snapshot> {
    const recent = this.recent(account);
    if (recent) return recent;
    const result = account.refresher.refreshNow('cancel');
    const started = { account, startedAt: this.clock.steadyNow(), result };
    this.last = started;
    result.catch(() => this.last === started && this.invalidate());
    return result;
  }

  /** A DELETE has ended: a read that began before shows nothing of its effect. */
  invalidate(): void {
    this.last = undefined;
  }

  /** What is locked now; undefined when the account, or a part of its locked orders, cannot be read. */
  async readLocked(account: CancelAccount): Promise<LockedReadBack> {
    try {
      const read = await this.read(account).catch((error: unknown) => readClosed(account, error));
      return unreadableIn(read).length > 0 ? undefined : lockedIn(read);
    } catch {
      return undefined;
    }
  }
}

/** Reads the account directly if its session was closed during the read, because another account was opened. */
async function readClosed(
  { [clientKey]: client }: CancelAccount,
  error: unknown,
): Promise<AccountRead> {
  if (!isAbortError(error)) throw error;
  const { value, badRecords } = await client.accounts({ priority: 'cancel' });
  return { account: value, badRecords };
}

export function isAbortError(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

import { isTimestamp, systemClock } from '../../base/time.ts';
import { clientKey } from '../../exchange/client.ts';
import { maxProbeRequests } from '../../exchange/history/probe.ts';
import type { BadRecord } from '../../exchange/records.ts';
import type { AccountSession } from './accountSession.ts';
import type { Profile } from './profile.ts';

type CheckResult<T> =
  | { readonly kind: 'works'; readonly value: T; readonly durationMs: number }
  | { readonly kind: 'fails'; readonly error: unknown };

/** What works of a connection, the profile that was tested, and when. */
export type ConnectionCheck = {
  readonly profile: Profile;
  readonly testedAt: number;
  /** NaN if the server's time is unknown. */
  readonly information: CheckResult<{ readonly symbols: number; readonly serverAheadMs: number }>;
  /** The positions are undefined if the account did not list them. */
  readonly account: CheckResult<{
    readonly positions: number | undefined;
    readonly badRecords: readonly BadRecord[];
  }>;
};

/** The most requests that a test sends: also one for exchange information and one for the account. */
export const maxTestRequests = maxProbeRequests + 2;

/**
 * Reads exchange information (section 2.7) and the account (section 2.6), each even if the other fails.
 * Then detects the API conventions, for at most `maxTestRequests` together.
 */
export async function checkConnection(
  { profile, [clientKey]: client }: AccountSession,
  signal: AbortSignal,
): Promise<ConnectionCheck> {
  const information = await runCheck(signal, async () => {
    const { value } = await client.exchangeInfo({ signal });
    const serverAheadMs = isTimestamp(value.serverTime ?? '') ? client.clockAheadMs : Number.NaN;
    return { symbols: value.symbols.length, serverAheadMs };
  });
  const account = await runCheck(signal, async () => {
    const { value, badRecords } = await client.accounts({ signal });
    return { positions: value.positions?.length, badRecords };
  });
  if (information.kind === 'works') await client.probeConventions({ signal });
  return { profile, testedAt: systemClock.now(), information, account };
}

async function runCheck<T>(signal: AbortSignal, read: () => Promise<T>): Promise<CheckResult<T>> {
  const startedAt = systemClock.now();
  try {
    const value = await read();
    return { kind: 'works', value, durationMs: systemClock.now() - startedAt };
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'fails', error };
  }
}

import { systemClock } from '../../base/clock.ts';
import { isTimestamp } from '../../base/instant.ts';
import type { Session } from '../../account/session.ts';

/** How one read went: what it gave and how long it took, or why it failed. */
export type Probe<T> =
  | { readonly kind: 'works'; readonly value: T; readonly durationMs: number }
  | { readonly kind: 'fails'; readonly error: unknown };

export type ConnectionReport = {
  /** Not a number where the server's time cannot be read. */
  readonly information: Probe<{ readonly symbols: number; readonly serverAheadMs: number }>;
  readonly account: Probe<{ readonly positions: number }>;
};

/**
 * Reads exchange information (section 2.7), then the account (section 2.6), each whatever became of
 * the other; then finds out, for at most 70 weight, what the interface leaves open.
 */
export async function examineConnection(
  { client }: Session,
  signal: AbortSignal,
): Promise<ConnectionReport> {
  const information = await probe(signal, async () => {
    const { value } = await client.exchangeInfo(signal);
    const serverAheadMs = isTimestamp(value.serverTime ?? '') ? client.clockAheadMs : Number.NaN;
    return { symbols: value.symbols.length, serverAheadMs };
  });
  const account = await probe(signal, async () => {
    const { value } = await client.accounts(signal);
    return { positions: value.positions.length };
  });
  if (information.kind === 'works') await client.probeDialect(signal);
  return { information, account };
}

async function probe<T>(signal: AbortSignal, read: () => Promise<T>): Promise<Probe<T>> {
  const startedAt = systemClock.now();
  try {
    const value = await read();
    return { kind: 'works', value, durationMs: systemClock.now() - startedAt };
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'fails', error };
  }
}

import type { AccountState } from '../accountStore.ts';
import { rememberMs, type Watch } from './watch.ts';

/** How long the account cannot be read before that is worth a notice. */
export const outageMs = 60_000;

/** A time in which every read of the account failed. */
export type Outage = {
  readonly since: number;
  readonly failure: unknown;
  readonly watch: Watch;
};

/**
 * Looks at the newest read and the clock; undefined where it succeeded. An outage begins with the last
 * success; where nothing was asked for long before the first failure, as after a sleep, with that.
 */
export function watchOutage(
  before: Outage | undefined,
  { snapshot, failure }: AccountState,
  now: number,
): Outage | undefined {
  if (failure === undefined) return undefined;
  const succeededAt = snapshot && Math.min(snapshot.asOf, now);
  const wasAsked = succeededAt !== undefined && now - succeededAt < outageMs;
  const since = Math.min(before?.since ?? (wasAsked ? succeededAt : now), now);
  const watch = { holds: now - since >= outageMs, newSince: succeededAt ?? since - rememberMs };
  return { since, failure, watch };
}

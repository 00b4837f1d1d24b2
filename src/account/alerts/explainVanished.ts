import type { Clock } from '../../base/clock.ts';
import { pause } from '../../base/deadline.ts';
import {
  whyVanished,
  type AccountRecords,
  type LiquidationAlert,
  type Vanished,
} from './vanished.ts';

export type VanishedOptions = {
  readonly records: AccountRecords;
  readonly clock: Clock;
  /** Whether somebody still wants to hear of it. */
  readonly isOn: () => boolean;
  readonly alert: (alert: LiquidationAlert) => void;
  /** Told of each read that failed. */
  readonly onProblem: (error: unknown) => void;
};

/** The records may fail, and may lag behind the account: they are asked at once, after 30 s and after 2 min. */
const pausesMs = [0, 30_000, 90_000];

/**
 * Tells why positions vanished as soon as the account's records do, and says of those that no record
 * explained when the last read failed. Rejects with the signal's reason.
 */
export async function explainVanished(
  gone: readonly Vanished[],
  { records, clock, isOn, alert, onProblem }: VanishedOptions,
  signal: AbortSignal,
): Promise<void> {
  let left = gone;
  let hasFailed = false;
  for (const pauseMs of pausesMs) {
    if (pauseMs > 0) await pause(clock, pauseMs, signal);
    if (!isOn()) return;
    // A fee that came with an order which told already says nothing of the others.
    const mayBeFee = left.length === gone.length;
    const why = await whyVanished(records, left, mayBeFee, signal).catch((error: unknown) => {
      if (!signal.aborted) onProblem(error);
      return 'unread' as const;
    });
    signal.throwIfAborted();
    hasFailed = why === 'unread';
    if (why === undefined || why === 'unread') continue;
    alert(why);
    left = left.filter(({ symbol }) => !why.symbols.includes(symbol));
    if (left.length === 0) return;
  }
  if (hasFailed) alert({ by: 'unread', symbols: left.map(({ symbol }) => symbol) });
}

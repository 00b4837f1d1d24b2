import type { Clock } from '../../base/clock.ts';
import { pause } from '../../base/deadline.ts';
import type { Vanished } from './heldPositions.ts';
import { symbolsOf, whyVanished, type AccountRecords, type WhyVanished } from './vanished.ts';
import type { Told } from './watch.ts';

/** A position that this window missed first at `missedAt`. */
export type Missed = Vanished & { readonly missedAt: number };

export type VanishedOptions = {
  readonly records: AccountRecords;
  readonly clock: Clock;
  /** The pause before each read. */
  readonly pausesMs: readonly number[];
  /** Whether somebody still wants to hear of it. */
  readonly isOn: () => boolean;
  /** Whether another window has told of it, or read as often as it is worth. */
  readonly isExplained: (one: Missed) => boolean;
  /** Told before each read of what it is for. */
  readonly reading: (gone: readonly Missed[]) => void;
  /** What any window told by now. */
  readonly told: () => Told;
  /** Told of what needs no further read. */
  readonly explained: (one: Missed) => void;
  readonly alert: (why: WhyVanished) => void;
  /** Told of each read that failed. */
  readonly onProblem: (error: unknown) => void;
};

/** The records may fail, and may lag behind the account: they are asked at once, after 30 s and after 2 min. */
export const reads: readonly number[] = [0, 30_000, 90_000];

/** The pauses that remain of those where so long has passed since the first read; one read at once after all of them. */
export function pausesAfter(passedMs: number): readonly number[] {
  const dueMs = reads.map((_, index) => reads.slice(0, index + 1).reduce((a, b) => a + b));
  const left = [passedMs, ...dueMs.filter((due) => due > passedMs)];
  return left.length > 1 ? left.slice(1).map((due, index) => due - (left[index] ?? 0)) : lateRead;
}

/** What another window left is old enough for its records to be there. */
export const lateRead: readonly number[] = [0];

/**
 * Tells why positions vanished as soon as the account's records do, and says of those that no record
 * explained when the last read failed. Rejects with the signal's reason.
 */
export async function explainVanished(
  gone: readonly Missed[],
  options: VanishedOptions,
  signal: AbortSignal,
): Promise<void> {
  const { clock, pausesMs, isOn, isExplained, reading, explained, alert } = options;
  let left = gone;
  let unread: WhyVanished | undefined;
  for (const pauseMs of pausesMs) {
    if (pauseMs > 0) await pause(clock, pauseMs, signal);
    if (!isOn()) return;
    left = left.filter((one) => !isExplained(one));
    if (left.length === 0) return;
    reading(left);
    // A fee that came with an order which told already says nothing of the others.
    const mayBeFee = left.length === gone.length;
    const why = await readWhy(left, mayBeFee, options, signal);
    signal.throwIfAborted();
    unread = why?.alert.by === 'unread' ? why : undefined;
    if (why === undefined || unread) continue;
    const { symbols } = why.alert;
    alert(why);
    for (const one of left) if (symbols.includes(one.symbol)) explained(one);
    left = left.filter(({ symbol }) => !symbols.includes(symbol));
  }
  if (left.length === 0) return;
  if (unread) alert(unread);
  for (const one of left) explained(one);
}

async function readWhy(
  left: readonly Missed[],
  mayBeFee: boolean,
  { records, told, onProblem }: VanishedOptions,
  signal: AbortSignal,
): Promise<WhyVanished | undefined> {
  try {
    return await whyVanished(records, left, { mayBeFee, told: told() }, signal);
  } catch (error) {
    if (!signal.aborted) onProblem(error);
    return { alert: { by: 'unread', symbols: symbolsOf(left) }, subjects: [] };
  }
}

import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { AlertMemory } from './alertWatch.ts';
import { explainVanished, lateRead, pausesAfter, reads, type Missed } from './explainVanished.ts';
import type { Vanished } from './heldPositions.ts';
import type { AccountRecords, LiquidationAlert, WhyVanished } from './vanished.ts';
import { isOfLastHour, type Told } from './watch.ts';

/** A window that reads for a position says so before each read: silent for longer, it has ended. */
export const leaseMs = 150_000;

export type VanishedWatchOptions = {
  readonly records: AccountRecords;
  readonly clock: Clock;
  readonly memory: AlertMemory;
  readonly isOn: () => boolean;
  readonly alert: (alert: LiquidationAlert) => void;
  readonly onProblem: (error: unknown) => void;
};

/**
 * Has one window of many read why positions vanished: the first that misses one, and where that ends
 * before it is done, as by a reload, one more read of the next that missed it too or finds it left open.
 */
export class VanishedWatch implements Disposable {
  private readonly life = new AbortController();
  private readonly options: VanishedWatchOptions;
  /** What another reads for, missed by this window as well or before it watched. */
  private left: readonly Missed[];
  /** Those of them that were missed before: where their reader said that it ended, its reads go on here. */
  private readonly before: ReadonlySet<Missed>;
  /** What this window reads for. */
  private readonly begun = new Set<Missed>();

  constructor(options: VanishedWatchOptions) {
    this.options = options;
    const { clock, memory } = options;
    this.left = memory.missed.filter(({ missedAt }) => isOfLastHour(missedAt, clock.now()));
    this.before = new Set(this.left);
  }

  look(gone: readonly Vanished[], now: number): void {
    const { isOn, memory } = this.options;
    const missed = [...this.left, ...gone.map((one) => ({ ...one, missedAt: now }))];
    const told = memory.told(now);
    const stands = missed.map((one) => {
      const isHandedOn = this.before.has(one) && hasReaderEnded(one, told);
      return { one, stand: isHandedOn ? 'handedOn' : standOf(one, told, now) };
    });
    const those = (wanted: Stand): Missed[] =>
      stands.filter(({ stand }) => stand === wanted).map(({ one }) => one);
    this.left = isOn() ? those('read') : [];
    if (!isOn()) return;
    const unread = those('unread');
    if (unread.length > 0) memory.keepMissed(unread, now);
    this.explain(unread, reads);
    this.explain(those('left'), lateRead);
    const handedOn = those('handedOn');
    memory.tell(handedOn.map(readSubject), now);
    for (const [missedAt, some] of Map.groupBy(handedOn, (one) => one.missedAt))
      this.explain(some, pausesAfter(now - missedAt));
  }

  dispose(): void {
    this.life.abort();
    const { memory, clock } = this.options;
    memory.tell([...this.begun].map(endedSubject), clock.now());
  }

  private explain(gone: readonly Missed[], pausesMs: readonly number[]): void {
    if (gone.length === 0) return;
    for (const one of gone) this.begun.add(one);
    const { memory, clock, onProblem } = this.options;
    const { signal } = this.life;
    const told = (): Told => memory.told(clock.now());
    const explaining = {
      ...this.options,
      told,
      pausesMs,
      isExplained: (one: Missed) => isExplained(one, told()),
      reading: (some: readonly Missed[]) => memory.tell(some.map(readSubject), clock.now()),
      // As of when it was missed: a position with its key that vanishes later is another one.
      explained: (one: Missed) => {
        this.begun.delete(one);
        memory.tell([explainedSubject(one)], clock.now(), one.missedAt);
      },
      alert: ({ alert, subjects }: WhyVanished) => {
        memory.tell(subjects, clock.now());
        this.options.alert(alert);
      },
    };
    explainVanished(gone, explaining, signal).catch((error: unknown) => {
      if (!signal.aborted) onProblem(error);
    });
  }
}

/**
 * `unread`: nobody reads for it; `read`: a window does; `left`: one did, and ended before it was done;
 * `handedOn`: that one said so before this watch began.
 */
type Stand = 'explained' | 'unread' | 'read' | 'left' | 'handedOn';

function standOf(one: Missed, told: Told, now: number): Stand {
  if (isExplained(one, told)) return 'explained';
  const readAt = told.get(readSubject(one));
  if (readAt === undefined || readAt < one.lastSeenAt) return 'unread';
  return now - readAt <= leaseMs ? 'read' : 'left';
}

function hasReaderEnded(one: Missed, told: Told): boolean {
  const readAt = told.get(readSubject(one));
  const endedAt = told.get(endedSubject(one));
  const isOpen = !isExplained(one, told);
  return isOpen && readAt !== undefined && endedAt !== undefined && endedAt > readAt;
}

function isExplained(one: Missed, told: Told): boolean {
  return (told.get(explainedSubject(one)) ?? 0) >= one.lastSeenAt;
}

function readSubject({ key }: Missed): string {
  return `gone:${key}`;
}

function endedSubject({ key }: Missed): string {
  return `ended:${key}`;
}

function explainedSubject({ key }: Missed): string {
  return `explained:${key}`;
}

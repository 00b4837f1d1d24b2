import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { TimeZone } from '../../base/timeZone.ts';
import type { AccountStore } from '../accountStore.ts';
import {
  dueAlerts,
  observe,
  type Alert,
  type AlertKind,
  type AlertLimits,
  type AlertState,
  type RanksRisks,
} from './alerts.ts';
import { firstOfDay, type FirstEquity } from './equityFall.ts';
import type { Missed } from './explainVanished.ts';
import { holdsSame, type HeldPositions } from './heldPositions.ts';
import { outageMs } from './outage.ts';
import type { AccountRecords } from './vanished.ts';
import { VanishedWatch } from './vanishedWatch.ts';
import { isOfLastHour, type Told } from './watch.ts';

/** How far what is kept of the positions may be behind while none comes or goes: each write goes to all windows. */
const keepHeldMs = 60_000;

/** What all windows know of an account's alerts, and know again after a reload. */
export type AlertMemory = {
  /** What was told by then; a later time is one of a clock that was set back since, and counts no more. */
  told(now: number): Told;
  /** What any window took for the first equity of a day. */
  readonly firstEquities: readonly FirstEquity[];
  /** Keeps that they were told at `of`, which is now or earlier. */
  tell(subjects: readonly string[], now: number, of?: number): void;
  keepFirstEquity(first: FirstEquity): void;
  /** The positions that any window saw last. */
  readonly held: HeldPositions | undefined;
  /** Keeps them unless newer ones are kept. */
  keepHeld(held: HeldPositions, now: number): void;
  /** Positions that vanished of late, explained or not. */
  readonly missed: readonly Missed[];
  keepMissed(missed: readonly Missed[], now: number): void;
};

export type AlertWatchOptions = {
  readonly store: AccountStore;
  /** Where to read why a position vanished. */
  readonly records: AccountRecords;
  readonly clock: Clock;
  readonly memory: AlertMemory;
  readonly limits: () => AlertLimits;
  readonly byDanger: RanksRisks;
  /** The zone whose days equity is measured by. */
  readonly zone: () => TimeZone;
  readonly isOn: (kind: AlertKind) => boolean;
  readonly alert: (alert: Alert) => void;
  /** Told of each read of a vanished position's records that failed. */
  readonly onProblem: (error: unknown) => void;
};

/**
 * Tells what a person with money at risk wants to hear of one account, each thing once. Windows that
 * watch the same account share a memory: what one has told, the others do not tell again.
 */
export class AlertWatch implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: AlertWatchOptions;
  private readonly vanished: VanishedWatch;
  private stopTimer: () => void = () => undefined;
  private state: AlertState = { gone: [] };
  private keptHeld: HeldPositions | undefined;

  constructor(options: AlertWatchOptions) {
    this.options = options;
    const { isOn, alert } = options;
    this.vanished = this.disposables.add(
      new VanishedWatch({
        ...options,
        isOn: () => isOn('liquidations'),
        alert: (why) => alert({ kind: 'liquidations', ...why }),
      }),
    );
    this.disposables.add(options.store.onDidChange(() => this.look()));
    this.look();
  }

  dispose(): void {
    this.stopTimer();
    this.keepHeld(0);
    this.disposables.dispose();
  }

  private look(): void {
    const { store, clock, memory, limits, byDanger, isOn, alert } = this.options;
    const now = clock.now();
    const sight = { limits: limits(), byDanger, now };
    const held = this.state.held ?? (store.state.snapshot && this.heldBefore(now));
    this.state = observe({ ...this.state, held }, store.state, this.firstEquity(), sight);
    this.keepHeld(keepHeldMs);
    const due = dueAlerts(this.state, memory.told(now), now).filter((one) => isOn(one.alert.kind));
    memory.tell(
      due.flatMap(({ subjects }) => subjects),
      now,
    );
    for (const one of due) alert(one.alert);
    if (this.state.snapshot) this.vanished.look(this.state.gone, now);
    this.waitForOutage(now);
  }

  /** What was held before this watch began: what vanished since then, vanished while nobody watched. */
  private heldBefore(now: number): HeldPositions | undefined {
    const { held } = this.options.memory;
    this.keptHeld = held;
    return held && isOfLastHour(held.asOf, now) ? held : undefined;
  }

  private keepHeld(afterMs: number): void {
    const { memory, clock } = this.options;
    const { keptHeld: kept } = this;
    const { held } = this.state;
    if (!held || held === kept) return;
    if (kept && Math.abs(held.asOf - kept.asOf) < afterMs && holdsSame(kept, held)) return;
    this.keptHeld = held;
    memory.keepHeld(held, clock.now());
  }

  private firstEquity(): FirstEquity | undefined {
    const { store, memory, zone } = this.options;
    const { snapshot } = store.state;
    if (!snapshot) return undefined;
    const known = memory.firstEquities;
    const first = firstOfDay(known, snapshot, zone());
    if (!known.includes(first)) memory.keepFirstEquity(first);
    return first;
  }

  /** Failing reads may be far apart: the minute is over by the clock, not by the next of them. */
  private waitForOutage(now: number): void {
    this.stopTimer();
    const { outage } = this.state;
    if (!outage || outage.watch.holds) return;
    this.stopTimer = this.options.clock.after(outage.since + outageMs - now, () => this.look());
  }
}

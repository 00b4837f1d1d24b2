import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { minuteMs, type Clock } from '../../base/time.ts';
import type { TimeZone } from '../../base/timeZone.ts';
import type { AccountStore } from '../session/accountStore.ts';
import { recentMs, type NotificationRecord } from './alertCondition.ts';
import {
  dueAlerts,
  nextAlertState,
  outageAlertMs,
  type Alert,
  type AlertKind,
  type AlertLimits,
  type AlertState,
  type SortByRisk,
} from './alerts.ts';
import { firstOfDay, type FirstEquity } from './equityFall.ts';
import { hasSamePositions, type HeldPositions } from './heldPositions.ts';
import { VanishedPositions, type OrderHistoryClient } from './vanishedPositions.ts';

/** Each write goes to all windows: while no position comes or goes, the stored ones may be this old. */
const saveHeldIntervalMs = minuteMs;

/** What all windows of an account share about its alerts. It survives a reload. */
export type AlertMemory = NotificationRecord & {
  /** The first equity of a day, as each window saw it. */
  readonly firstEquities: readonly FirstEquity[];
  saveFirstEquity(first: FirstEquity): void;
  /** The newest positions that any window saw. */
  readonly held: HeldPositions | undefined;
  saveHeld(held: HeldPositions, now: number): void;
};

type AlertMonitorOptions = {
  readonly store: AccountStore;
  readonly orderHistory: OrderHistoryClient;
  readonly clock: Clock;
  readonly memory: AlertMemory;
  readonly limits: () => AlertLimits;
  readonly sortByRisk: SortByRisk;
  /** The zone whose days equity is measured by. */
  readonly zone: () => TimeZone;
  readonly isOn: (kind: AlertKind) => boolean;
  readonly alert: (alert: Alert) => void;
  /** Called for each read of the order history that failed. */
  readonly onReadError: (error: unknown) => void;
};

/** Shows the alerts of one account, each once: the windows that watch it share a memory. */
export class AlertMonitor implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: AlertMonitorOptions;
  private readonly vanishedPositions: VanishedPositions;
  private stopTimer: () => void = () => undefined;
  private state: AlertState = { vanishedPositions: [] };
  private savedHeld: HeldPositions | undefined;

  constructor(options: AlertMonitorOptions) {
    this.options = options;
    const { isOn, alert } = options;
    this.vanishedPositions = this.disposables.add(
      new VanishedPositions({
        ...options,
        isOn: () => isOn('liquidations'),
        alert: (liquidation) => alert({ kind: 'liquidations', ...liquidation }),
      }),
    );
    this.disposables.add(options.store.onDidChange(() => this.check()));
    this.check();
  }

  dispose(): void {
    this.stopTimer();
    this.saveHeld(0);
    this.disposables.dispose();
  }

  private check(): void {
    const { store, clock, memory, limits, sortByRisk, isOn, alert } = this.options;
    const now = clock.now();
    const held = this.state.held ?? (store.state.snapshot && this.recentlyHeld(now));
    this.state = nextAlertState({ ...this.state, held }, store.state, this.firstEquity(), {
      limits: limits(),
      sortByRisk,
      now,
    });
    this.saveHeld(saveHeldIntervalMs);
    const due = dueAlerts(this.state, memory.notifiedTimes(now), now).filter((one) =>
      isOn(one.alert.kind),
    );
    memory.recordNotified(
      due.flatMap(({ subjects }) => subjects),
      now,
    );
    for (const one of due) alert(one.alert);
    this.vanishedPositions.check(this.state.vanishedPositions, now);
    this.scheduleOutageCheck(now);
  }

  /** The positions before this window opened: those that are gone since then vanished unseen. */
  private recentlyHeld(now: number): HeldPositions | undefined {
    const { held } = this.options.memory;
    this.savedHeld = held;
    return held && held.asOf <= now && now - held.asOf <= recentMs ? held : undefined;
  }

  private saveHeld(afterMs: number): void {
    const { memory, clock } = this.options;
    const { savedHeld: saved } = this;
    const { held } = this.state;
    if (!held || held === saved) return;
    if (saved && Math.abs(held.asOf - saved.asOf) < afterMs && hasSamePositions(saved, held))
      return;
    this.savedHeld = held;
    memory.saveHeld(held, clock.now());
  }

  private firstEquity(): FirstEquity | undefined {
    const { store, memory, zone } = this.options;
    const { snapshot } = store.state;
    if (!snapshot) return undefined;
    const known = memory.firstEquities;
    const first = firstOfDay(known, snapshot, zone());
    if (first && !known.includes(first)) memory.saveFirstEquity(first);
    return first;
  }

  /** Failing reads may be far apart: the alert comes after a minute, not with the next read. */
  private scheduleOutageCheck(now: number): void {
    this.stopTimer();
    const { outage } = this.state;
    if (!outage || outage.condition.isMet) return;
    this.stopTimer = this.options.clock.after(outage.since + outageAlertMs - now, () =>
      this.check(),
    );
  }
}

import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { minuteMs, type Clock, steadyTimeOf } from '../../base/time.ts';
import type { TimeZone } from '../../base/timeZone.ts';
import { clientKey } from '../../exchange/client.ts';
import type { AccountState, AccountStore, Snapshot } from '../session/accountStore.ts';
import {
  recentMs,
  type NotificationRecord,
  type NotifiedTimes,
  firstOfDay,
  type FirstEquity,
} from './alertCondition.ts';
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
import {
  hasSamePositions,
  type HeldPositions,
  VanishedPositions,
  type AlertedAccount,
} from './vanishedPositions.ts';

/** Each write goes to all windows: while no position comes or goes, the stored ones may be this old. */
const saveHeldIntervalMs = minuteMs;

/** What all windows of an account share about its alerts. It survives a reload. */
export type AlertMemory = NotificationRecord & {
  /** The first equity of a day, as each window saw it. */
  readonly firstEquities: readonly FirstEquity[];
  saveFirstEquity(first: FirstEquity): void;
  /** The newest positions that any window saw. */
  readonly held: HeldPositions | undefined;
  saveHeld(held: HeldPositions): void;
};

type AlertMonitorOptions = {
  readonly store: AccountStore;
  /** Its orders say whether vanished positions were liquidated. */
  readonly account: AlertedAccount;
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
  private readonly times: AlertTimes;
  private readonly vanishedPositions: VanishedPositions;
  private stopTimer: () => void = () => undefined;
  private state: AlertState = { vanishedPositions: [] };
  private savedHeld: HeldPositions | undefined;
  /** The newest snapshot as it came, and with the time of `times`. */
  private newest: { readonly given: Snapshot; readonly timed: Snapshot } | undefined;

  constructor(options: AlertMonitorOptions) {
    this.options = options;
    const { isOn, alert, clock, memory, account } = options;
    const times = new AlertTimes(clock, memory);
    this.times = times;
    this.vanishedPositions = this.disposables.add(
      new VanishedPositions({
        ...options,
        memory: times,
        now: times.now,
        exchangeAheadMs: () => account[clientKey].clockAheadMs + times.wallAheadMs,
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
    const { store, limits, sortByRisk, isOn, alert } = this.options;
    const { times } = this;
    const now = times.now();
    const held = this.state.held ?? (store.state.snapshot && this.recentlyHeld(now));
    this.state = nextAlertState({ ...this.state, held }, this.account(), this.firstEquity(), {
      limits: limits(),
      sortByRisk,
      now,
    });
    this.saveHeld(saveHeldIntervalMs);
    const due = dueAlerts(this.state, times.notifiedTimes(), now).filter((one) =>
      isOn(one.alert.kind),
    );
    times.recordNotified(
      due.flatMap(({ subjects }) => subjects),
      now,
    );
    for (const one of due) alert(alertMovedBy(one.alert, times.wallAheadMs));
    this.vanishedPositions.check(this.state.vanishedPositions, now);
    this.scheduleOutageCheck(now);
  }

  /** What is known of the account, with the time of `times`. */
  private account(): AccountState {
    const { state } = this.options.store;
    const { snapshot: given } = state;
    if (!given) return state;
    if (this.newest?.given !== given)
      this.newest = { given, timed: movedBy(given, -this.times.wallAheadMs) };
    return { ...state, snapshot: this.newest.timed };
  }

  /** The positions before this window opened: those that are gone since then vanished unseen. */
  private recentlyHeld(now: number): HeldPositions | undefined {
    const stored = this.options.memory.held;
    const held = stored && movedBy(stored, -this.times.wallAheadMs);
    this.savedHeld = held;
    return held && held.asOf <= now && now - held.asOf <= recentMs ? held : undefined;
  }

  private saveHeld(afterMs: number): void {
    const { memory } = this.options;
    const { savedHeld: saved } = this;
    const { held } = this.state;
    if (!held || held === saved) return;
    if (saved && Math.abs(held.asOf - saved.asOf) < afterMs && hasSamePositions(saved, held))
      return;
    this.savedHeld = held;
    memory.saveHeld(movedBy(held, this.times.wallAheadMs));
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

/**
 * The times of one window's alerts, by the steady clock: setting the wall clock delays, hurries or repeats
 * no alert. Only what is shown, and what windows share, has the wall's time.
 */
class AlertTimes implements NotificationRecord {
  readonly now: () => number;
  private readonly clock: Clock;
  private readonly memory: NotificationRecord;
  /** When each subject was shown last: as windows share it, and by this window's time. */
  private readonly notified = new Map<string, { readonly storedAt: number; readonly at: number }>();

  constructor(clock: Clock, memory: NotificationRecord) {
    this.now = steadyTimeOf(clock);
    this.clock = clock;
    this.memory = memory;
  }

  /** How far somebody has set the wall clock ahead since this window watches the account. */
  get wallAheadMs(): number {
    return this.clock.now() - this.now();
  }

  notifiedTimes(): NotifiedTimes {
    const { notified, wallAheadMs } = this;
    for (const [subject, storedAt] of this.memory.notifiedTimes()) {
      const known = notified.get(subject);
      const at = Math.max(storedAt - wallAheadMs, known?.at ?? 0);
      if (known?.storedAt !== storedAt) notified.set(subject, { storedAt, at });
    }
    return new Map([...notified].map(([subject, { at }]) => [subject, at]));
  }

  recordNotified(subjects: readonly string[], at: number): void {
    const storedAt = this.clock.now();
    for (const subject of subjects) this.notified.set(subject, { storedAt, at });
    this.memory.recordNotified(subjects, storedAt);
  }
}

function movedBy<Timed extends { readonly asOf: number }>(timed: Timed, ms: number): Timed {
  return { ...timed, asOf: timed.asOf + ms };
}

function alertMovedBy(alert: Alert, ms: number): Alert {
  if (alert.kind === 'connection') return { ...alert, since: alert.since + ms };
  if (alert.kind === 'equity') return movedBy(alert, ms);
  if (alert.kind === 'liquidations') return alert;
  return { ...alert, positions: alert.positions.map((one) => movedBy(one, ms)) };
}

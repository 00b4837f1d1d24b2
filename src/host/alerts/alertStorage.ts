import * as v from 'valibot';
import type { NotifiedTimes } from '../../account/alerts/alertCondition.ts';
import type { AlertMemory } from '../../account/alerts/alertMonitor.ts';
import { firstOfNewestDay, type FirstEquity } from '../../account/alerts/equityFall.ts';
import type { HeldPositions } from '../../account/alerts/heldPositions.ts';
import type { AccountSession } from '../../account/session/accountSession.ts';
import { isNumberText } from '../../base/decimal.ts';
import { dayMs } from '../../base/time.ts';
import type { TimeZone } from '../../base/timeZone.ts';
import { logRejection, type Log } from '../shared/log.ts';
import { StoredValue, validItems, type ValueStorage } from '../../base/storedValue.ts';

const retentionMs = 7 * dayMs;
const maxSubjects = 500;

const equity = v.pipe(v.string(), v.check(isNumberText));
const heldPosition = v.object({
  symbol: v.string(),
  marginMode: v.nullable(v.string()),
  side: v.nullable(v.picklist(['long', 'short', 'flat'])),
});
const entrySchema = v.object({
  /** The account's fingerprint: a profile can get credentials of another account. */
  account: v.string(),
  keptAt: v.number(),
  first: v.optional(v.object({ seenAt: v.number(), equity })),
  /** Each subject with the time of its last notification. */
  notified: v.array(v.tuple([v.string(), v.number()])),
  held: v.optional(
    v.object({
      asOf: v.number(),
      positions: v.pipe(v.array(heldPosition), v.readonly()),
      unexplained: v.number(),
    }),
  ),
});
type Entry = v.InferOutput<typeof entrySchema>;

/** The alert memory of each account. */
export type StoredAlerts = StoredValue<readonly Entry[]>;

export function storedAlerts(storage: ValueStorage): StoredAlerts {
  return new StoredValue(storage, 'marginDesk.alerts', validItems(entrySchema), [], 1);
}

type AlertStorageOptions = {
  readonly session: Pick<AccountSession, 'profile' | 'fingerprint'>;
  readonly stored: StoredAlerts;
  /** The zone whose days equity is measured by. */
  readonly zone: () => TimeZone;
  readonly log: Log;
};

/**
 * The alert memory of one account, in VS Code's global state: windows see each other's writes within a
 * moment, and a reload finds them. Simultaneous writes may be lost there, so a window also uses what it
 * knows itself. Nothing is stored for the practice exchange, which belongs to one window. An entry that
 * cannot be read is dropped: at worst an alert is shown twice.
 */
export class AlertStorage implements AlertMemory {
  private readonly account: string | undefined;
  private readonly options: AlertStorageOptions;
  private readonly ownNotified = new Map<string, number>();
  private ownFirst: FirstEquity | undefined;
  private ownHeld: HeldPositions | undefined;
  /** Writes that overlap agree on what is from before the clock was set back: times after the last one. */
  private lastStoredAt = 0;

  constructor(options: AlertStorageOptions) {
    const { profile, fingerprint } = options.session;
    this.account = profile.environment === 'practice' ? undefined : fingerprint;
    this.options = options;
  }

  notifiedTimes(now: number): NotifiedTimes {
    return this.notifiedWith(this.stored, now);
  }

  private notifiedWith(stored: Entry | undefined, now: number): NotifiedTimes {
    const notified = new Map<string, number>();
    for (const [subject, at] of [...(stored?.notified ?? []), ...this.ownNotified])
      if (at <= now) notified.set(subject, Math.max(at, notified.get(subject) ?? 0));
    return notified;
  }

  get firstEquities(): readonly FirstEquity[] {
    return this.firstEquitiesWith(this.stored);
  }

  private firstEquitiesWith(stored: Entry | undefined): readonly FirstEquity[] {
    return [this.ownFirst, stored?.first].filter((first) => first !== undefined);
  }

  recordNotified(subjects: readonly string[], now: number): void {
    if (subjects.length === 0) return;
    for (const subject of subjects) this.ownNotified.set(subject, now);
    this.store(now);
  }

  saveFirstEquity(first: FirstEquity): void {
    this.ownFirst = first;
    this.store(first.seenAt);
  }

  get held(): HeldPositions | undefined {
    return newestOf([this.stored?.held, this.ownHeld]);
  }

  saveHeld(held: HeldPositions, now: number): void {
    this.ownHeld = { ...held, positions: held.positions.slice(0, maxSubjects) };
    this.store(now);
  }

  private get stored(): Entry | undefined {
    return this.entryIn(this.options.stored.get());
  }

  private entryIn(entries: readonly Entry[]): Entry | undefined {
    return entries.find(({ account }) => account === this.account);
  }

  private store(now: number): void {
    const { account } = this;
    if (account === undefined) return;
    this.lastStoredAt = now;
    const writing = this.options.stored.update((entries) => [
      ...entries.filter((one) => one.account !== account && now - one.keptAt < retentionMs),
      { account, ...this.knownWith(this.entryIn(entries)) },
    ]);
    logRejection(this.options.log, 'storing shown alerts', writing);
  }

  /** What is stored, with what this window knows. */
  private knownWith(stored: Entry | undefined): Omit<Entry, 'account'> {
    const now = this.lastStoredAt;
    const notified = [...this.notifiedWith(stored, now)]
      .filter(([, at]) => now - at < retentionMs)
      .sort(([, a], [, b]) => b - a)
      .slice(0, maxSubjects);
    const seen = this.firstEquitiesWith(stored).filter(({ seenAt }) => seenAt <= now);
    const first = firstOfNewestDay(seen, this.options.zone());
    const held = newestOf([stored?.held, this.ownHeld].filter((one) => one && one.asOf <= now));
    return { keptAt: now, notified, first, held };
  }
}

function newestOf(all: readonly (HeldPositions | undefined)[]): HeldPositions | undefined {
  const [newest] = all.filter((held) => held !== undefined).sort((a, b) => b.asOf - a.asOf);
  return newest;
}

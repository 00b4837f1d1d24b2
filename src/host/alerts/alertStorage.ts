import * as v from 'valibot';
import {
  type NotifiedTimes,
  firstOfNewestDay,
  type FirstEquity,
} from '../../account/alerts/alertCondition.ts';
import type { AlertMemory } from '../../account/alerts/alertMonitor.ts';
import type { HeldPositions } from '../../account/alerts/vanishedPositions.ts';
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

/** What a window or the storage knows of one account. */
type Known = Pick<Entry, 'first' | 'held'> & {
  readonly notified: Iterable<readonly [subject: string, at: number]>;
};

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
  private own: Known = { notified: new Map() };
  /** Writes that overlap agree on what is from before the clock was set back: times after the last one. */
  private lastStoredAt = 0;

  constructor(options: AlertStorageOptions) {
    const { profile, fingerprint } = options.session;
    this.account = profile.environment === 'practice' ? undefined : fingerprint;
    this.options = options;
  }

  notifiedTimes(now: number): NotifiedTimes {
    return latestTimes(this.known(), now);
  }

  get firstEquities(): readonly FirstEquity[] {
    return this.known().flatMap(({ first }) => first ?? []);
  }

  get held(): HeldPositions | undefined {
    return newestOf(this.known());
  }

  recordNotified(subjects: readonly string[], now: number): void {
    if (subjects.length === 0) return;
    const added = subjects.map((subject) => [subject, now] as const);
    this.own = { ...this.own, notified: new Map([...this.own.notified, ...added]) };
    this.store(now);
  }

  saveFirstEquity(first: FirstEquity): void {
    this.own = { ...this.own, first };
    this.store(first.seenAt);
  }

  saveHeld(held: HeldPositions, now: number): void {
    this.own = { ...this.own, held: { ...held, positions: held.positions.slice(0, maxSubjects) } };
    this.store(now);
  }

  /** What this window knows, and what is stored. */
  private known(entries = this.options.stored.get()): readonly Known[] {
    return [this.own, ...entries.filter(({ account }) => account === this.account)];
  }

  private store(now: number): void {
    const { account } = this;
    if (account === undefined) return;
    this.lastStoredAt = now;
    const writing = this.options.stored.update((entries) => [
      ...entries.filter((one) => one.account !== account && now - one.keptAt < retentionMs),
      { account, ...this.newest(this.known(entries)) },
    ]);
    logRejection(this.options.log, 'storing shown alerts', writing);
  }

  private newest(known: readonly Known[]): Omit<Entry, 'account'> {
    const now = this.lastStoredAt;
    const notified = [...latestTimes(known, now)]
      .filter(([, at]) => now - at < retentionMs)
      .sort(([, a], [, b]) => b - a)
      .slice(0, maxSubjects);
    const seen = known.flatMap(({ first }) => (first && first.seenAt <= now ? first : []));
    const first = firstOfNewestDay(seen, this.options.zone());
    return { keptAt: now, notified, first, held: newestOf(known, now) };
  }
}

function latestTimes(known: readonly Known[], until: number): NotifiedTimes {
  const latest = new Map<string, number>();
  for (const [subject, at] of known.flatMap(({ notified }) => [...notified]))
    if (at <= until) latest.set(subject, Math.max(at, latest.get(subject) ?? 0));
  return latest;
}

function newestOf(known: readonly Known[], until = Infinity): HeldPositions | undefined {
  return known
    .flatMap(({ held }) => (held && held.asOf <= until ? held : []))
    .toSorted((a, b) => b.asOf - a.asOf)[0];
}

import * as v from 'valibot';
import type * as vscode from 'vscode';
import type { NotifiedTimes } from '../../account/alerts/alertCondition.ts';
import type { AlertMemory } from '../../account/alerts/alertMonitor.ts';
import { firstOfNewestDay, type FirstEquity } from '../../account/alerts/equityFall.ts';
import type { HeldPositions } from '../../account/alerts/heldPositions.ts';
import type { AccountSession } from '../../account/session/accountSession.ts';
import { isNumberText } from '../../base/decimal.ts';
import { dayMs } from '../../base/time.ts';
import type { TimeZone } from '../../base/timeZone.ts';
import { logRejection, type Log } from '../log.ts';

const memoryKey = 'marginDesk.alerts';
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

type AlertStorageOptions = {
  readonly session: Pick<AccountSession, 'profile' | 'fingerprint'>;
  readonly state: Pick<vscode.Memento, 'get' | 'update'>;
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
  private parseCache: { readonly value: unknown; readonly entries: readonly Entry[] } | undefined;

  constructor(options: AlertStorageOptions) {
    const { profile, fingerprint } = options.session;
    this.account = profile.environment === 'practice' ? undefined : fingerprint;
    this.options = options;
  }

  notifiedTimes(now: number): NotifiedTimes {
    const notified = new Map<string, number>();
    for (const [subject, at] of [...(this.stored?.notified ?? []), ...this.ownNotified])
      if (at <= now) notified.set(subject, Math.max(at, notified.get(subject) ?? 0));
    return notified;
  }

  get firstEquities(): readonly FirstEquity[] {
    return [this.ownFirst, this.stored?.first].filter((first) => first !== undefined);
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
    return this.entries().find(({ account }) => account === this.account);
  }

  private store(now: number): void {
    const { account } = this;
    const { state, zone, log } = this.options;
    if (account === undefined) return;
    const others = this.entries().filter(
      (entry) => entry.account !== account && now - entry.keptAt < retentionMs,
    );
    const notified = [...this.notifiedTimes(now)]
      .filter(([, at]) => now - at < retentionMs)
      .sort(([, a], [, b]) => b - a)
      .slice(0, maxSubjects);
    // Times after now are from before the clock was set back.
    const seen = this.firstEquities.filter(({ seenAt }) => seenAt <= now);
    const first = firstOfNewestDay(seen, zone());
    const held = newestOf(
      [this.stored?.held, this.ownHeld].filter((one) => one && one.asOf <= now),
    );
    const entry: Entry = { account, keptAt: now, notified, first, held };
    const writing = state.update(memoryKey, [...others, entry]);
    logRejection(log, 'storing shown alerts', writing);
  }

  /** VS Code gives the same object until somebody writes another. */
  private entries(): readonly Entry[] {
    const value: unknown = this.options.state.get(memoryKey);
    if (this.parseCache?.value !== value) this.parseCache = { value, entries: parseEntries(value) };
    return this.parseCache?.entries ?? [];
  }
}

function newestOf(all: readonly (HeldPositions | undefined)[]): HeldPositions | undefined {
  const [newest] = all.filter((held) => held !== undefined).sort((a, b) => b.asOf - a.asOf);
  return newest;
}

function parseEntries(value: unknown): Entry[] {
  const list = v.safeParse(v.array(v.unknown()), value);
  return (list.success ? list.output : []).flatMap((item) => {
    const entry = v.safeParse(entrySchema, item);
    return entry.success ? [entry.output] : [];
  });
}

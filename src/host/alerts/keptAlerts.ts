import * as v from 'valibot';
import type * as vscode from 'vscode';
import type { AlertMemory } from '../../account/alerts/alertWatch.ts';
import type { Missed } from '../../account/alerts/explainVanished.ts';
import type { HeldPositions } from '../../account/alerts/heldPositions.ts';
import { firstOfNewestDay, type FirstEquity } from '../../account/alerts/equityFall.ts';
import { isOfLastHour, type Told } from '../../account/alerts/watch.ts';
import type { Session } from '../../account/session.ts';
import { isNumberText } from '../../base/decimal.ts';
import type { TimeZone } from '../../base/timeZone.ts';
import { inBackground } from '../background.ts';
import type { Log } from '../log.ts';
import { dayMs } from '../../base/durations.ts';

const memoryKey = 'marginDesk.alerts';
const keptMs = 7 * dayMs;
const keptSubjects = 500;

const equity = v.pipe(v.string(), v.check(isNumberText));
const position = { key: v.string(), symbol: v.string() };
const heldPosition = v.object({ ...position, count: v.number() });
const missedPosition = v.object({ ...position, lastSeenAt: v.number(), missedAt: v.number() });
const entrySchema = v.object({
  /** Its fingerprint: a profile's name and base URL stay when its credentials open another account. */
  account: v.string(),
  keptAt: v.number(),
  first: v.optional(v.object({ seenAt: v.number(), equity })),
  told: v.array(v.tuple([v.string(), v.number()])),
  held: v.optional(
    v.object({ asOf: v.number(), positions: v.pipe(v.array(heldPosition), v.readonly()) }),
  ),
  missed: v.optional(v.array(missedPosition), []),
});
type Entry = v.InferOutput<typeof entrySchema>;

export type KeptAlertsOptions = {
  readonly session: Pick<Session, 'profile' | 'fingerprint'>;
  readonly state: Pick<vscode.Memento, 'get' | 'update'>;
  /** The zone whose days equity is measured by. */
  readonly zone: () => TimeZone;
  readonly log: Log;
};

/**
 * What was told of one account, its first equity of the day, the positions that it held last and
 * those that vanished, in VS Code's global state: windows see each other's writes within a moment, and
 * a reload finds them. Writes of the same moment may be lost there, so that this window goes by what
 * it knows itself too. The practice exchange is this window's own: nothing is kept of it. What cannot
 * be read is forgotten: at worst it is told again.
 */
export class KeptAlerts implements AlertMemory {
  private readonly account: string | undefined;
  private readonly options: KeptAlertsOptions;
  private readonly ownTold = new Map<string, number>();
  private ownFirst: FirstEquity | undefined;
  private ownHeld: HeldPositions | undefined;
  private ownMissed: readonly Missed[] = [];
  private parsed: { readonly value: unknown; readonly entries: readonly Entry[] } | undefined;

  constructor(options: KeptAlertsOptions) {
    const { profile, fingerprint } = options.session;
    this.account = profile.environment === 'practice' ? undefined : fingerprint;
    this.options = options;
  }

  told(now: number): Told {
    const told = new Map<string, number>();
    for (const [subject, at] of [...(this.kept?.told ?? []), ...this.ownTold])
      if (at <= now) told.set(subject, Math.max(at, told.get(subject) ?? 0));
    return told;
  }

  get firstEquities(): readonly FirstEquity[] {
    return [this.ownFirst, this.kept?.first].filter((first) => first !== undefined);
  }

  tell(subjects: readonly string[], now: number, of = now): void {
    if (subjects.length === 0) return;
    for (const subject of subjects) this.ownTold.set(subject, of);
    this.keep(now);
  }

  keepFirstEquity(first: FirstEquity): void {
    this.ownFirst = first;
    this.keep(first.seenAt);
  }

  get held(): HeldPositions | undefined {
    return newestOf([this.kept?.held, this.ownHeld]);
  }

  keepHeld(held: HeldPositions, now: number): void {
    this.ownHeld = { ...held, positions: held.positions.slice(0, keptSubjects) };
    this.keep(now);
  }

  get missed(): readonly Missed[] {
    const all = [...(this.kept?.missed ?? []), ...this.ownMissed];
    return [...new Map(all.map((one) => [`${one.missedAt} ${one.key}`, one])).values()];
  }

  keepMissed(missed: readonly Missed[], now: number): void {
    this.ownMissed = [...this.ownMissed, ...missed];
    this.keep(now);
  }

  private get kept(): Entry | undefined {
    return this.entries().find(({ account }) => account === this.account);
  }

  private keep(now: number): void {
    const { account } = this;
    const { state, zone, log } = this.options;
    if (account === undefined) return;
    const others = this.entries().filter(
      (entry) => entry.account !== account && now - entry.keptAt < keptMs,
    );
    const told = [...this.told(now)]
      .filter(([, at]) => now - at < keptMs)
      .sort(([, a], [, b]) => b - a)
      .slice(0, keptSubjects);
    const seen = this.firstEquities.filter(({ seenAt }) => seenAt <= now);
    const first = firstOfNewestDay(seen, zone());
    const heldByNow = [this.kept?.held, this.ownHeld].filter((held) => held && held.asOf <= now);
    const entry: Entry = {
      ...{ account, keptAt: now, told, first, held: newestOf(heldByNow) },
      missed: this.missed
        .filter(({ missedAt }) => isOfLastHour(missedAt, now))
        .slice(-keptSubjects),
    };
    const writing = state.update(memoryKey, [...others, entry]);
    inBackground(log, 'keeping what was told', writing);
  }

  /** VS Code gives the same object until somebody writes another. */
  private entries(): readonly Entry[] {
    const value: unknown = this.options.state.get(memoryKey);
    if (this.parsed?.value !== value) this.parsed = { value, entries: parseEntries(value) };
    return this.parsed?.entries ?? [];
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

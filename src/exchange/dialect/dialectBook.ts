import { TimeZone } from '../../base/timeZone.ts';
import { CapTrial, type PageAsked } from './capTrial.ts';
import {
  dialectEntries,
  type Dialect,
  type DialectEntry,
  type DialectSettings,
} from './dialect.ts';
import {
  effectiveDialect,
  factsInMemory,
  type Facts,
  type FactsKeeper,
  type Finding,
  type Findings,
  type Observation,
  type ToldInformation,
} from './facts.ts';
import type { Filters, Undecided } from './historyPage.ts';
import { orderOf } from './judge.ts';
import { statusesIn, type SeenPage } from './seenPage.ts';
import { zoneOf } from './zone.ts';

/** An entry's value and where it comes from. */
export type EntryStanding = {
  readonly entry: DialectEntry;
  readonly value: Dialect[DialectEntry];
  readonly source: 'set' | 'seen' | 'assumed';
  /** What was seen of it, also where that decides nothing. */
  readonly finding: Finding | undefined;
};

/** How an exchange is asked now: what is set, what its answers have shown, what is assumed. */
export class DialectBook {
  readonly settings: DialectSettings;
  private readonly keeper: FactsKeeper;
  private readonly caps = new CapTrial();
  private readonly utc = new TimeZone('UTC');
  private latestZone: { readonly name: string; readonly zone: TimeZone | undefined } | undefined;

  constructor(settings: DialectSettings, keeper: FactsKeeper = factsInMemory()) {
    this.settings = settings;
    this.keeper = keeper;
  }

  /** Read it for each request: facts may be learned meanwhile. */
  get dialect(): Dialect {
    return effectiveDialect(this.settings, this.facts.findings);
  }

  get facts(): Facts {
    return this.keeper.read();
  }

  /** Where an entry's value comes from. */
  sourceOf(entry: DialectEntry): 'set' | 'seen' | 'assumed' {
    if (this.settings[entry] !== 'auto') return 'set';
    const { concluded = 'undecided' } = this.facts.findings[entry] ?? {};
    return concluded === 'undecided' ? 'assumed' : 'seen';
  }

  /** How things stand with each entry, for whoever tells it. */
  get standings(): readonly EntryStanding[] {
    const { dialect, facts } = this;
    return dialectEntries.map((entry) => ({
      entry,
      value: dialect[entry],
      source: this.sourceOf(entry),
      finding: this.settings[entry] === 'auto' ? facts.findings[entry] : undefined,
    }));
  }

  /** The time zone of local dates, as exchange information names it; undefined until it did. */
  get timezone(): string | undefined {
    return this.facts.information?.timezone ?? undefined;
  }

  /** Whether that zone is one that is known here; else local dates are written in UTC. */
  get knowsZone(): boolean {
    return this.namedZone !== undefined;
  }

  get zone(): TimeZone {
    return this.namedZone ?? this.utc;
  }

  /** Whether local dates would be written before exchange information was read, which names their zone. */
  needsZone(dialect: Dialect, filters: Filters): boolean {
    return this.facts.information === null && hasPeriod(filters) && isLocal(dialect);
  }

  /**
   * What is open of such a query. Of dates that are only assumed that matters where a detection has
   * refuted them, or where no row came.
   */
  undecidedOf(filters: Filters, isEmpty: boolean): readonly Undecided[] {
    const { statuses = [] } = filters;
    const isAssumed = (entry: DialectEntry) => this.sourceOf(entry) === 'assumed';
    const { reason } = this.facts.findings.dates ?? {};
    const isRefuted = reason === 'datesNotHeeded' || reason === 'budgetSpent';
    const dates = hasPeriod(filters) && isAssumed('dates') && (isEmpty || isRefuted);
    const zone = hasPeriod(filters) && isLocal(this.dialect) && !this.knowsZone;
    return [
      ...(statuses.length > 1 && isAssumed('lists') ? (['listsUndecided'] as const) : []),
      ...(dates ? (['datesUndecided'] as const) : []),
      ...(zone ? (['zoneUnknown'] as const) : []),
    ];
  }

  /** Whether it is open how several values are written, and these were not the last to be tried. */
  isUntried(statuses: readonly string[]): boolean {
    if (statuses.length < 2 || this.sourceOf('lists') !== 'assumed') return false;
    const { evidence = [] } = this.facts.findings.lists ?? {};
    return !evidence.some(({ asked }) => sameValues(statusesIn(asked), statuses));
  }

  noteInformation(information: ToldInformation): void {
    this.keeper.update((facts) => ({ ...facts, information }));
  }

  /** Takes over what a detection found, and what it cost. */
  noteProbe(findings: Findings, probe: Facts['probe']): void {
    for (const [entry, finding] of Object.entries(findings))
      this.learn(entry as DialectEntry, finding);
    this.keeper.update((facts) => ({ ...facts, probe }));
  }

  /**
   * Keeps a finding. One that decides nothing takes the place of an earlier one that does only where
   * the exchange contradicts that.
   */
  learn<Entry extends DialectEntry>(entry: Entry, finding: Finding<Entry>): void {
    if (this.settings[entry] !== 'auto') return;
    const contradicts = ['datesNotHeeded', 'pageNotHeeded'].includes(finding.reason);
    const stays =
      this.sourceOf(entry) === 'seen' && finding.concluded === 'undecided' && !contradicts;
    if (stays) return;
    this.keeper.update((facts) => ({
      ...facts,
      findings: { ...facts.findings, [entry]: finding },
    }));
  }

  /** Drops a finding that the exchange contradicts. */
  forget(entry: DialectEntry): void {
    this.keeper.update((facts) => {
      const kept = Object.entries(facts.findings).filter(([name]) => name !== entry);
      return { ...facts, findings: Object.fromEntries(kept) };
    });
  }

  /** Learns what an ordinary page shows beside its rows: the order, and a cap of its size. */
  notePage(asked: PageAsked, page: SeenPage, observation: Observation, now: number): void {
    this.noteOrder(page, observation, now);
    const cap = this.caps.capSeen(asked, page, observation);
    if (!cap || cap.size === this.dialect.maxPageSize) return;
    const { size: concluded, evidence } = cap;
    this.learn('maxPageSize', { concluded, reason: 'smallerPages', evidence, seenAt: now });
  }

  private noteOrder({ rows }: SeenPage, observation: Observation, now: number): void {
    const { sort } = this.dialect;
    const order = orderOf(rows);
    const isNews =
      order && (this.sourceOf('sort') === 'assumed' || (sort !== 'none' && sort !== order));
    if (!isNews) return;
    const contradicts = this.sourceOf('sort') === 'seen' || order === 'none';
    this.learn('sort', {
      concluded: contradicts ? 'none' : order,
      reason: contradicts ? 'timesOutOfOrder' : 'timesInOrder',
      evidence: [observation],
      seenAt: now,
    });
  }

  private get namedZone(): TimeZone | undefined {
    const { timezone: name } = this;
    if (name === undefined) return undefined;
    if (this.latestZone?.name !== name) this.latestZone = { name, zone: zoneOf(name) };
    return this.latestZone.zone;
  }
}

function isLocal({ dates }: Dialect): boolean {
  return dates === 'isoLocal' || dates === 'isoDate';
}

function hasPeriod({ dateFrom, dateTo }: Filters): boolean {
  return (dateFrom ?? dateTo) !== undefined;
}

function sameValues(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted());
}

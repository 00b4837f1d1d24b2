import { isDeepStrictEqual } from 'node:util';
import { isAlways, type Interval } from '../../base/interval.ts';
import { TimeZone } from '../../base/timeZone.ts';
import type { UnprovenConvention } from './page.ts';
import { historyNames, type HistoryName } from '../../api/operations.ts';
import type { HistoryFilters } from './records.ts';
import {
  conventionNames,
  type ApiConventions,
  type ConventionName,
  type ConventionSettings,
} from './apiConventions.ts';
import {
  conventionOf,
  resolveConventions,
  learnedConventionsInMemory,
  type LearnedConventions,
  type LearnedConventionsStore,
  type Finding,
  type FindingName,
  type FindingReason,
  type Findings,
  type ObservedExchangeInfo,
  nothingProven,
  type ProvenAnswers,
} from './learnedConventions.ts';
import { parseZone } from './exchangeInfo.ts';
import { maxPeriodMs } from './requestLimits.ts';

/** Undecided, because answers contradict what was decided before. */
const contradictions: readonly FindingReason[] = ['dateFiltersIgnored', 'pageIgnored'];

/** More rows than most exchanges return: they cut a page at their own length. */
const defaultPageSize = 500;

/** The value of a convention and where it comes from. */
export type ResolvedConvention = {
  readonly name: ConventionName;
  readonly value: string | number | readonly number[] | null;
  readonly source: 'set' | 'learned' | 'assumed';
  /** The evidence, even if it decides nothing. */
  readonly finding: Finding | undefined;
};

/** The conventions of one exchange: what is set, what its answers have shown, what is assumed. */
export class ExchangeConventions {
  readonly settings: ConventionSettings;
  private readonly store: LearnedConventionsStore;
  private readonly utc = new TimeZone('UTC');
  private latestZone: { readonly name: string; readonly zone: TimeZone | undefined } | undefined;

  constructor(
    settings: ConventionSettings,
    store: LearnedConventionsStore = learnedConventionsInMemory(),
  ) {
    this.settings = settings;
    this.store = store;
  }

  /** Read it for each request: an answer may change it. What is learned of the page cap is in `maxPageSize`. */
  get current(): ApiConventions {
    return resolveConventions(this.settings, this.learned.findings);
  }

  get learned(): LearnedConventions {
    return this.store.read();
  }

  sourceOf(name: ConventionName): 'set' | 'learned' | 'assumed' {
    if (this.settings[name] !== 'auto') return 'set';
    return isDecided(this.findingOf(name)) ? 'learned' : 'assumed';
  }

  /** How many rows a page of a history holds at most; null if no cap is known. */
  maxPageSize(history: HistoryName): number | null {
    const { maxPageSize } = this.settings;
    if (maxPageSize !== 'auto') return maxPageSize;
    const { concluded } = this.learned.findings[`maxPageSize.${history}`] ?? {};
    return typeof concluded === 'number' ? concluded : null;
  }

  /** How many rows of a history to ask for at once. */
  pageSize(history: HistoryName): number {
    return this.maxPageSize(history) ?? defaultPageSize;
  }

  /** How long a period may be asked for at once; null if no bound is known. */
  get longestPeriodMs(): number | null {
    return maxPeriodMs(this.current);
  }

  /** Every convention with its source, for the connection report. */
  get resolved(): readonly ResolvedConvention[] {
    const values = { ...this.current, maxPageSize: this.pageSizes ?? this.current.maxPageSize };
    return conventionNames.map((name) => ({
      name,
      value: values[name],
      source: this.sourceOf(name),
      finding: this.settings[name] === 'auto' ? this.findingOf(name) : undefined,
    }));
  }

  /** Those that were learned, by history: `trades 100, lots 50`. */
  private get pageSizes(): string | undefined {
    if (this.settings.maxPageSize !== 'auto') return undefined;
    const sizes = historyNames.map((name) => [name, this.maxPageSize(name)] as const);
    const learned = sizes.filter(([, size]) => size !== null);
    return learned.length === 0 ? undefined : learned.map((each) => each.join(' ')).join(', ');
  }

  /** The time zone in exchange information; undefined until that was read. */
  get timezone(): string | undefined {
    return this.learned.information?.timezone ?? undefined;
  }

  /** Local dates are written in UTC if the zone is unknown. */
  get isZoneKnown(): boolean {
    return this.namedZone !== undefined;
  }

  get zone(): TimeZone {
    return this.namedZone ?? this.utc;
  }

  /** Whether exchange information must be read before a request, because it names the zone of its dates. */
  needsZone(period: Interval): boolean {
    return this.learned.information === null && !isAlways(period) && this.usesLocalDates;
  }

  /**
   * What is assumed about a request, so that rows may be missing. Assumed dates matter only if a
   * probe has not confirmed them although it tried, or if no row came.
   */
  unprovenConventions(period: Interval, isEmpty: boolean): readonly UnprovenConvention[] {
    const isAssumed = (name: ConventionName) => this.sourceOf(name) === 'assumed';
    const { reason } = this.learned.findings.dates ?? {};
    const wereNotConfirmed = reason === 'dateFiltersIgnored' || reason === 'budgetSpent';
    const dates = !isAlways(period) && isAssumed('dates') && (isEmpty || wereNotConfirmed);
    const zone = !isAlways(period) && this.usesLocalDates && !this.isZoneKnown;
    return [
      ...(dates ? (['datesUndecided'] as const) : []),
      ...(zone ? (['zoneUnknown'] as const) : []),
    ];
  }

  /**
   * The filters to apply here instead of sending them: those with several values, as long as the form of
   * lists is only assumed. An exchange that misreads the form would leave out rows.
   */
  filteredHere(filters: HistoryFilters): readonly string[] {
    return this.sourceOf('lists') === 'assumed' ? filtersWithSeveralValues(filters) : [];
  }

  recordExchangeInfo(information: ObservedExchangeInfo): void {
    this.store.update((learned) => ({ ...learned, information }));
  }

  get proven(): ProvenAnswers {
    return this.learned.proven ?? nothingProven;
  }

  /** What is proven stays, and is stored only if it is news. */
  recordProven(news: Partial<ProvenAnswers>): void {
    const before = this.proven;
    const { beforeEndMs = 0, afterStartMs = 0, areFiltersProven = false } = news;
    const proven: ProvenAnswers = {
      beforeEndMs: Math.max(before.beforeEndMs, beforeEndMs),
      afterStartMs: Math.max(before.afterStartMs, afterStartMs),
      areFiltersProven: before.areFiltersProven || areFiltersProven,
    };
    if (!isDeepStrictEqual(before, proven))
      this.store.update((learned) => ({ ...learned, proven }));
  }

  /** Records what a probe found, and what it cost. */
  recordProbe(findings: Findings, probe: LearnedConventions['probe']): void {
    for (const [name, finding] of Object.entries(findings))
      this.recordFinding(name as FindingName, finding);
    this.store.update((learned) => ({ ...learned, probe }));
  }

  /**
   * Records a finding. An undecided one replaces a decided one only if the exchange contradicts it.
   */
  recordFinding<Name extends FindingName>(name: Name, finding: Finding<Name>): void {
    const convention = conventionOf(name);
    if (this.settings[convention] !== 'auto') return;
    const contradicts = contradictions.includes(finding.reason);
    const stays =
      this.sourceOf(convention) === 'learned' && finding.concluded === 'undecided' && !contradicts;
    if (stays) return;
    this.store.update((learned) => ({
      ...learned,
      findings: { ...learned.findings, [name]: finding },
    }));
  }

  /** Of the page cap, one of those that decide it, with the evidence of every history. */
  private findingOf(name: ConventionName): Finding | undefined {
    const all = Object.entries(this.learned.findings) as [FindingName, Finding][];
    const found = all.flatMap(([key, finding]) => (conventionOf(key) === name ? finding : []));
    const finding = found.find(isDecided) ?? found[0];
    return finding && { ...finding, evidence: found.flatMap(({ evidence }) => evidence) };
  }

  private get usesLocalDates(): boolean {
    const { dates } = this.current;
    return dates === 'isoLocal' || dates === 'isoDate';
  }

  private get namedZone(): TimeZone | undefined {
    const { timezone: name } = this;
    if (name === undefined) return undefined;
    if (this.latestZone?.name !== name) this.latestZone = { name, zone: parseZone(name) };
    return this.latestZone.zone;
  }
}

function isDecided(finding: Finding | undefined): boolean {
  return (finding?.concluded ?? 'undecided') !== 'undecided';
}

export function filtersWithSeveralValues(filters: HistoryFilters): readonly string[] {
  const given = Object.entries<unknown>(filters);
  return given.flatMap(([name, value]) => (Array.isArray(value) && value.length > 1 ? [name] : []));
}

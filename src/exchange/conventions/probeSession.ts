import type { TimeZone } from '../../base/timeZone.ts';
import { ExchangeError } from '../exchangeError.ts';
import type { Decoded, Lot, Page } from '../records.ts';
import {
  defaultConventions,
  type ApiConventions,
  type ConventionName,
  type ConventionSettings,
} from './apiConventions.ts';
import type { Finding, Findings, Observation, FindingReason } from './learnedConventions.ts';
import { createObservation, summarizePage, observedRows, type PageSummary } from './pageSummary.ts';
import type { QueryPairs } from './queryWriter.ts';

type ProbeQuery = {
  readonly page: number;
  readonly size: number;
  readonly dateFrom?: number;
  readonly dateTo?: number;
};

/** Requests one page of the lot history, written as the conventions say. */
export type RequestLots = (
  query: ProbeQuery,
  conventions: ApiConventions,
) => Promise<{ readonly pairs: QueryPairs; readonly answer: Decoded<Page<Lot>> | ExchangeError }>;

export type ProbeOptions = {
  readonly requestLots: RequestLots;
  /** What is set by hand is taken as true and not probed. */
  readonly settings: ConventionSettings;
  readonly zone: TimeZone;
  readonly now: () => number;
};

/** The most requests that a probe sends. */
export const maxProbeRequests = 10;

/** Ends a probe: the history cannot be read, or the budget is spent. */
export class ProbeStopped extends Error {
  readonly reason: FindingReason;

  constructor(reason: FindingReason) {
    super(reason);
    this.reason = reason;
  }
}

/** Requests pages of the lot history within a budget, and collects findings with their evidence. */
export class ProbeSession {
  readonly settings: ConventionSettings;
  readonly zone: TimeZone;
  private readonly options: ProbeOptions;
  private evidence: Observation[] = [];
  private requestsSent = 0;
  private findingsSoFar: Findings = {};

  constructor(options: ProbeOptions) {
    this.options = options;
    this.settings = options.settings;
    this.zone = options.zone;
  }

  get findings(): Findings {
    return this.findingsSoFar;
  }

  get requestCount(): number {
    return this.requestsSent;
  }

  /** As it is set, or as far as it is found. */
  get firstPage(): 0 | 1 {
    const { firstPage } = this.settings;
    if (firstPage !== 'auto') return firstPage;
    const { concluded = 'undecided' } = this.findingsSoFar.firstPage ?? {};
    return concluded === 'undecided' ? defaultConventions.firstPage : concluded;
  }

  /** Earlier requests are not evidence for later findings. */
  clearEvidence(): void {
    this.evidence = [];
  }

  /**
   * Requests a page by the number that is sent; undefined for a refusal. Throws ProbeStopped if
   * the history cannot be read, or the budget is spent.
   */
  async requestPage(
    page: number,
    size: number,
    range: Pick<ProbeQuery, 'dateFrom' | 'dateTo'> = {},
    conventions: ApiConventions = defaultConventions,
  ): Promise<PageSummary | undefined> {
    if (this.requestsSent >= maxProbeRequests) throw new ProbeStopped('budgetSpent');
    this.requestsSent += 1;
    const query = { page, size, ...range };
    const { pairs, answer } = await this.options.requestLots(query, {
      ...conventions,
      firstPage: 0,
    });
    if (answer instanceof ExchangeError) {
      const { kind, sent, status = null } = answer.failure;
      if (sent === 'no') this.requestsSent -= 1;
      if (kind === 'rateLimited') throw new ProbeStopped(kind);
      if (kind !== 'refused') throw new ProbeStopped('unreadable');
      this.evidence.push(createObservation('lots', pairs, { kind, status }));
      return undefined;
    }
    const summary = summarizePage(answer);
    this.evidence.push(createObservation('lots', pairs, observedRows(summary)));
    return summary;
  }

  isDecided(name: ConventionName): boolean {
    if (this.settings[name] !== 'auto') return true;
    return (this.findingsSoFar[name]?.concluded ?? 'undecided') !== 'undecided';
  }

  conclude<Name extends ConventionName>(
    name: Name,
    concluded: ApiConventions[Name] | 'undecided',
    reason: FindingReason,
  ): void {
    if (this.settings[name] !== 'auto') return;
    const evidence = [...this.evidence];
    const finding: Finding<Name> = { concluded, reason, evidence, seenAt: this.options.now() };
    this.findingsSoFar = { ...this.findingsSoFar, [name]: finding };
  }

  /** Records why these are not decided; those that are decided stay. */
  markUndecided(reason: FindingReason, ...names: readonly ConventionName[]): void {
    for (const name of names) if (!this.isDecided(name)) this.conclude(name, 'undecided', reason);
  }
}

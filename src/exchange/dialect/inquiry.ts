import type { TimeZone } from '../../base/timeZone.ts';
import { ExchangeError } from '../errors.ts';
import { operations } from '../operations.ts';
import type { Decoded, Lot, Page } from '../records.ts';
import { defaultDialect, type Dialect, type DialectSettings, type QueryPairs } from './dialect.ts';
import type { Finding, Findings, Observation, Reason } from './facts.ts';
import { observed, seenPage, seenRows, type SeenPage } from './seenPage.ts';

type LotsAsked = {
  readonly page: number;
  readonly size: number;
  readonly dateFrom?: number;
  readonly dateTo?: number;
};

/** Asks one page of the lot history, its number and its dates written as the dialect says. */
export type AskLots = (
  query: LotsAsked,
  dialect: Dialect,
) => Promise<{ readonly pairs: QueryPairs; readonly answer: Decoded<Page<Lot>> | ExchangeError }>;

export type InquiryOptions = {
  readonly ask: AskLots;
  /** What is set by hand is taken as true, and not asked for. */
  readonly settings: DialectSettings;
  readonly zone: TimeZone;
  readonly now: () => number;
};

const mostRequests = 7;
/** What a detection takes of the limit at most. */
export const mostProbeWeight = mostRequests * operations.lots.weight;

/** Ends a detection: the history cannot be read, or the budget is spent. */
export class InquiryEnd extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reason);
    this.reason = reason;
  }
}

/** Asks the lot history within a budget, and keeps what was seen and what follows from it. */
export class Inquiry {
  private readonly options: InquiryOptions;
  /** What was asked and seen since the present question was raised. */
  private observations: Observation[] = [];
  private sent = 0;
  private found: Findings = {};

  constructor(options: InquiryOptions) {
    this.options = options;
  }

  get settings(): DialectSettings {
    return this.options.settings;
  }

  get zone(): TimeZone {
    return this.options.zone;
  }

  get findings(): Findings {
    return this.found;
  }

  /** How many requests were sent. */
  get requests(): number {
    return this.sent;
  }

  get hasBudget(): boolean {
    return this.sent < mostRequests;
  }

  /** The first page's number, as it is set or as far as it is found. */
  get firstPage(): 0 | 1 {
    const { firstPage } = this.settings;
    if (firstPage !== 'auto') return firstPage;
    const { concluded = 'undecided' } = this.found.firstPage ?? {};
    return concluded === 'undecided' ? defaultDialect.firstPage : concluded;
  }

  /** What is asked from here on is about something else. */
  raise(): void {
    this.observations = [];
  }

  /**
   * Asks for a page by its number on the wire; undefined for a refusal. Throws InquiryEnd where the
   * history cannot be read, or not within the budget.
   */
  async ask(
    page: number,
    size: number,
    dates: Pick<LotsAsked, 'dateFrom' | 'dateTo'> = {},
    dialect: Dialect = defaultDialect,
  ): Promise<SeenPage | undefined> {
    if (!this.hasBudget) throw new InquiryEnd('budgetSpent');
    this.sent += 1;
    const asOnTheWire = { ...dialect, firstPage: 0 } as const;
    const { pairs, answer } = await this.options.ask({ page, size, ...dates }, asOnTheWire);
    if (answer instanceof ExchangeError) {
      const { kind, sent, status = null } = answer.failure;
      if (sent === 'no') this.sent -= 1;
      if (kind === 'rateLimited') throw new InquiryEnd(kind);
      if (kind !== 'refused') throw new InquiryEnd('unreadable');
      this.observations.push(observed('lots', pairs, { kind, status }));
      return undefined;
    }
    const seen = seenPage(answer);
    this.observations.push(observed('lots', pairs, seenRows(seen)));
    return seen;
  }

  isDecided(entry: keyof Findings): boolean {
    if (this.settings[entry] !== 'auto') return true;
    return (this.found[entry]?.concluded ?? 'undecided') !== 'undecided';
  }

  conclude<Entry extends keyof Findings>(
    entry: Entry,
    concluded: Dialect[Entry] | 'undecided',
    reason: Reason,
  ): void {
    if (this.settings[entry] !== 'auto') return;
    const evidence = [...this.observations];
    const finding: Finding<Entry> = { concluded, reason, evidence, seenAt: this.options.now() };
    this.found = { ...this.found, [entry]: finding };
  }

  /** Says why these are not decided, unless they are. */
  leaveOpen(reason: Reason, ...entries: readonly (keyof Findings)[]): void {
    for (const entry of entries)
      if (!this.isDecided(entry)) this.conclude(entry, 'undecided', reason);
  }
}

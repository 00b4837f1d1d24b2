import { ExchangeError } from '../errors.ts';
import type { Decoded, Lot, Page } from '../records.ts';
import { stepOf } from './dates.ts';
import { defaultDialect, type Dialect, type DialectSettings, type QueryPairs } from './dialect.ts';
import type { Finding, Findings, Observation, Reason } from './facts.ts';
import {
  orderOf,
  pageBegins,
  rangeSeen,
  sameRows,
  sizeSeen,
  trialRange,
  type RangeSeen,
  type TrialRange,
} from './judge.ts';
import { observed, seenPage, seenRows, type SeenPage, type SeenRow } from './seenPage.ts';
import type { Zone } from './zone.ts';

/** Asks one page of the lot history, its number and its dates written as the dialect says. */
export type AskLots = (
  query: LotsAsked,
  dialect: Dialect,
) => Promise<{ readonly pairs: QueryPairs; readonly answer: Decoded<Page<Lot>> | ExchangeError }>;

type LotsAsked = {
  readonly page: number;
  readonly size: number;
  readonly dateFrom?: number;
  readonly dateTo?: number;
};

export type ProbeOptions = {
  readonly ask: AskLots;
  /** What is set by hand is taken as true, and not asked for. */
  readonly settings: DialectSettings;
  readonly zone: Zone;
  readonly now: () => number;
};

export type ProbeResult = {
  readonly findings: Findings;
  /** How many requests of the lot history were sent. */
  readonly requests: number;
};

/** Requests of weight 10: 70 in all. */
const mostRequests = 7;
const sizes = [500, 100] as const;
const forms = ['epochMs', 'isoInstant', 'isoLocal', 'isoDate', 'epochS'] as const;

type Seen = { readonly page: SeenPage | undefined; readonly observation: Observation };
type Known = {
  readonly rows: readonly SeenRow[];
  readonly size: number;
  readonly page: number;
  readonly seen: SeenPage;
};

/** Thrown within a probe to end it: the history cannot be read, or the budget is spent. */
class ProbeEnd extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Finds out on the lot history how an exchange reads pages and dates, how it sorts and how large a
 * page may be (sections 4.3 and 4.10), with at most 7 requests. Undecided stays what the rows do not
 * prove. Rejects with the abort's reason only.
 */
export async function probeDialect(options: ProbeOptions): Promise<ProbeResult> {
  const probe = new Probe(options);
  await probe.run();
  return { findings: probe.findings, requests: probe.requests };
}

class Probe {
  private readonly options: ProbeOptions;
  /** What was asked and seen since the last question was settled. */
  private observations: Observation[] = [];
  private firstPage: 0 | 1;
  findings: Findings = {};
  requests = 0;

  constructor(options: ProbeOptions) {
    this.options = options;
    const { firstPage } = options.settings;
    this.firstPage = firstPage === 'auto' ? defaultDialect.firstPage : firstPage;
  }

  async run(): Promise<void> {
    const { settings } = this.options;
    const { firstPage, dates, dateTo, sort, maxPageSize } = settings;
    if (![firstPage, dates, dateTo, sort, maxPageSize].includes('auto')) return;
    try {
      const known = await this.beginning();
      if (!known) this.leaveOpen('noRows');
      else await this.learnFrom(known);
    } catch (error) {
      if (!(error instanceof ProbeEnd)) throw error;
      this.leaveOpen(error.reason);
    }
  }

  private async learnFrom(known: Known): Promise<void> {
    const order = orderOf(known.rows);
    if (order) this.conclude('sort', order, order === 'none' ? 'timesOutOfOrder' : 'timesInOrder');
    else this.leaveOpen('tooFewTimes', ['sort']);
    this.learnSize(known);
    if (!this.isDecided('firstPage')) await this.learnFirstPage(known);
    await this.learnDates(known);
    await this.confirmSize(known);
  }

  /** Pages from what may be the first on, in smaller sizes where larger ones are refused, until there are rows. */
  private async beginning(): Promise<Known | undefined> {
    const pages = this.options.settings.firstPage === 'auto' ? [0, 1] : [this.firstPage];
    const refused: Observation[] = [];
    for (const size of sizes)
      for (const page of pages) {
        const { page: seen, observation } = await this.ask(page, size);
        if (!seen) refused.push(observation);
        else if (seen.rows.length > 0) {
          this.learnFromBeginning(page, size, refused);
          return { rows: seen.rows, size, page, seen };
        } else if (page === pages.at(-1)) return undefined;
      }
    throw new ProbeEnd('unreadable');
  }

  /** Page 1 with rows where page 0 of the same size had none; a size that goes where a larger did not. */
  private learnFromBeginning(page: number, size: number, refused: readonly Observation[]): void {
    if (page === 1 && this.options.settings.firstPage === 'auto') {
      this.firstPage = 1;
      const wasRefused = refused.some(({ asked }) => isAsked(asked, 0, size));
      this.conclude('firstPage', 1, wasRefused ? 'zeroRefused' : 'zeroEmpty');
    }
    const largerRefused = sizes.some(
      (larger) => larger > size && refused.some(({ asked }) => isAsked(asked, page, larger)),
    );
    if (largerRefused) this.conclude('maxPageSize', size, 'largePagesRefused');
  }

  private learnSize({ size, seen }: Known): void {
    if (this.isDecided('maxPageSize')) return;
    const told = sizeSeen(size, seen);
    if (told?.kind === 'cap') this.conclude('maxPageSize', told.size, 'smallerPages');
    else if (told?.kind === 'whole') this.conclude('maxPageSize', null, 'wholePage');
    else this.leaveOpen('sizeDoesNotTell', ['maxPageSize']);
  }

  /** Fewer rows than asked, and perhaps more behind them: the next page of that size tells. */
  private async confirmSize({ rows, size, seen }: Known): Promise<void> {
    const told = sizeSeen(size, seen);
    const isOpen = this.findings.maxPageSize?.concluded === 'undecided';
    if (!isOpen || told?.kind !== 'perhaps' || !this.isDecided('firstPage')) return;
    if (this.requests >= mostRequests) return;
    this.observations = [];
    const { page } = await this.ask(this.firstPage + 1, told.size);
    const isNext = page?.rows.some(({ id }) => rows.every((row) => row.id !== id));
    if (isNext) this.conclude('maxPageSize', told.size, 'smallerPages');
  }

  /** Smaller pages of rows that are known show where page 2 begins; else whole pages are compared. */
  private async learnFirstPage(known: Known): Promise<void> {
    const third = Math.floor(known.rows.length / 3);
    const begins = third > 0 ? await this.beginOfPageTwo(known.rows, third) : undefined;
    if (begins === 2) this.conclude('firstPage', 0, 'pagesFollow');
    else if (begins === 1) this.concludeOne('zeroIsFirstAgain');
    else if (begins === 0) this.leaveOpen('pageNotHeeded', ['firstPage']);
    else await this.compareWholePages(known);
  }

  private async beginOfPageTwo(rows: readonly SeenRow[], size: number) {
    const { page } = await this.ask(2, size);
    return page && page.rows.length > 0 ? pageBegins(rows, size, page.rows) : undefined;
  }

  private async compareWholePages({ rows, size, seen }: Known): Promise<void> {
    const { page: next } = await this.ask(1, size);
    if (!next || next.rows.length === 0) return this.judgeByTotal(seen, size);
    if (!sameRows(rows, next.rows)) return this.conclude('firstPage', 0, 'pagesFollow');
    const { page: afterNext } = await this.ask(2, size);
    if (afterNext && sameRows(rows, afterNext.rows))
      return this.leaveOpen('pageNotHeeded', ['firstPage']);
    this.concludeOne('zeroIsFirstAgain');
  }

  /** Page 0 had rows and page 1 none. Where there should be more pages, the last one tells. */
  private async judgeByTotal({ totalPages = 1 }: SeenPage, size: number): Promise<void> {
    if (totalPages <= 1) return this.conclude('firstPage', 0, 'pagesFollow');
    const { page } = await this.ask(totalPages, size);
    if (page && page.rows.length > 0) this.concludeOne('pagesFollow');
    else this.conclude('firstPage', 0, 'pagesFollow');
  }

  private concludeOne(reason: Reason): void {
    this.firstPage = 1;
    this.conclude('firstPage', 1, reason);
  }

  private async learnDates(known: Known): Promise<void> {
    const { dates, dateTo } = this.options.settings;
    if (dates !== 'auto' && dateTo !== 'auto') return;
    this.observations = [];
    let tried = 0;
    for (const form of dates === 'auto' ? forms : [dates]) {
      const range = trialRange(known.rows, (time) => stepOf(time, form, this.options.zone));
      if (!range) continue;
      tried += 1;
      const end = await this.tryForm(form, range, known);
      if (!end) continue;
      this.conclude('dates', form, 'datesHeeded');
      return this.concludeEnd(end);
    }
    this.leaveOpen(tried === 0 ? 'tooFewTimes' : 'datesNotHeeded', ['dates', 'dateTo']);
  }

  private concludeEnd(end: RangeSeen): void {
    if (end === 'endIn') this.conclude('dateTo', 'inclusive', end);
    else if (end === 'endOut') this.conclude('dateTo', 'exclusive', end);
    else this.leaveOpen(end, ['dateTo']);
  }

  /**
   * A form of ISO 8601 that is read in another zone shifts the range: then the rows at its end are
   * missing too. They are there in a range that ends later, if nothing is shifted.
   */
  private async tryForm(
    form: Dialect['dates'],
    range: TrialRange,
    known: Known,
  ): Promise<RangeSeen | undefined> {
    const { first, last } = range;
    const seen = await this.askRange(form, first.from, last?.from ?? first.to, known);
    const end = seen && rangeSeen(known.rows, range, seen, known.size);
    if (end !== 'endOut' || !last) return end;
    if (form === 'epochS') return 'endNotSeen';
    if (form === 'epochMs') return end;
    const longer = { first, last: { from: last.from, to: last.to + (last.to - last.from) } };
    const again = await this.askRange(form, first.from, last.to, known);
    const isThere = again && rangeSeen(known.rows, longer, again, known.size) === 'endIn';
    return isThere ? end : undefined;
  }

  /** With `exclusive` the moment `to` itself is what is written. */
  private async askRange(form: Dialect['dates'], dateFrom: number, dateTo: number, known: Known) {
    const dialect = { ...defaultDialect, dates: form, dateTo: 'exclusive' } as const;
    const page = this.isDecided('firstPage') ? this.firstPage : known.page;
    return (await this.ask(page, known.size, { dateFrom, dateTo }, dialect)).page;
  }

  private async ask(
    page: number,
    size: number,
    dates: { readonly dateFrom?: number; readonly dateTo?: number } = {},
    dialect: Dialect = defaultDialect,
  ): Promise<Seen> {
    if (this.requests >= mostRequests) throw new ProbeEnd('budgetSpent');
    this.requests += 1;
    const asInWire = { ...dialect, firstPage: 0 } as const;
    const { pairs, answer } = await this.options.ask({ page, size, ...dates }, asInWire);
    if (answer instanceof ExchangeError) {
      const { kind, status = null } = answer.failure;
      if (kind !== 'refused') throw new ProbeEnd('unreadable');
      return this.note(observed('lots', pairs, { kind: 'refused', status }), undefined);
    }
    const seen = seenPage('lots', answer);
    return this.note(observed('lots', pairs, seenRows(seen)), seen);
  }

  private note(observation: Observation, page: SeenPage | undefined): Seen {
    this.observations.push(observation);
    return { page, observation };
  }

  private isDecided(entry: keyof Findings): boolean {
    if (this.options.settings[entry] !== 'auto') return true;
    return (this.findings[entry]?.concluded ?? 'undecided') !== 'undecided';
  }

  private conclude<Entry extends keyof Findings>(
    entry: Entry,
    concluded: Dialect[Entry] | 'undecided',
    reason: Reason,
  ): void {
    if (this.options.settings[entry] !== 'auto') return;
    const evidence = [...this.observations];
    const finding: Finding<Entry> = { concluded, reason, evidence, seenAt: this.options.now() };
    this.findings = { ...this.findings, [entry]: finding };
  }

  /** Says of what is not decided why. */
  private leaveOpen(reason: Reason, entries: readonly (keyof Findings)[] = probed): void {
    for (const entry of entries)
      if (!this.isDecided(entry)) this.conclude(entry, 'undecided', reason);
  }
}

const probed = ['firstPage', 'dates', 'dateTo', 'sort', 'maxPageSize'] as const;

function isAsked(asked: Observation['asked'], page: number, size: number): boolean {
  const query = new Map(asked);
  return query.get('page') === String(page) && query.get('size') === String(size);
}

import { always, contains, lengthOf, type Interval } from '../../base/interval.ts';
import type { TimeZone } from '../../base/timeZone.ts';
import { ExchangeError } from '../exchangeError.ts';
import { orderOf, type HistoryPage, type Row } from './page.ts';
import {
  defaultConventions,
  type ApiConventions,
  type ConventionSettings,
} from './apiConventions.ts';
import { unitContaining } from './dates.ts';
import { pageCap, type PageAnswer } from './judgePage.ts';
import {
  conventionOf,
  type Finding,
  type FindingName,
  type FindingReason,
  type Findings,
  type Observation,
} from './learnedConventions.ts';
import { pageSizesToTry } from './requestLimits.ts';

type ProbeOptions = {
  /** Requests one page of the lot history, written as the conventions say. Rejects if it is not answered. */
  readonly ask: (
    query: { readonly page: number; readonly size: number; readonly period: Interval },
    conventions: ApiConventions,
  ) => Promise<PageAnswer>;
  /** What is set by hand is taken as true and not probed. */
  readonly settings: ConventionSettings;
  readonly zone: TimeZone;
  readonly now: () => number;
};

type ProbeResult = {
  readonly findings: Findings;
  /** How many requests of the lot history were sent. */
  readonly requestCount: number;
};

/** The most requests that a probe sends. */
export const maxProbeRequests = 10;

const probedConventions = ['firstPage', 'dates', 'sort', 'maxPageSize.lots'] as const;

/**
 * Detects on the lot history how an exchange counts pages, reads dates and sorts (sections 4.3 and
 * 4.10), with at most 10 requests. What the rows do not prove stays undecided. Rejects with the signal's reason.
 */
export async function probeConventions(options: ProbeOptions): Promise<ProbeResult> {
  const probe = new Probe(options);
  try {
    if (probedConventions.some((name) => !probe.isDecided(name))) await probe.run();
  } catch (error) {
    if (!(error instanceof ProbeStopped)) throw error;
    probe.markUndecided(error.reason, ...probedConventions);
  }
  return probe;
}

/** The history cannot be read, or the budget is spent. */
class ProbeStopped extends Error {
  readonly reason: FindingReason;

  constructor(reason: FindingReason) {
    super(reason);
    this.reason = reason;
  }
}

/** The first page of the history that had rows, and how it was requested. */
type FirstRows = {
  readonly found: HistoryPage;
  /** As it was sent. */
  readonly page: number;
  readonly size: number;
};

const sizesToTry = [500, ...pageSizesToTry] as const;

/** A row that comes or leaves between two requests changes less than half of such a page. */
const minRowsToCompare = 5;

/** Seconds last: few exchanges use them. */
const dateFormatsToTry = ['epochMs', 'isoInstant', 'isoLocal', 'isoDate', 'epochS'] as const;

/** How many rows of one unit are rarely the whole history. */
const minRowsBeside = 20;

/** Requests pages of the lot history within a budget, and collects findings with their evidence. */
class Probe implements ProbeResult {
  findings: Findings = {};
  requestCount = 0;
  private readonly options: ProbeOptions;
  private evidence: Observation[] = [];

  constructor(options: ProbeOptions) {
    this.options = options;
  }

  async run(): Promise<void> {
    const first = await this.readFirstRows();
    if (!first) {
      this.markUndecided('noRows', ...probedConventions);
      return;
    }
    const order = orderOf(first.found.rows);
    if (order === undefined) this.markUndecided('tooFewTimes', 'sort');
    else this.conclude('sort', order, order === 'none' ? 'timesOutOfOrder' : 'timesInOrder');
    this.concludePageSize(first);
    await this.probePageBase(first);
    await this.probeDateFormat(first);
  }

  isDecided(name: FindingName): boolean {
    if (this.options.settings[conventionOf(name)] !== 'auto') return true;
    return (this.findings[name]?.concluded ?? 'undecided') !== 'undecided';
  }

  /** Records why these are not decided; those that are decided stay. */
  markUndecided(reason: FindingReason, ...names: readonly FindingName[]): void {
    for (const name of names) if (!this.isDecided(name)) this.conclude(name, 'undecided', reason);
  }

  private conclude<Name extends FindingName>(
    name: Name,
    concluded: Finding<Name>['concluded'],
    reason: FindingReason,
  ): void {
    if (this.options.settings[conventionOf(name)] !== 'auto') return;
    const evidence = [...this.evidence];
    const finding = { concluded, reason, evidence, seenAt: this.options.now() };
    this.findings = { ...this.findings, [name]: finding };
  }

  /** As it is set, or as far as it is found. */
  private get firstPage(): 0 | 1 {
    const { firstPage } = this.options.settings;
    if (firstPage !== 'auto') return firstPage;
    const { concluded = 'undecided' } = this.findings.firstPage ?? {};
    return concluded === 'undecided' ? defaultConventions.firstPage : concluded;
  }

  /** Requests a page by the number that is sent; undefined for a refusal. Throws ProbeStopped. */
  private async requestPage(
    page: number,
    size: number,
    period = always,
    conventions: ApiConventions = defaultConventions,
  ): Promise<HistoryPage | undefined> {
    if (this.requestCount >= maxProbeRequests) throw new ProbeStopped('budgetSpent');
    this.requestCount += 1;
    const { answer, observation } = await this.options
      .ask({ page, size, period }, { ...conventions, firstPage: 0 })
      .catch((error: unknown) => this.stop(error));
    this.evidence.push(observation);
    return answer instanceof ExchangeError ? undefined : answer;
  }

  private stop(error: unknown): never {
    if (!(error instanceof ExchangeError)) throw error;
    const { kind, sent } = error.failure;
    if (sent === 'no') this.requestCount -= 1;
    throw new ProbeStopped(kind === 'rateLimited' ? kind : 'unreadable');
  }

  /**
   * Reads the first page, in a smaller size if the larger one is refused; undefined for an empty
   * history. If page 0 has no rows and page 1 has some, page 1 is the first.
   */
  private async readFirstRows(): Promise<FirstRows | undefined> {
    const isOpen = this.options.settings.firstPage === 'auto';
    for (const size of sizesToTry) {
      let [wasRefused, wasEmpty] = [false, false];
      for (const page of isOpen ? [0, 1] : [this.firstPage]) {
        const found = await this.requestPage(page, size);
        wasRefused ||= !found;
        wasEmpty ||= found?.rows.length === 0;
        if (!found || found.rows.length === 0) continue;
        if (page === 1) this.conclude('firstPage', 1, wasRefused ? 'zeroRefused' : 'zeroEmpty');
        if (size !== sizesToTry[0]) this.conclude('maxPageSize.lots', size, 'largePagesRefused');
        return { found, page, size };
      }
      if (wasEmpty) return undefined;
    }
    throw new ProbeStopped('unreadable');
  }

  private concludePageSize({ size, found }: FirstRows): void {
    if (this.isDecided('maxPageSize.lots')) return;
    const cap = pageCap(size, found);
    if (cap === undefined) this.markUndecided('sizeDoesNotTell', 'maxPageSize.lots');
    else if (cap === 'none') this.conclude('maxPageSize.lots', null, 'wholePage');
    else this.conclude('maxPageSize.lots', cap, 'smallerPages');
  }

  /** Finds page 2 among the known rows, in pages of a third of them; with few rows, compares whole pages. */
  private async probePageBase(first: FirstRows): Promise<void> {
    if (this.isDecided('firstPage')) return;
    const { rows } = first.found;
    const third = Math.floor(rows.length / 3);
    const pageTwo = third >= minRowsToCompare ? await this.requestPage(2, third) : undefined;
    const number = pageTwo && findPageNumber(rows, third, pageTwo.rows);
    if (number === 2) this.conclude('firstPage', 0, 'pagesFollow');
    else if (number === 1) this.conclude('firstPage', 1, 'zeroIsFirstAgain');
    else if (number === 0) this.markUndecided('pageIgnored', 'firstPage');
    else await this.compareWholePages(first);
  }

  /** Page 1 repeats page 0 if pages are counted from 1, unless every page number gives the same rows. */
  private async compareWholePages({ found: { rows }, size }: FirstRows): Promise<void> {
    const pageOne = await this.requestPage(1, size);
    if (!pageOne || pageOne.rows.length === 0) {
      this.conclude('firstPage', 0, pageOne ? 'oneEmpty' : 'oneRefused');
      return;
    }
    const isRepeated = isRepeatedPage(rows, pageOne.rows);
    if (isRepeated === undefined) this.markUndecided('tooFewTimes', 'firstPage');
    if (isRepeated === false) this.conclude('firstPage', 0, 'pagesFollow');
    if (!isRepeated) return;
    const pageTwo = await this.requestPage(2, size);
    if (pageTwo && isRepeatedPage(rows, pageTwo.rows))
      this.markUndecided('pageIgnored', 'firstPage');
    else this.conclude('firstPage', 1, 'zeroIsFirstAgain');
  }

  /** Requests a period around known rows in one date format after the other, until the rows prove one. */
  private async probeDateFormat(first: FirstRows): Promise<void> {
    if (this.isDecided('dates')) return;
    // Earlier requests are not evidence for the dates.
    this.evidence = [];
    let wasTried = false;
    for (const dates of dateFormatsToTry) {
      const unitOf = (time: number) => unitContaining(time, dates, this.options.zone);
      const { rows, sent } = first.found;
      // A full page may lie within one day: the days beside it have rows, too.
      const isFull = sent >= minRowsBeside;
      const period =
        choosePeriodToProbe(rows, unitOf) ??
        (isFull ? choosePeriodBeside(rows, unitOf) : undefined);
      if (!period) continue;
      wasTried = true;
      if (!(await this.isUnderstood(dates, period, first))) continue;
      this.conclude('dates', dates, 'dateFiltersApplied');
      return;
    }
    this.markUndecided(wasTried ? 'dateFiltersIgnored' : 'tooFewTimes', 'dates');
  }

  private async isUnderstood(
    dates: ApiConventions['dates'],
    period: Interval,
    { found: known, size, page }: FirstRows,
  ): Promise<boolean> {
    const { settings } = this.options;
    const dateTo = settings.dateTo === 'auto' ? defaultConventions.dateTo : settings.dateTo;
    const conventions = { ...defaultConventions, dates, dateTo };
    const firstPage = this.isDecided('firstPage') ? this.firstPage : page;
    const answer = await this.requestPage(firstPage, size, period, conventions);
    return !!answer && isPeriodRespected(known.rows, answer, size);
  }
}

type KnownRow = Pick<Row<unknown>, 'id' | 'time'>;

/** The number of a page among rows that are known from the first on, in pages of this size. */
export function findPageNumber(
  known: readonly KnownRow[],
  size: number,
  rows: readonly KnownRow[],
): number | undefined {
  const pages = rows.flatMap(({ id }) => {
    const index = known.findIndex((row) => row.id === id);
    return index < 0 ? [] : [Math.floor(index / size)];
  });
  const counts = new Map<number, number>();
  for (const page of pages) counts.set(page, (counts.get(page) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most && most[1] * 2 > rows.length && rows.length <= size ? most[0] : undefined;
}

/**
 * Whether a page repeats an earlier one, apart from rows that came or left in between; undefined
 * if exactly half of the rows were repeated.
 */
export function isRepeatedPage(
  earlier: readonly KnownRow[],
  later: readonly KnownRow[],
): boolean | undefined {
  const ids = new Set(later.map(({ id }) => id));
  const repeated = earlier.filter(({ id }) => ids.has(id)).length;
  return repeated * 2 === earlier.length ? undefined : repeated * 2 > earlier.length;
}

type UnitOf = (epochMs: number) => Interval;

/**
 * The shortest period that begins and ends with known rows, and has known rows outside of it;
 * undefined if all known rows share one unit.
 */
export function choosePeriodToProbe(
  known: readonly KnownRow[],
  unitOf: UnitOf,
): Interval | undefined {
  const units = unitsIn(known, unitOf);
  if (units.length < 3) return units[1];
  const inner = units.length === 3 ? units.slice(1) : units.slice(1, -1);
  const periods = inner.slice(1).map(({ to }, index) => ({ from: inner[index]?.from ?? to, to }));
  return periods.sort((one, other) => lengthOf(one) - lengthOf(other))[0];
}

/**
 * A period beside all known rows, on the side where the next page would be; far enough that none of
 * them lies in it, even if the exchange includes the unit at its end.
 */
function choosePeriodBeside(known: readonly KnownRow[], unitOf: UnitOf): Interval | undefined {
  const units = unitsIn(known, unitOf);
  const [oldest, newest] = [units[0], units.at(-1)];
  if (!oldest || !newest) return undefined;
  if (orderOf(known) === 'oldestFirst') return unitOf(newest.to);
  return unitOf(unitOf(oldest.from - 1).from - 1);
}

function unitsIn(known: readonly KnownRow[], unitOf: UnitOf): readonly Interval[] {
  const times = known.map(({ time }) => time).filter((time) => !Number.isNaN(time));
  const units: Interval[] = [];
  for (const time of times.sort((a, b) => a - b))
    if (time >= (units.at(-1)?.to ?? -Infinity)) units.push(unitOf(time));
  return units;
}

/**
 * Whether a page proves that the exchange understood its question: it has rows, none lies outside what the
 * written dates can mean, and no row that is known inside is missing. A page that was cut at its size may lack
 * known rows.
 */
export function isPeriodRespected(
  known: readonly KnownRow[],
  { question, rows, sent, ignoredFilters }: HistoryPage<unknown>,
  size: number,
): boolean {
  const returned = new Set(rows.map(({ id }) => id));
  if (rows.length === 0 || ignoredFilters.length > 0) return false;
  const isMissing = ({ id, time }: KnownRow): boolean =>
    contains(question, time) && !returned.has(id);
  return sent >= size || !known.some(isMissing);
}

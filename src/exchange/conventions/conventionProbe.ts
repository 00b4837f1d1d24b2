import type { Interval } from '../../base/interval.ts';
import { defaultConventions, type ApiConventions } from './apiConventions.ts';
import { encodePeriod, unitContaining } from './dateFormats.ts';
import type { Findings } from './learnedConventions.ts';
import { pageSizesToTry } from './pageSizeLimit.ts';
import {
  detectSortOrder,
  findPageNumber,
  isPeriodRespected,
  isRepeatedPage,
  pageSizeEvidence,
  choosePeriodBeside,
  choosePeriodToProbe,
  type PageSummary,
} from './pageSummary.ts';
import { ProbeSession, ProbeStopped, type ProbeOptions } from './probeSession.ts';

type ProbeResult = {
  readonly findings: Findings;
  /** How many requests of the lot history were sent. */
  readonly requestCount: number;
};

const probedConventions = ['firstPage', 'dates', 'sort', 'maxPageSize'] as const;

/**
 * Detects on the lot history how an exchange counts pages, reads dates and sorts (sections 4.3 and
 * 4.10), with at most 10 requests. What the rows do not prove stays undecided. Rejects with what
 * `requestLots` throws.
 */
export async function probeConventions(options: ProbeOptions): Promise<ProbeResult> {
  const session = new ProbeSession(options);
  try {
    if (probedConventions.some((name) => !session.isDecided(name))) await runProbe(session);
  } catch (error) {
    if (!(error instanceof ProbeStopped)) throw error;
    session.markUndecided(error.reason, ...probedConventions);
  }
  return { findings: session.findings, requestCount: session.requestCount };
}

async function runProbe(session: ProbeSession): Promise<void> {
  const first = await readFirstRows(session);
  if (!first) {
    session.markUndecided('noRows', ...probedConventions);
    return;
  }
  concludeSortOrder(session, first);
  concludePageSize(session, first);
  await probePageBase(session, first);
  await probeDateFormat(session, first);
}

function concludeSortOrder(session: ProbeSession, { summary }: FirstRows): void {
  const order = detectSortOrder(summary.rows);
  if (order === undefined) session.markUndecided('tooFewTimes', 'sort');
  else session.conclude('sort', order, order === 'none' ? 'timesOutOfOrder' : 'timesInOrder');
}

/** The first page of the history that had rows, and how it was requested. */
type FirstRows = {
  readonly summary: PageSummary;
  /** As it was sent. */
  readonly page: number;
  readonly size: number;
};

const sizesToTry = [500, ...pageSizesToTry] as const;

/**
 * Reads the first page, in a smaller size if the larger one is refused; undefined for an empty
 * history. If page 0 has no rows and page 1 has some, page 1 is the first.
 */
async function readFirstRows(session: ProbeSession): Promise<FirstRows | undefined> {
  const isOpen = session.settings.firstPage === 'auto';
  for (const size of sizesToTry) {
    let [wasRefused, wasEmpty] = [false, false];
    for (const page of isOpen ? [0, 1] : [session.firstPage]) {
      const summary = await session.requestPage(page, size);
      wasRefused ||= !summary;
      wasEmpty ||= summary?.rows.length === 0;
      if (!summary || summary.rows.length === 0) continue;
      if (page === 1) session.conclude('firstPage', 1, wasRefused ? 'zeroRefused' : 'zeroEmpty');
      if (size !== sizesToTry[0]) session.conclude('maxPageSize', size, 'largePagesRefused');
      return { summary, page, size };
    }
    if (wasEmpty) return undefined;
  }
  throw new ProbeStopped('unreadable');
}

function concludePageSize(session: ProbeSession, { size, summary }: FirstRows): void {
  if (session.isDecided('maxPageSize')) return;
  const evidence = pageSizeEvidence(size, summary);
  if (evidence?.kind === 'cap') session.conclude('maxPageSize', evidence.size, 'smallerPages');
  else if (evidence?.kind === 'whole') session.conclude('maxPageSize', null, 'wholePage');
  else session.markUndecided('sizeDoesNotTell', 'maxPageSize');
}

/** A row that comes or leaves between two requests changes less than half of such a page. */
const minRowsToCompare = 5;

/** Finds page 2 among the known rows, in pages of a third of them; with few rows, compares whole pages. */
async function probePageBase(session: ProbeSession, first: FirstRows): Promise<void> {
  if (session.isDecided('firstPage')) return;
  const { rows } = first.summary;
  const third = Math.floor(rows.length / 3);
  const pageTwo = third >= minRowsToCompare ? await session.requestPage(2, third) : undefined;
  const number = pageTwo && findPageNumber(rows, third, pageTwo.rows);
  if (number === 2) session.conclude('firstPage', 0, 'pagesFollow');
  else if (number === 1) session.conclude('firstPage', 1, 'zeroIsFirstAgain');
  else if (number === 0) session.markUndecided('pageIgnored', 'firstPage');
  else await compareWholePages(session, first);
}

/** Page 1 repeats page 0 if pages are counted from 1, unless every page number gives the same rows. */
async function compareWholePages(session: ProbeSession, first: FirstRows): Promise<void> {
  const { rows } = first.summary;
  const pageOne = await session.requestPage(1, first.size);
  if (!pageOne || pageOne.rows.length === 0) {
    session.conclude('firstPage', 0, pageOne ? 'oneEmpty' : 'oneRefused');
    return;
  }
  const isRepeated = isRepeatedPage(rows, pageOne.rows);
  if (isRepeated === undefined) session.markUndecided('tooFewTimes', 'firstPage');
  if (isRepeated === false) session.conclude('firstPage', 0, 'pagesFollow');
  if (!isRepeated) return;
  const pageTwo = await session.requestPage(2, first.size);
  if (pageTwo && isRepeatedPage(rows, pageTwo.rows))
    session.markUndecided('pageIgnored', 'firstPage');
  else session.conclude('firstPage', 1, 'zeroIsFirstAgain');
}

/** Seconds last: few exchanges use them. */
const dateFormatsToTry = ['epochMs', 'isoInstant', 'isoLocal', 'isoDate', 'epochS'] as const;

/** How many rows of one unit are rarely the whole history. */
const minRowsBeside = 20;

/** Requests a period around known rows in one date format after the other, until the rows prove one. */
async function probeDateFormat(session: ProbeSession, first: FirstRows): Promise<void> {
  if (session.isDecided('dates')) return;
  session.clearEvidence();
  let wasTried = false;
  for (const dates of dateFormatsToTry) {
    const unitOf = (time: number) => unitContaining(time, dates, session.zone);
    const { rows, recordCount } = first.summary;
    // A full page may lie within one day: the days beside it have rows, too.
    const isFull = recordCount >= minRowsBeside;
    const period =
      choosePeriodToProbe(rows, unitOf) ?? (isFull ? choosePeriodBeside(rows, unitOf) : undefined);
    if (!period) continue;
    wasTried = true;
    if (!(await isDateFormatUnderstood(session, dates, period, first))) continue;
    session.conclude('dates', dates, 'dateFiltersApplied');
    return;
  }
  session.markUndecided(wasTried ? 'dateFiltersIgnored' : 'tooFewTimes', 'dates');
}

async function isDateFormatUnderstood(
  session: ProbeSession,
  dates: ApiConventions['dates'],
  period: Interval,
  { summary: known, size, page }: FirstRows,
): Promise<boolean> {
  const dateTo =
    session.settings.dateTo === 'auto' ? defaultConventions.dateTo : session.settings.dateTo;
  const conventions = { ...defaultConventions, dates, dateTo };
  const firstPage = session.isDecided('firstPage') ? session.firstPage : page;
  const range = { dateFrom: period.from, dateTo: period.to };
  const answer = await session.requestPage(firstPage, size, range, conventions);
  const { widestPeriod } = encodePeriod(period, conventions, session.zone);
  return !!answer && isPeriodRespected(known.rows, { period, widestPeriod }, answer, size);
}

import type { Interval } from '../../../base/interval.ts';
import { minuteMs } from '../../../base/time.ts';
import { missingRecords } from '../../badRecords.ts';
import {
  hasAll,
  isConclusive,
  merged,
  orderOf,
  rowsIn,
  type HistoryPage,
  type Row,
} from '../page.ts';
import * as rules from './rules.ts';
import type { HistorySource } from '../source.ts';
import { WalkRun } from './walkRun.ts';

/** How many pages without a new row show that the exchange gives rows for any page number. */
const maxIdlePages = 3;

/**
 * A first page if it has all rows of its question: no row follows it, and a second request returns it again. The
 * second request has its ends right beside the rows, which proves the ends, too.
 */
export async function wholePage<Item>(run: WalkRun<Item>, first: HistoryPage<Item>) {
  const { question, rows, sent } = first;
  const beyond = await askBeyond(run, question, sent);
  if (!rules.endIsReached(beyond)) return undefined;
  const window = spanOf(run, first);
  const again = await run.ask(window ? run.exactQuestion(window) : question, 0, sent + 1);
  if (again.sent !== sent || !rules.nothingMoved(rows, again)) return undefined;
  if (window) run.noteProvenEnds(window, again);
  return { ...first, count: merged(question, [first, beyond]).count };
}

/** Whether a page that was read without a walk has all rows of its question, and how many requests showed it. */
export async function isWholePage<Item>(
  history: HistorySource<Item>,
  page: HistoryPage<Item>,
  { size, largestPage }: { readonly size: number; readonly largestPage: number },
  signal: AbortSignal,
) {
  if (!rules.depthIsProven(page, largestPage)) return { isWhole: false, reads: 0 };
  const run = new WalkRun(history, { range: page.question, size, maxReads: Infinity }, signal);
  run.set({ largestPage });
  const isWhole = (await wholePage(run, page)) !== undefined;
  return { isWhole, reads: run.state.reads };
}

/** From the unit of the first row to that of the last, within the question; undefined without rows. */
function spanOf<Item>(
  run: WalkRun<Item>,
  { question, rows }: HistoryPage<Item>,
): Interval | undefined {
  const times = rows.map(({ time }) => time);
  if (run.state.areEndsProven || times.length === 0) return undefined;
  const from = run.unitOf(Math.min(...times)).from;
  const { to } = run.unitOf(Math.max(...times));
  return { from: Math.max(from, question.from), to: Math.min(to, question.to) };
}

/**
 * Asks for the rows right after `places`. The page begins there at a multiple of its size, so that no row is
 * skipped, whether the exchange counts pages in the size that was asked for or in a shorter one.
 */
export function askBeyond<Item>(run: WalkRun<Item>, question: Interval, places: number) {
  let size = Math.max(1, Math.min(run.state.largestPage, places));
  while (places % size > 0) size -= 1;
  return run.ask(question, places / size, size);
}

/** Asks for the last of `places` and for the next one, in the shortest page that has both. */
export function askLast<Item>(run: WalkRun<Item>, question: Interval, places: number) {
  let size = 2;
  while (places % size === 0) size += 1;
  return { rest: places % size, answer: run.ask(question, Math.floor(places / size), size) };
}

/** Ends a window with all rows that the exchange gives: it may have more. */
export async function finishWhole<Item>(run: WalkRun<Item>, answer: HistoryPage<Item>) {
  if (!rules.depthIsProven(answer, run.state.largestPage)) {
    const isCounted = answer.sent === answer.count && (await countProvesDepth(run, answer));
    const { part } = run.state;
    if (isCounted) run.set({ part: part && { ...part, isDepthCounted: true } });
    else run.markIncomplete('depthUnproven');
  }
  return run.finish(answer);
}

/** Rule 7 by a count, which may be cut to the depth, too: closer questions have fewer rows, and no others. */
async function countProvesDepth<Item>(run: WalkRun<Item>, answer: HistoryPage<Item>) {
  for (const closer of closerQuestions(run, answer))
    if (!(await hasFewerRows(run, answer, closer))) return false;
  return true;
}

/** If the exchange cuts the ends so that no row falls away, they come closer by a minute, and by a day. */
async function hasFewerRows<Item>(
  run: WalkRun<Item>,
  { rows, question }: HistoryPage<Item>,
  end: End,
) {
  for (const ms of [0, minuteMs, rules.maxTruncationMs]) {
    const from = end.from === undefined ? question.from : end.from + ms;
    const to = end.to === undefined ? question.to : end.to - ms;
    if (from >= to) return true;
    const first = await run.ask({ from, to });
    const known = rowsIn(rows, { from, to: to + 1 });
    const isKnown = first.count === known.length && hasAll(known, first.rows);
    const found = isKnown ? known : await readFurther(run, first);
    if (!hasAll(rows, found)) return false;
    if (found.length < rows.length) return true;
  }
  return false;
}

/** The rows of further pages, too, unless the exchange counts no more. */
async function readFurther<Item>(run: WalkRun<Item>, first: HistoryPage<Item>) {
  if (first.sent === 0 || first.sent === first.count) return first.rows;
  return rules.distinctRows((await readPass(run, first, first.sent)).pages);
}

/** The end of a question that moves, or both. */
type End = Partial<Interval>;

/**
 * Rows may be hidden behind those beside the window or the range. If there are none beside it, and its unit
 * is longer than that of the exchange, they are divided. Nothing divides a unit of the exchange.
 */
function closerQuestions<Item>(run: WalkRun<Item>, { rows }: HistoryPage<Item>): End[] {
  const { window, options, state, history } = run;
  const from = Math.max(window.from, options.range.from);
  const to = Math.min(window.to, options.range.to);
  const times = rows.map(({ time }) => time).toSorted((a, b) => a - b);
  const [oldest = from, newest = from] = [times[0], times.at(-1)];
  const [isBefore, isAfter] = [oldest < from, newest >= to];
  if (isBefore || isAfter) return [{ ...(isBefore && { from }), ...(isAfter && { to: to - 1 }) }];
  const middle = times[times.length >> 1];
  if (state.unitMs === 0 || middle === undefined) return [];
  const unit = history.unitOf(middle);
  return [{ to: unit.from - 1 }, { from: unit.to }];
}

/**
 * Pages of a question in order of time, up to a row beyond a unit. Each page begins with rows of the page
 * before: if they keep their places, no row crossed the border. Undefined if rows moved or the pages end.
 */
export async function readPages<Item>(
  run: WalkRun<Item>,
  first: HistoryPage<Item>,
  unit: Interval,
) {
  const pages = [first];
  let { rows } = first;
  while (!rows.some((row) => run.isBeyond(unit, row))) {
    const page = await askAcross(run, first, rows);
    if (!page) return undefined;
    pages.push(page);
    rows = page.all;
  }
  const hasBad = pages.some(({ badRecords }) => missingRecords(badRecords).length > 0);
  const isSound = !hasBad && rules.distinctRows(pages).length === rows.length;
  return isSound && orderOf(rows) === run.state.order
    ? merged(first.question, pages, rows)
    : undefined;
}

/**
 * Asks for the page that reaches furthest, of those that begin with known rows of at least two times. Rows
 * of the last time may change places with rows that follow; all before it must keep theirs.
 */
async function askAcross<Item>(
  run: WalkRun<Item>,
  { question, sent: longest }: HistoryPage<Item>,
  rows: readonly Row<Item>[],
) {
  const [best] = Array.from({ length: longest }, (_, index) => longest - index)
    .map((size) => ({ size, begin: Math.floor((rows.length - 2) / size) * size }))
    .filter(({ begin }) => begin > 0 && orderOf(rows.slice(begin)) === run.state.order)
    .toSorted((a, b) => b.begin + b.size - a.begin - a.size);
  if (!best) return undefined;
  const { begin, size } = best;
  const answer = await run.ask(question, begin / size, size);
  const steady = rows.slice(begin).filter(({ time }) => time !== rows.at(-1)?.time);
  const isShort = begin + answer.sent <= rows.length;
  if (isShort || !rules.nothingMoved(steady, answer)) return undefined;
  return { ...answer, all: [...rows.slice(0, begin), ...answer.rows] };
}

/** In other sizes, as a pass in the same size may come from a cache. */
export async function readPasses<Item>(run: WalkRun<Item>, first: HistoryPage<Item>) {
  const { question, sent: longest } = first;
  let passes: (readonly HistoryPage<Item>[])[] = [];
  for (let size = longest; ; size -= 1) {
    const { pages, problem } = await readPass(run, first, size);
    const alike = passes.filter((pass) => rules.placesIn(pass) === rules.placesIn(pages));
    passes = problem ? [] : [...alike, pages];
    if (rules.distinctRows(passes.flat()).length > rules.placesIn(pages)) passes = [pages];
    if (rules.passesAgree(passes)) {
      const rows = rules.distinctRows(passes.slice(1).flat());
      if (isConclusive(rows) && orderOf(rows) === run.state.order) run.set({ isOrderProven: true });
      return merged(question, pages, rows);
    }
    if (problem !== 'endUnproven' && size > Math.max(1, longest - rules.maxTries + 1)) continue;
    run.markIncomplete(problem ?? 'movedUnseen');
    return merged(question, pages, rules.distinctRows([...passes.flat(), ...pages, first]));
  }
}

/** Pages from the first to an empty one. */
export async function readPass<Item>(run: WalkRun<Item>, first: HistoryPage<Item>, size: number) {
  const pages: HistoryPage<Item>[] = [];
  const rows = new rules.DistinctRows<Item>();
  for (let idle = 0; idle < maxIdlePages;) {
    const page = await run.ask(first.question, pages.length, size);
    if (page.isEndOpen) break;
    pages.push(page);
    idle = rows.add(page) ? 0 : idle + 1;
    if (!rules.endIsReached(page)) continue;
    const places = pages.reduce((sum, { sent }) => sum + sent, 0);
    const isCut = pages.slice(0, -2).some(({ sent }) => sent < size);
    const isEnd =
      places % size === 0 || rules.endIsReached(await askBeyond(run, first.question, places));
    return { pages, problem: isEnd && !isCut ? undefined : ('movedUnseen' as const) };
  }
  return { pages, problem: 'endUnproven' as const };
}

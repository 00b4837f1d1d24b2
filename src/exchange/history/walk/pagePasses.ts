import { placesOf, readingOf, type Answer, type Reading } from './answer.ts';
import type { UnprovenReason } from './cursor.ts';
import { askBeyond, noteDepth } from './pageCheck.ts';
import { endIsReached, maxTries, withRowsOf, type DistinctRows } from './rules.ts';
import type { TimeWindow } from './timeWindow.ts';
import type { WalkRun } from './walkRun.ts';

/** The pages of a question from the first on. */
type Pass<Item> = {
  readonly pages: readonly Answer<Item>[];
  /** Whether the exchange gave an empty page. */
  readonly hasEnd: boolean;
  /** Whether no row follows right behind the last one. */
  readonly isEnd: boolean;
};

/** After so many pages without a new row, the exchange gives rows for any page number. */
const maxIdlePages = 3;

/**
 * Rows that share a time may change places with every answer: the pages are read again in other sizes,
 * as a pass in the same size may come from a cache, until two passes to the end have as many places as
 * there are different rows.
 */
export async function readUntilTwoPassesAgree<Item>(
  run: WalkRun<Item>,
  question: TimeWindow,
  first: Answer<Item>,
): Promise<{ readonly reading: Reading<Item>; readonly problem?: UnprovenReason }> {
  let rows: DistinctRows<Item> = new Map();
  let shown = rows;
  let [longest, agreeing, places] = [first.sent, 0, -1];
  let pass: Pass<Item> = { pages: [first], hasEnd: true, isEnd: true };
  for (let tries = 0; tries < Math.min(maxTries, longest) && pass.hasEnd; tries += 1) {
    const size = longest - tries;
    pass = await readPass(run, question, size);
    const shortest = Math.min(...pass.pages.slice(0, -1).map(({ sent }) => sent));
    if (shortest < size) {
      [longest, agreeing, places] = [shortest + tries, 0, -1];
      continue;
    }
    agreeing = pass.isEnd && placesOf(pass.pages) === places ? agreeing + 1 : 0;
    places = pass.isEnd ? placesOf(pass.pages) : -1;
    shown = withRowsOf(agreeing > 0 ? shown : new Map(), pass.pages);
    // Rows of the first of these passes may have left before its end.
    rows = withRowsOf(agreeing > 1 ? rows : new Map(), pass.pages);
    const bad = readingOf(pass.pages).badRecords.length;
    if (countOf(shown) + bad > places) {
      agreeing = 0;
      shown = withRowsOf(new Map(), pass.pages);
    }
    if (agreeing > 0 && countOf(rows) + bad === places) {
      noteDepth(run, pass.pages);
      return { reading: { ...readingOf(pass.pages), rows: [...rows.values()].flat() } };
    }
  }
  const reading = {
    ...readingOf(pass.pages),
    rows: [...withRowsOf(rows, pass.pages).values()].flat(),
  };
  return { reading, problem: pass.isEnd ? 'movedUnseen' : 'endUnproven' };
}

function countOf(rows: DistinctRows<unknown>): number {
  return [...rows.values()].flat().length;
}

async function readPass<Item>(
  run: WalkRun<Item>,
  question: TimeWindow,
  size: number,
): Promise<Pass<Item>> {
  const pages: Answer<Item>[] = [];
  const known = new Set<string>();
  for (let idle = 0; idle < maxIdlePages;) {
    const page = await run.ask(question, pages.length, size);
    if (endIsReached(page))
      return { pages, hasEnd: true, isEnd: await isBehindAll(run, question, pages, size) };
    if (page.isRefused) break;
    const isIdle = page.rows.length > 0 && page.rows.every(({ id }) => known.has(id));
    idle = isIdle ? idle + 1 : 0;
    for (const { id } of page.rows) known.add(id);
    pages.push(page);
  }
  return { pages, hasEnd: false, isEnd: false };
}

/** Whether nothing follows the rows of pages, where the page after them is empty: the last one may be cut. */
async function isBehindAll<Item>(
  run: WalkRun<Item>,
  question: TimeWindow,
  pages: readonly Answer<Item>[],
  size: number,
): Promise<boolean> {
  return placesOf(pages) % size === 0 || endIsReached(await askBeyond(run, question, pages));
}

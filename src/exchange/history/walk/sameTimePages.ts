import { idsOf, isMissingAny, type Answer, type Row } from './answer.ts';
import { depthIsProven, endIsReached, maxTries, withRowsOf } from './rules.ts';
import type { TimeWindow } from './timeWindow.ts';
import type { Found, WalkRun } from './walkRun.ts';

type Rows<Item> = ReadonlyMap<string, readonly Row<Item>[]>;

/** The pages of a question from the first to the end. */
type Pass<Item> = {
  readonly pages: readonly Answer<Item>[];
  /** The fewest rows of a page that had others behind it. */
  readonly shortest: number;
  readonly isEnd: boolean;
};

/** After so many pages without a new row, the exchange gives rows for any page number. */
const maxIdlePages = 3;

/**
 * More rows of one unit than fit into an answer. Rows that share a time may change places, and a page
 * may end elsewhere each time: the pages are read again, in other sizes, until two passes to the end
 * count as many places as there are different rows.
 */
export async function readSameTime<Item>(
  run: WalkRun<Item>,
  window: TimeWindow,
  first: Answer<Item>,
): Promise<Found<Item>> {
  const question = run.exact(window);
  let rows: Rows<Item> = new Map();
  let size = first.sent;
  let [places, agreeing, ended, before] = [-1, 0, 0, 0];
  let last: Pass<Item> | undefined;
  const seen = new Set(idsOf(first.rows));
  for (let tries = 0; tries < maxTries; tries += 1) {
    const asked = Math.max(1, size - tries);
    const pass = await readPass(run, question, asked);
    last = pass;
    for (const page of pass.pages) for (const { id } of page.rows) seen.add(id);
    if (pass.isEnd && pass.shortest < asked) {
      size = Math.max(1, pass.shortest);
      continue;
    }
    const sent = pass.pages.reduce((sum, page) => sum + page.sent, 0);
    const merged = mergedRows(rows, pass);
    // A pass in the same size may be answered from a cache.
    const isStill = sent === places && sizeOf(merged) <= sent && asked !== before;
    before = asked;
    agreeing = isStill ? agreeing + 1 : 1;
    ended = pass.isEnd ? ended + 1 : 0;
    rows = isStill ? merged : mergedRows(new Map(), pass);
    places = sent;
    if (ended >= 2 && agreeing >= 2 && sizeOf(rows) + badOf(pass) === places) {
      if (isMissingAny([...seen], [...rows.values()].flat())) run.set({ hasDrifted: true });
      return finished(run, window, rows, pass, places);
    }
    if (!pass.isEnd && agreeing >= 2) break;
  }
  run.markIncomplete(ended === 0 ? 'endUnproven' : 'movedUnseen');
  return finished(run, window, rows, last, undefined);
}

async function readPass<Item>(
  run: WalkRun<Item>,
  question: TimeWindow,
  size: number,
): Promise<Pass<Item>> {
  const pages: Answer<Item>[] = [];
  const known = new Set<string>();
  let shortest = size;
  for (let idle = 0; idle < maxIdlePages;) {
    const page = await run.ask(question, pages.length, size);
    if (endIsReached(page, false)) return { pages, shortest, isEnd: true };
    if (page.isRefused) break;
    const [first = page, before = page] = [pages[0], pages.at(-1)];
    shortest = Math.min(shortest, first.sent, pages.length > 0 ? before.sent : size);
    idle = page.rows.some(({ id }) => !known.has(id)) || page.rows.length === 0 ? 0 : idle + 1;
    for (const id of idsOf(page.rows)) known.add(id);
    pages.push(page);
  }
  return { pages, shortest, isEnd: false };
}

function mergedRows<Item>(known: Rows<Item>, { pages }: Pass<Item>): Rows<Item> {
  return pages.reduce((rows, page) => withRowsOf(rows, page.rows), known);
}

function sizeOf(rows: Rows<unknown>): number {
  return [...rows.values()].reduce((sum, equal) => sum + equal.length, 0);
}

function badOf({ pages }: Pass<unknown>): number {
  return pages.reduce((sum, page) => sum + page.sent - page.rows.length, 0);
}

function finished<Item>(
  run: WalkRun<Item>,
  window: TimeWindow,
  rows: Rows<Item>,
  pass: Pass<Item> | undefined,
  places: number | undefined,
): Found<Item> {
  const pages = pass?.pages ?? [];
  const count = pages.at(0)?.count ?? null;
  // Rows outside the question are not distinguished: only the order or the count shows that none came twice.
  const isBlind = !run.isOrdered && places !== count && pages.some(({ outside }) => outside > 0);
  if (isBlind) run.markIncomplete('edgesUnproven');
  if (places !== undefined) {
    if (!depthIsProven(places, count, run.state)) run.markIncomplete('depthUnproven');
    run.set({ depth: Math.max(run.state.depth, places) });
  }
  run.countBeside(run.exact(window), pages);
  const badRecords = pages.flatMap((page) => page.badRecords);
  const ignoredFilters = pages.flatMap((page) => page.ignoredFilters);
  return run.finish({ rows: [...rows.values()].flat(), badRecords, ignoredFilters }, window);
}

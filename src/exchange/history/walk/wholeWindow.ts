import {
  areSame,
  idsOf,
  isMissingAny,
  middleUnit,
  rowsIn,
  type Answer,
  type Row,
} from './answer.ts';
import { readNumberedPages } from './numberedPages.ts';
import { depthIsProven, endIsReached, maxTries, nothingMoved } from './rules.ts';
import { readSameTime } from './sameTimePages.ts';
import { earliestMs, isOneUnit, splitAround, splitAt, type TimeWindow } from './timeWindow.ts';
import type { Found, WalkRun } from './walkRun.ts';

/** `more`: rows follow. `unproven`: nothing shows whether some do. `restarted`: the range is read again. */
export type Proof<Item> =
  | { readonly kind: 'whole'; readonly answer: Answer<Item> }
  | { readonly kind: 'more' | 'unproven' | 'restarted' };

/**
 * Proves that an answer has every row of its question: no row follows on the next page, and then all of
 * them come again where the question ends just beside them.
 */
export async function proveWhole<Item>(
  run: WalkRun<Item>,
  question: TimeWindow,
  first: Answer<Item>,
): Promise<Proof<Item>> {
  let answer = first;
  for (let tries = 0; tries < maxTries && answer.sent > 0; tries += 1) {
    const beyond = await run.ask(question, 1, answer.sent);
    if (!endIsReached(beyond, run.isOrdered)) {
      const isRepeated = areSame(idsOf(answer.rows), idsOf(beyond.rows));
      return { kind: beyond.isRefused || isRepeated ? 'unproven' : 'more' };
    }
    const again = await run.ask(narrowed(run, question, answer.rows));
    if (nothingMoved(idsOf(answer.rows), again)) {
      const isProven = await provesEdges(run, answer.rows);
      if (!isProven && run.readsInCoarserUnits()) return { kind: 'restarted' };
      if (!isProven) run.markIncomplete('edgesUnproven');
      return { kind: 'whole', answer: { ...again, badRecords: answer.badRecords } };
    }
    const whole = await run.ask(question);
    if (areSame(idsOf(answer.rows), idsOf(whole.rows))) {
      if (run.readsInCoarserUnits()) return { kind: 'restarted' };
      run.markIncomplete('edgesUnproven');
      return { kind: 'whole', answer: whole };
    }
    if (isMissingAny(idsOf(answer.rows), whole.rows)) run.set({ hasDrifted: true });
    answer = whole;
  }
  if (answer.sent > 0) run.markIncomplete('movedUnseen');
  return { kind: 'whole', answer };
}

/** The shortest question that has these rows. */
function narrowed(
  run: WalkRun<unknown>,
  question: TimeWindow,
  rows: readonly Row<unknown>[],
): TimeWindow {
  if (rows.length === 0) return question;
  const times = rows.map(({ time }) => time);
  const [from, to] = [run.unitOf(Math.min(...times)).from, run.unitOf(Math.max(...times)).to];
  const narrow = run.exact({ from, to });
  return { from: question.from === null ? null : narrow.from, to };
}

/**
 * All these rows came where the question began and ended beside them. Where they would also have come
 * from an exchange that cuts the end, one that would not is asked for alone.
 */
async function provesEdges(run: WalkRun<unknown>, rows: readonly Row<unknown>[]): Promise<boolean> {
  const [first] = rows;
  if (!first) return true;
  const newest = rows.reduce((one, other) => (one.time > other.time ? one : other), first);
  run.set({ edges: { from: true, to: run.state.edges.to || run.canProveEnds(newest) } });
  const sample = rows.find((row) => run.canProveEnds(row));
  if (run.state.edges.to || !sample) return true;
  const { isShown } = await run.askUnitOf(sample.time);
  run.set({ edges: { from: true, to: isShown } });
  return isShown;
}

/** Rows in no known order: a window is split until an answer has all of it. */
export async function readWithoutOrder<Item>(
  run: WalkRun<Item>,
  window: TimeWindow,
  answer: Answer<Item>,
): Promise<Found<Item>> {
  if (answer.sent === 0) return run.finish(answer, window);
  const isUnit = isOneUnit(window, run.unitOf);
  if (answer.outside === answer.sent) {
    if (run.readsInCoarserUnits(true)) return nothing;
    return readSameTime(run, window, answer);
  }
  const isDeep = depthIsProven(answer.sent, answer.count, run.state);
  if (!isDeep && !isUnit) return splitWindow(run, window, answer, splitAt);
  const proof = await proveWhole(run, run.exact(window), answer);
  switch (proof.kind) {
    case 'whole':
      if (!isDeep) run.markIncomplete('depthUnproven');
      return run.finish(proof.answer, window);
    case 'restarted':
      return nothing;
    case 'more':
      if (isUnit) return readSameTime(run, window, answer);
      return splitWindow(run, window, answer, splitAt);
    case 'unproven':
      if (isUnit) return acceptUnit(run, window, answer);
      return splitWindow(run, window, answer, splitAround);
    default:
      return proof satisfies never;
  }
}

export const nothing = { rows: [], badRecords: [] } as const;

/**
 * The exchange answers pages past the end with known rows, or refuses them. Two answers with the same
 * rows, where it has shown more at once, have all of them.
 */
async function acceptUnit<Item>(
  run: WalkRun<Item>,
  window: TimeWindow,
  answer: Answer<Item>,
): Promise<Found<Item>> {
  const { largestPage, areCutsUneven } = run.state;
  const again = await run.ask(run.exact(window));
  const isRoom = answer.sent < largestPage && !areCutsUneven;
  if (!isRoom || !nothingMoved(idsOf(answer.rows), again)) run.markIncomplete('endUnproven');
  return run.finish(again, window);
}

async function splitWindow<Item>(
  run: WalkRun<Item>,
  window: TimeWindow,
  answer: Answer<Item>,
  splitBy: typeof splitAt,
): Promise<Found<Item>> {
  const { from, to } = window;
  const { edges } = run.state;
  const [sample] = answer.rows.filter((row) => run.canProveEnds(row));
  if (!(edges.from && edges.to) && sample) {
    const { answer: probe, isShown } = await run.askUnitOf(sample.time);
    if (!isShown || run.isTooWide(probe)) {
      if (run.readsInCoarserUnits(run.isTooWide(probe))) return nothing;
      return readNumberedPages(run, 'edgesUnproven');
    }
    run.set({ edges: { from: true, to: true } });
  }
  const middle = middleUnit(rowsIn(answer.rows, window), run.unitOf);
  const begin = from ?? Math.min(earliestMs, to - 1);
  return run.split(splitBy(window, middle ?? run.unitOf(begin + (to - begin) / 2)));
}

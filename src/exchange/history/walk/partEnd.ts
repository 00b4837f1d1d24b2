import type { Answer, Row } from './answer.ts';
import type { WalkPart } from './cursor.ts';
import { countAgrees } from './rules.ts';
import { contains, widestCutMs } from './timeWindow.ts';
import type { WalkRun } from './walkRun.ts';

/** Ends a part: compares what was found with what the exchange counted at its begin, or counts now. */
export async function endPart<Item>(run: WalkRun<Item>, part: WalkPart): Promise<void> {
  run.set({ part: null });
  if (countAgrees(part, part.count)) return;
  const again = await run.ask(run.exact(part.window));
  if (countAgrees(part, again.count)) return;
  if (again.count === part.count) run.markIncomplete('countDisagrees');
  else run.set({ hasDrifted: true });
}

/**
 * Where no row proved the ends of a question, it asks beyond them: an exchange that cuts them shows rows
 * of the range there. False where the walk begins again in coarser units.
 */
export async function checkEnds<Item>(
  run: WalkRun<Item>,
  { from, to }: { readonly from: number | undefined; readonly to: number },
): Promise<boolean> {
  const { edges, rows } = run.state;
  const isFromProven = edges.from || from === undefined || run.state.order === 'newestFirst';
  if (edges.to && isFromProven) return true;
  if (rows > 0) {
    const { sample } = run.state;
    const isProven = sample !== null && (await run.askUnitOf(sample)).isShown;
    if (!isProven) run.markIncomplete('edgesUnproven');
    return true;
  }
  for (const side of [edges.to ? [] : [to], isFromProven ? [] : [from]].flat()) {
    const room = Math.min(widestCutMs, Math.floor(run.longestMs / 2));
    const question = { from: side - room, to: side + room };
    const answer = await run.ask(question).catch((error: unknown) => asRefusal<Item>(run, error));
    if (!answer || answer.sent === 0) continue;
    const isInRange = ({ time }: Row<Item>) => contains({ from: from ?? null, to }, time);
    const sample = answer.rows.find((row) => run.canProveEnds(row));
    const isProven = sample && (await run.askUnitOf(sample.time)).isShown;
    if (!answer.rows.some(isInRange) && isProven) continue;
    if (run.readsInCoarserUnits()) return false;
    run.markIncomplete('edgesUnproven');
  }
  return true;
}

function asRefusal<Item>(run: WalkRun<Item>, error: unknown): Answer<Item> | undefined {
  run.markIncomplete('edgesUnproven');
  if (error instanceof Error && error.name === 'ExchangeError') return undefined;
  throw error;
}

import type { Checkpoint, Interval, LedgerHistory } from '../ledger.ts';
import { bracketOf } from '../reconciliation/bracket.ts';
import { analysisCoverage } from './analysisCoverage.ts';
import type { AnalysisScope } from './analysisScope.ts';
import { added, amountOf, negative, type ExactAmount } from './exactAmount.ts';
import { sumsByAsset } from './groupedSums.ts';
import { newestReading } from './newestReading.ts';

/** How many checkpoints before and after the start of a period are tried. */
const mostTried = 20;

/**
 * The balance of each asset at the start of the period, by the deposited balance of a checkpoint near it: where it
 * is learned that the balance follows this history, whose rows are complete from then on.
 */
export function depositedOpenings(
  scope: AnalysisScope,
  history: LedgerHistory,
): ReadonlyMap<string, ExactAmount> {
  const { database, period, coverage } = scope;
  const learned = newestReading(database, 'deposited', history);
  const follows = learned?.reading.terms;
  if (!follows?.[history] || Object.keys(follows).length > 1 || coverage.gaps.length > 0)
    return new Map();
  const near = [
    ...checkpointsNear(scope, '< ? ORDER BY answeredAt DESC'),
    ...checkpointsNear(scope, '>= ? ORDER BY answeredAt'),
  ];
  for (const checkpoint of near) {
    const { from, to } = bracketOf(checkpoint);
    const isBefore = to <= period.from;
    const between = isBefore ? { from: to, to: period.from } : { from: period.from, to: from };
    const isClear = sumsByAsset(database, history, { from, to }).names.length === 0;
    if (!isClear || !isComplete(scope, history, { from: Math.min(from, period.from), to }))
      continue;
    const rows = sumsByAsset(database, history, between);
    return new Map(
      (checkpoint.assets ?? []).flatMap(({ name, deposited }) => {
        if (deposited === null || learned?.judgement.get(name)?.contradictions.length !== 0)
          return [];
        const change = rows.of(name);
        return [[name, added(amountOf(deposited), isBefore ? change : negative(change))]];
      }),
    );
  }
  return new Map();
}

function checkpointsNear({ database, period }: AnalysisScope, where: string): Checkpoint[] {
  return database
    .prepare(`SELECT json FROM checkpoints WHERE answeredAt ${where} LIMIT ${mostTried}`)
    .all(period.from)
    .map(({ json }) => JSON.parse(String(json)) as Checkpoint);
}

function isComplete(
  { database, request }: AnalysisScope,
  history: LedgerHistory,
  period: Interval,
): boolean {
  const { complete } = analysisCoverage(database, [history], { ...request, period });
  return complete.some(({ from, to }) => from <= period.from && period.to <= to);
}

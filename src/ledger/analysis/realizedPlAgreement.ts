import { isSame } from '../../base/decimal.ts';
import { clip } from '../coverage/intervals.ts';
import type { Interval } from '../ledger.ts';
import { coveredSpans } from '../reconciliation/reconciliationReader.ts';
import { storedReader } from '../storage/storedReader.ts';
import type { Agreement } from './analysis.ts';
import type { AnalysisScope } from './analysisScope.ts';
import { textOf, Totals } from './exactAmount.ts';
import { groupedSums } from './groupedSums.ts';
import { readingIn } from './newestReading.ts';

/**
 * Whether the trades of a period realise what its `REALIZED_PL` transactions book, by asset, as the reconciliation
 * judges it.
 */
export function realizedPlAgreement(scope: AnalysisScope): (asset: string) => Agreement {
  const { database, period } = scope;
  const learned = readingIn(database, 'realizedPl', period);
  const spans = coveredSpans(storedReader(database), ['trades', 'futureTransactions']);
  const compared = clip(spans, period);
  const { trades, transactions, isAssetKnown } = sumsIn(scope, compared);
  const isLearned = learned?.applicability === 'applies' && isAssetKnown;
  return (asset) => {
    const found = learned?.judgement.get(asset);
    const isExplained = learned?.explainedByOthers.has(asset) ?? false;
    const contradictions = found?.contradictions ?? [];
    const [ofTrades, ofTransactions] = [textOf(trades.of(asset)), textOf(transactions.of(asset))];
    const isEqual = contradictions.length === 0 && isSame(ofTrades, ofTransactions);
    const differences = isLearned && !isExplained ? contradictions : [];
    const verdict = differences.length > 0 ? 'differ' : isEqual ? 'agree' : 'undecided';
    return {
      verdict: compared.length === 0 ? 'notCovered' : verdict,
      compared,
      trades: ofTrades,
      transactions: ofTransactions,
      differences: differences.map(({ from, to, remainder }) => ({ from, to, amount: remainder })),
    };
  };
}

/** What both add up to where they are compared, and whether each trade has a known asset. */
function sumsIn({ database, symbols }: AnalysisScope, compared: readonly Interval[]) {
  const [trades, transactions] = [new Totals(), new Totals()];
  let isAssetKnown = true;
  const types = { are: 'in', names: ['REALIZED_PL'] } as const;
  for (const interval of compared) {
    const traded = { history: 'trades', field: 'rpnl', isNotZero: true, interval } as const;
    for (const { keys, amount } of groupedSums(database, { ...traded, keys: ['symbol'] })) {
      const { asset, assetBasis } = symbols.assetOf(keys.symbol, 'marginAsset');
      isAssetKnown &&= assetBasis !== 'unknown';
      trades.add(asset, amount);
    }
    const booked = { history: 'futureTransactions', field: 'amount', interval, types } as const;
    for (const { keys, amount } of groupedSums(database, { ...booked, keys: ['asset'] }))
      transactions.add(keys.asset, amount);
  }
  return { trades, transactions, isAssetKnown };
}

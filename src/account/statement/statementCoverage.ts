import { intersection, type Interval } from '../../base/interval.ts';
import { completeIn } from '../../ledger/coverage/coverageParts.ts';
import {
  ledgerHistoryNames,
  type Coverage,
  type LedgerHistory,
  type LedgerWriter,
} from '../../ledger/ledger.ts';
import type { StatementHistory } from './manifest.ts';

/** What was ever read of a history. */
export type ReadHistory = { readonly history: LedgerHistory; readonly reads: readonly Coverage[] };

export async function readHistories(
  writer: Pick<LedgerWriter, 'coverage'>,
): Promise<readonly ReadHistory[]> {
  const histories: ReadHistory[] = [];
  for (const history of ledgerHistoryNames)
    histories.push({ history, reads: await writer.coverage(history) });
  return histories;
}

/** The liquidation lots are the exchange's: those that were never downloaded are not part of a statement. */
export function isLeftOut({ history, reads }: ReadHistory): boolean {
  return history === 'lots' && reads.length === 0;
}

/** Where every history of a statement is complete. */
export function completeInAll(
  histories: readonly Pick<StatementHistory, 'parts'>[],
): readonly Interval[] {
  return intersection(histories.map(({ parts }) => completeIn(parts)));
}

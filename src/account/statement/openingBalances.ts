import type { AccountType } from '../../exchange/records.ts';
import type { AnalysisReader } from '../../ledger/analysis/analysis.ts';
import type { LedgerHistory } from '../../ledger/ledger.ts';
import type { OpeningBalance } from './journal.ts';

export const accountTypes = ['FUTURE', 'SPOT'] as const;

export const transactionHistories = {
  FUTURE: 'futureTransactions',
  SPOT: 'spotTransactions',
} as const satisfies Readonly<Record<AccountType, LedgerHistory>>;

/** The balances where a month begins, as far as they follow from the deposited balance of a checkpoint. */
export async function openingBalances(
  reader: AnalysisReader,
  moment: number,
): Promise<readonly OpeningBalance[]> {
  const period = { from: moment, to: moment };
  const calendar = { zone: 'UTC', groupBy: 'day', splitBy: 'asset' } as const;
  const openings: OpeningBalance[] = [];
  for (const account of accountTypes) {
    const asked = { view: 'cash', period, now: moment, account, ...calendar } as const;
    for (const { basis, asset, opening } of (await reader.analyse(asked)).curves)
      if (basis === 'deposited') openings.push({ accountType: account, asset, amount: opening });
  }
  return openings;
}

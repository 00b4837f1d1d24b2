import { negated, sum } from '../../base/decimal.ts';
import type { AccountType } from '../../exchange/records.ts';
import { coverageParts } from '../../ledger/coverage/coverageParts.ts';
import type {
  Checkpoint,
  FieldSum,
  Interval,
  LedgerHistory,
  LedgerReader,
  LedgerWriter,
  ReconciliationReport,
} from '../../ledger/ledger.ts';
import { bracketOf, staleBracket } from '../../ledger/reconciliation/bracket.ts';
import type { OpeningBalance } from './journal.ts';
import type { NearestCheckpoints } from './nearestCheckpoints.ts';

export type SumsReader = {
  readonly reader: Pick<LedgerReader, 'sums'>;
  readonly writer: Pick<LedgerWriter, 'coverage'>;
};

export const transactionHistories = {
  FUTURE: 'futureTransactions',
  SPOT: 'spotTransactions',
} as const satisfies Readonly<Record<AccountType, LedgerHistory>>;

/** What the transactions of a period add up to, by asset. */
export async function sumsByAsset(
  { reader }: Pick<SumsReader, 'reader'>,
  accountType: AccountType,
  period: Interval,
): Promise<ReadonlyMap<string, FieldSum>> {
  const history = transactionHistories[accountType];
  const query = { history, period, filters: {}, search: '', sort: null } as const;
  const sums = period.from < period.to ? await reader.sums(query, ['amount']) : [];
  return new Map(sums.map((each) => [each.unit ?? '', each]));
}

/**
 * The balances where a month begins, from a checkpoint and the transactions between the two. Empty if it is
 * not known which account `deposited` follows, or if no nearest checkpoint has complete transactions.
 */
export async function openingBalances(
  ledger: SumsReader,
  report: ReconciliationReport,
  { before, after }: NearestCheckpoints,
  moment: number,
): Promise<readonly OpeningBalance[]> {
  const accountType = accountOfDeposited(report);
  if (!accountType) return [];
  const found = new Map<string, OpeningBalance>();
  for (const checkpoint of [before, after]) {
    if (!checkpoint) continue;
    for (const opening of await openingsFrom(ledger, accountType, checkpoint, moment))
      if (!found.has(opening.asset)) found.set(opening.asset, opening);
  }
  return [...found.values()].toSorted((one, other) => (one.asset < other.asset ? -1 : 1));
}

/** If it follows both, it does not say what each has. */
function accountOfDeposited(report: ReconciliationReport): AccountType | undefined {
  const deposited = report.find(({ identity }) => identity === 'deposited');
  if (deposited?.applicability !== 'applies') return undefined;
  const { reading } = deposited;
  return reading === 'FUTURE' || reading === 'SPOT' ? reading : undefined;
}

async function openingsFrom(
  ledger: SumsReader,
  accountType: AccountType,
  checkpoint: Checkpoint,
  moment: number,
): Promise<readonly OpeningBalance[]> {
  const bracket = staleBracket(bracketOf(checkpoint));
  const isBefore = bracket.to <= moment;
  const between = isBefore ? { from: bracket.to, to: moment } : { from: moment, to: bracket.from };
  const whole = {
    from: Math.min(bracket.from, moment),
    to: Math.max(bracket.to, moment),
  };
  if (!(await isComplete(ledger, accountType, whole))) return [];
  // Rows in the bracket may be in the figures or not.
  const unclear = await sumsByAsset(ledger, accountType, bracket);
  const sums = await sumsByAsset(ledger, accountType, between);
  return (checkpoint.assets ?? [])
    .filter(({ name }) => !unclear.has(name))
    .flatMap(({ name, deposited }) => {
      const { sum: change, lacking } = sums.get(name) ?? { sum: '0', lacking: 0 };
      if (deposited === null || lacking > 0) return [];
      const amount = sum([deposited, isBefore ? change : negated(change)]);
      return [{ accountType, asset: name, amount }];
    });
}

async function isComplete(
  { writer }: SumsReader,
  accountType: AccountType,
  period: Interval,
): Promise<boolean> {
  const history = transactionHistories[accountType];
  const parts = coverageParts(history, await writer.coverage(history), period);
  return parts.every(({ completeness }) => completeness === 'complete');
}

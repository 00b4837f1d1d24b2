import * as v from 'valibot';
import { sum } from '../base/decimal.ts';
import { always, type Interval } from '../base/interval.ts';
import { ledgerHistoryNames, type IdentityReport, type SubjectReport } from '../ledger/ledger.ts';
import { verdictCounts } from '../ledger/reconciliation/contradictions.ts';
import { analysed, counts, knownOf, readWhole, texts, type OpenAccount } from './account.ts';
import { argument, periodOf, refusePeriod } from './arguments.ts';
import { evidenceOf, tool, type Found } from './tool.ts';

const interval = v.strictObject(texts('from', 'to', 'key', 'remainder'));
const candidate = v.strictObject({ ...texts('kind', 'amount'), ...counts('count') });
const judged = ['kind', 'tradeId', 'symbol', 'fee', 'expected', 'overcharge', 'tier', 'rate'];

/** Of an asset or symbol: the verdict of an identity, fees that differ, counts of fees, or one fee that differs. */
const row = v.union([
  v.strictObject({
    ...texts('identity', 'subject', 'verdict', 'reason', 'remainder'),
    ...counts('held', 'notListed'),
    ...{ contradictions: v.array(interval), candidates: v.array(candidate) },
  }),
  v.strictObject(texts('asset', 'dearer', 'cheaper')),
  v.strictObject({
    ...{ ...texts('symbol'), ...counts('asExpected', 'dearer', 'cheaper', 'undecided') },
  }),
  v.strictObject(texts(...judged)),
]);

export const checkAccount = tool({
  name: 'check_account',
  description:
    'reconciliation, of everything stored: whether balances, positions, fees and P&L follow from the rows. verdict: proved, contradicted or undecided; contradictions are where the rows lack remainder (negative: they are too much), oldest first; the remainder of a verdict is their sum, also of those notListed, and without any the largest rounding. candidates: what may be wrong in the first one. fees: the fees of trades beside the rates of the account’s tier. notListed beside the rows: how many older deviations are in no answer. Say undecided where it says so.',
  asks: {
    check: v.pipe(v.picklist(['reconciliation', 'fees']), v.description('What')),
    ...{ from: argument.from, to: argument.to },
  },
  facts: counts('proved', 'contradicted', 'undecided', 'deviations', 'notListed'),
  row,
  find: async (account, { check, ...ends }) => {
    if (check === 'fees') return feeAudit(account, periodOf(ends));
    refusePeriod(ends, 'fees');
    return reconciliation(account);
  },
});

async function reconciliation(account: OpenAccount): Promise<Found> {
  const { reader, now } = account;
  const { report, coverage } = await readWhole(account, always, async () => ({
    report: await reader.reconcile(),
    coverage: await reader.known(ledgerHistoryNames, always, now),
  }));
  const subjects = report.flatMap((identity) =>
    identity.subjects.map((subject) => verdictOf(identity, subject)),
  );
  const suspects = report.flatMap((each) => each.subjects.flatMap(({ candidates }) => candidates));
  return {
    rows: subjects,
    known: knownOf(coverage, always, now),
    evidence: suspects.flatMap((each) =>
      each.rows.map(({ history, record }) => evidenceOf(history, record)),
    ),
    facts: { ...verdictCounts(report), deviations: null, notListed: 0 },
  };
}

const mostContradictions = 20;

function verdictOf({ identity }: IdentityReport, subject: SubjectReport): object {
  const { verdict, reason, held, contradictions, rounded, candidates } = subject;
  const listed = contradictions.slice(0, mostContradictions);
  // Prices of orders have no sum.
  const isPrice = identity === 'averageExecutionPrice';
  const remainders = contradictions.map(({ remainder }) => remainder);
  return {
    ...{ identity, subject: subject.subject, verdict, reason, held },
    ...{ contradictions: listed, notListed: contradictions.length - listed.length },
    remainder: remainders.length === 0 ? rounded : isPrice ? null : sum(remainders),
    candidates: candidates.map(({ kind, count, amount }) => ({ kind, count, amount })),
  };
}

async function feeAudit(account: OpenAccount, period: Interval): Promise<Found> {
  const fixed = { zone: 'UTC', groupBy: 'month', splitBy: 'asset', account: 'FUTURE' } as const;
  const audit = await analysed<'feeAudit'>(account, { view: 'feeAudit', period, ...fixed });
  const deviations = audit.deviations.map(({ kind, trade, tier, rate, expected, overcharge }) => {
    const { tradeId, symbol, fee } = trade;
    return { kind, tradeId, symbol, fee, expected, overcharge, tier, rate };
  });
  return {
    rows: [...audit.sums, ...audit.markets, ...deviations],
    known: knownOf(audit.coverage, period, account.now),
    evidence: deviations.map(({ tradeId }) => ({ history: 'trades', id: tradeId })),
    facts: {
      ...{ proved: null, contradicted: null, deviations: audit.deviationCount },
      undecided: audit.undecided.reduce((all, { count }) => all + count, 0),
      notListed: audit.deviationCount - deviations.length,
    },
  };
}

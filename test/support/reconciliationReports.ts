import type { Interval } from '../../src/base/interval.ts';
import type { Candidate, ReconciliationReport, SubjectReport } from '../../src/ledger/ledger.ts';

type Contradicted = {
  readonly subject: string;
  readonly from: number;
  readonly to: number;
  /** Later contradictions of the same subject. */
  readonly later?: readonly Interval[];
  /** A missing row, unless they are given. */
  readonly candidates?: readonly Candidate[];
};

const missing = {
  kind: 'missing',
  count: 0,
  rows: [],
  amount: '-12.3450',
  isWitnessed: false,
} as const;

/** The balances of an exchange that follow its FUTURE transactions, with these contradictions. */
export function aReconciliation(contradicted: readonly Contradicted[]): ReconciliationReport {
  const subjects = [
    aSubject({ subject: 'eth', verdict: 'proved' }),
    ...contradicted.map(({ subject, from, to, later = [], candidates = [missing] }) =>
      aSubject({
        subject,
        verdict: 'contradicted',
        contradictions: [{ from, to }, ...later].map((interval) => {
          return { ...interval, remainder: '-12.3450', key: null };
        }),
        candidates,
      }),
    ),
  ];
  return [
    {
      identity: 'deposited',
      reading: 'FUTURE',
      applicability: 'applies',
      held: 9,
      failed: 1,
      covered: [],
      histories: ['futureTransactions'],
      subjects,
    },
  ];
}

function aSubject(fields: Pick<SubjectReport, 'subject' | 'verdict'> & Partial<SubjectReport>) {
  const nothing = {
    periods: [],
    contradictions: [],
    intervals: [],
    candidates: [],
    rounded: '0',
    withoutTrade: [],
  };
  return { reason: null, held: 9, ...nothing, intervalCount: 0, ...fields };
}

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { minuteMs } from '../../../../src/base/time.ts';
import type { IdentityReport, LedgerHistory } from '../../../../src/ledger/ledger.ts';
import { periodsOf } from '../../../../src/ledger/reconciliation/contradictions.ts';
import { anInterval } from '../../../support/coverages.ts';

const historiesOf = {
  filled: ['orders', 'trades'],
  tradeFees: ['trades', 'futureTransactions'],
} as const satisfies Record<string, readonly LedgerHistory[]>;
const report = Object.entries(historiesOf).map(([identity, histories]) => {
  const none = { applicability: 'applies', reading: '', held: 0, failed: 0 };
  return { ...none, identity, histories, covered: [], subjects: [] } as unknown as IdentityReport;
});

describe('what is read again to be sure of contradictions', () => {
  const named = fc.record({
    identity: fc.constantFrom<(keyof typeof historiesOf)[]>('filled', 'tradeFees'),
    ...{ subject: fc.constant('btc'), key: fc.constant(null), period: anInterval },
  });

  it('is every history of each, to a minute around it, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(named, { maxLength: 5 }), (all) => {
        const inMinutes = (minutes: number): number => minutes * minuteMs;
        const contradictions = all.map(({ period: { from, to }, ...each }) => {
          return { ...each, from: inMinutes(from), to: inMinutes(to) };
        });
        const periods = periodsOf(report, contradictions);
        for (const history of ['orders', 'trades', 'futureTransactions', 'lots'] as const)
          for (let time = 0; time < inMinutes(23); time += minuteMs / 2) {
            const isAsked = contradictions.some(({ identity, from, to }) => {
              const isOf = (historiesOf[identity] as readonly LedgerHistory[]).includes(history);
              return isOf && from - minuteMs <= time && time < to + minuteMs;
            });
            const isRead = periods.get(history)?.some(({ from, to }) => from <= time && time < to);
            assert.equal(isRead ?? false, isAsked);
          }
      }),
    );
  });
});

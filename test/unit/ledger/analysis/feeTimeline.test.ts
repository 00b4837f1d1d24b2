import assert from 'node:assert/strict';
import { minuteMs, secondMs } from '../../../../src/base/time.ts';
import { feeTimeline } from '../../../../src/ledger/analysis/feeTimeline.ts';
import { auditStart, feeCheckpoint } from '../../../support/auditedFees.ts';

const count = 120_000;

describe('the fees of an account over time', () => {
  it('are found for each of many trades in a fraction of a millisecond', () => {
    const rates = { tier: '1', maker: '0.0001', taker: '0.0005' };
    const fees = { tier: '1', discount: '0', rates, table: [rates] };
    const checkpoints = Array.from({ length: count }, (_none, minute) =>
      feeCheckpoint(auditStart + minute * minuteMs, fees),
    );
    const feesAt = feeTimeline(checkpoints);
    for (let minute = 0; minute < count - 1; minute += 4)
      assert.equal(feesAt(auditStart + (minute + 0.5) * minuteMs)?.isCertain, true);
  }).timeout(5 * secondMs);
});

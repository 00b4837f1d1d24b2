import assert from 'node:assert/strict';
import { openStart } from '../../../../src/base/interval.ts';
import { minExportReads } from '../../../../src/account/export/exportPlan.ts';

describe('how often an export asks at least', () => {
  const to = Date.UTC(2026, 10, 20);

  for (const [what, from, maxRangeDays, reads, dates] of [
    ['once, whatever the period, when none is too long', openStart, null, 1, 'epochMs'],
    ['once a slice of a period', Date.UTC(2026, 10, 1), 7, 3, 'epochMs'],
    [
      'once a slice as long as it may be when dates are written as days',
      Date.UTC(2026, 10, 1),
      7,
      4,
      'isoDate',
    ],
    ['once a slice back to the first year there can be rows of', openStart, 1, 6532, 'epochMs'],
    ['once when the period holds nothing', to + 1, 1, 1, 'epochMs'],
  ] as const)
    it(`is ${what}`, () => {
      assert.equal(minExportReads([{ from, to }], { maxRangeDays, dates }), reads);
    });
});

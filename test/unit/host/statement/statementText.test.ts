import { monthAt } from '../../../../src/account/statement/statementMonth.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import { coverageOfMonthText } from '../../../../src/host/statement/statementText.ts';
import { assertApprovedLines } from '../../../support/approved.ts';
import { aDisplay } from '../../../support/display.ts';

type Part = readonly [from: number, to: number];

const month = monthAt(Date.UTC(2026, 7, 1), new TimeZone('UTC'));
const known = { completeness: 'complete', reason: null, asOf: 0 } as const;
const at = (day: number, hour = 0, minute = 0): number => Date.UTC(2026, 7, day, hour, minute);
const later = Date.UTC(2026, 10, 20);
const during = at(20, 10);

const months: Readonly<Record<string, readonly [now: number, ...complete: readonly Part[]]>> = {
  'all of it': [later, [at(1), month.to]],
  'its end': [later, [at(28, 14, 25), month.to]],
  'its start': [later, [0, at(9)]],
  'its middle': [later, [at(2), at(9)]],
  'two parts': [later, [at(1), at(5)], [at(9), month.to]],
  nothing: [later],
  'another month': [later, [later, later + 1]],
  'all until now': [during, [at(1), during]],
  'a part until now': [during, [at(3), at(20)]],
  'nothing until now': [during],
};

describe('how much of a month a statement has', () => {
  it('is from when to when it is complete, and never all of a month that is not over yet', () => {
    const lines = Object.entries(months).map(([name, [now, ...complete]]) => {
      const parts = complete.map(([from, to]) => ({ from, to, ...known }));
      return `${name}: ${coverageOfMonthText([{ parts }], month, aDisplay(), now)}`;
    });
    assertApprovedLines('text/partsOfMonth', lines);
  });
});

import assert from 'node:assert/strict';
import {
  dateText,
  dayIn,
  monthAt,
  monthBefore,
  monthsOf,
  monthVerdicts,
  nearestCheckpoints,
} from '../../../../src/account/statement/statementMonth.ts';
import type { Interval } from '../../../../src/base/interval.ts';
import type { Checkpoint, IdentityReport, SubjectReport } from '../../../../src/ledger/ledger.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import { hourMs, minuteMs } from '../../../../src/base/time.ts';

describe('a month of a statement', () => {
  const berlin = new TimeZone('Europe/Berlin');

  it('begins and ends at midnight of its zone', () => {
    const { name, from, to } = monthAt(Date.parse('2026-10-15T00:00:00Z'), berlin);
    assert.deepEqual(
      [name, new Date(from).toISOString(), new Date(to).toISOString()],
      ['2026-10', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
    );
  });

  it('follows the one before, also over the end of a year', () => {
    const january = monthAt(Date.parse('2026-01-01T00:00:00Z'), berlin);
    const december = monthBefore(january);
    assert.deepEqual([december.name, december.to], ['2025-12', january.from]);
  });

  it('is listed if the period touches it, newest first', () => {
    const period = {
      from: Date.parse('2025-11-30T22:59:00Z'),
      to: Date.parse('2026-01-31T23:00Z'),
    };
    const names = monthsOf(period, berlin).map(({ name }) => name);
    assert.deepEqual(names, ['2026-01', '2025-12', '2025-11']);
    assert.deepEqual(monthsOf({ from: 5, to: 5 }, berlin), []);
  });

  it('has days that never go back, even where midnight comes twice', () => {
    const beirut = new TimeZone('Asia/Beirut');
    const month = monthAt(Date.parse('2025-10-15T00:00:00Z'), beirut);
    // On 26 October 2025 at 00:00, the clocks went back to 23:00 of the 25th.
    const secondMidnight = Date.parse('2025-10-25T22:00:00Z');
    const before = dayIn(month, secondMidnight - hourMs - minuteMs, month.firstDay);
    const again = dayIn(month, secondMidnight - minuteMs, before);
    const after = dayIn(month, secondMidnight, again);
    assert.deepEqual([before, again, after].map(dateText), [
      '2025-10-25',
      '2025-10-25',
      '2025-10-26',
    ]);
    assert.equal(dayIn(month, secondMidnight - minuteMs, after), after);
    assert.equal(dateText(dayIn(month, month.to + hourMs, month.firstDay)), '2025-10-31');
  });
});

describe('what the reconciliation says of a month', () => {
  const month = { from: 100, to: 200 };
  const whole = { ...month, intervals: 1 };
  const gap = { from: 150, to: 160, remainder: '1', key: null };
  const subject = {
    ...{ subject: 'usdt', verdict: 'undecided', reason: null, held: 0, withoutTrade: [] },
    ...{ rounded: '0', intervals: [], intervalCount: 0, candidates: [], contradictions: [] },
    periods: [] as readonly (typeof whole)[],
  } as const satisfies SubjectReport;
  const identity = {
    ...{ identity: 'deposited', reading: 'FUTURE', histories: [], applicability: 'applies' },
    ...{ held: 9, failed: 0, covered: [], subjects: [] },
  } as const satisfies IdentityReport;

  const cases: readonly (readonly [
    ...[what: string, subject: Partial<SubjectReport>, of: Partial<IdentityReport>],
    said: string,
  ])[] = [
    ['a period has all of it', { periods: [whole] }, {}, 'proved'],
    ['a period ends before', { periods: [{ ...whole, to: 199 }] }, {}, 'undecided notCovered'],
    ['a period begins later', { periods: [{ ...whole, from: 101 }] }, {}, 'undecided notCovered'],
    ['records agree, and cover it', { held: 1 }, { covered: [month] }, 'proved'],
    ['no record agrees', { held: 0 }, { covered: [month] }, 'undecided notCovered'],
    ['a part of it is wrong', { periods: [whole], contradictions: [gap] }, {}, 'contradicted'],
    ['it ends with a wrong part', { contradictions: [{ ...gap, from: 199 }] }, {}, 'contradicted'],
    [
      'what is before is wrong',
      { periods: [whole], contradictions: [{ ...gap, to: 100 }] },
      {},
      'proved',
    ],
    [
      'what follows is wrong',
      { periods: [whole], contradictions: [{ ...gap, from: 200 }] },
      {},
      'proved',
    ],
    [
      'it is not learned',
      { periods: [whole] },
      { applicability: 'undecided' },
      'undecided notLearned',
    ],
    [
      'it never applies',
      { periods: [whole] },
      { applicability: 'doesNotApply' },
      'undecided doesNotApply',
    ],
  ];
  for (const [what, fields, of, said] of cases)
    it(`is “${said}” if ${what}`, () => {
      const report = [{ ...identity, ...of, subjects: [{ ...subject, ...fields }] }];
      const [{ verdict, reason } = assert.fail()] = monthVerdicts(report, month);
      assert.equal([verdict, ...(reason ? [reason] : [])].join(' '), said);
    });
});

describe('the checkpoints at the ends of a month', () => {
  it('are the nearest whose whole bracket lies before, and after', async () => {
    const moment = Date.UTC(2026, 0, 1);
    const at = (ms: number) => ({ sentAt: moment + ms, answeredAt: moment + ms, clockErrorMs: 10 });
    const all = [-9e8, -7e6, -6e6, -4000, 5, 9, 10, 20_000].map(at) as unknown as Checkpoint[];
    const checkpoints = ({ from, to }: Interval) =>
      Promise.resolve(all.filter(({ answeredAt }) => from <= answeredAt && answeredAt < to));
    const { before, after } = await nearestCheckpoints({ checkpoints }, moment);
    assert.deepEqual([before?.sentAt, after?.sentAt], [moment - 6e6, moment + 10]);
    const none = await nearestCheckpoints({ checkpoints }, moment - 1e10);
    assert.deepEqual([none.before, none.after?.sentAt], [null, moment - 9e8]);
  });
});

import assert from 'node:assert/strict';
import { monthAt } from '../../../../src/account/statement/statementMonth.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import type { StatementCheck } from '../../../../src/account/statement/verifyStatement.ts';
import {
  checkText,
  coverageOfMonthText,
  isDamaged,
  writtenText,
} from '../../../../src/host/statement/statementText.ts';
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
  'all of it, just over': [month.to, [at(1), month.to]],
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

describe('what is said of a statement', () => {
  const name = '/folder/statement-[Main](x)-2026-08';
  const complete = { parts: [{ from: month.from, to: month.to, ...known }] };
  const gap = { ...complete.parts[0], to: at(9), completeness: 'unknown' };
  const written = (histories: readonly object[], ...verdicts: readonly string[]): string => {
    const contents = { month, histories, verdicts: verdicts.map((verdict) => ({ verdict })) };
    return writtenText({ folder: name, contents } as never, aDisplay(), later);
  };
  const whole: StatementCheck = {
    ...{ damaged: [], missing: [], others: [], files: 8, previous: 'none' },
    statement: { profile: 'Main', month: '2026-08', zone: 'UTC', completeness: 'complete' },
  };
  const incomplete = { ...whole.statement, completeness: 'incomplete' } as typeof whole.statement;
  const files = ['a.csv', 'b.csv', 'c.csv', 'd.csv', 'e.csv', 'f.csv'];
  const checks: readonly Partial<StatementCheck>[] = [
    ...[{}, { statement: incomplete }, { statement: null }, { others: files.slice(0, 1) }],
    ...[{ damaged: files.slice(0, 5) }, { damaged: files }, { missing: files.slice(0, 1) }],
    ...(['same', 'different', 'notBeside'] as const).map((previous) => ({ previous })),
  ];

  it('is complete only if every history of it is, and what its records contradict', () => {
    assertApprovedLines('statement/written', [
      written([complete, complete], 'proved', 'undecided'),
      written([complete, { parts: [gap] }], 'proved'),
      written([complete], 'proved', 'contradicted'),
    ]);
  });

  it('is which files are not as they were written, and never that it was not forged', () => {
    const lines = checks.map((fields) => checkText(name, { ...whole, ...fields }));
    assertApprovedLines('statement/checks', lines);
    const isWrong = checks.map((fields) => isDamaged({ ...whole, ...fields }));
    assert.deepEqual(
      isWrong,
      lines.map((line) => line.includes('was changed')),
    );
  });
});

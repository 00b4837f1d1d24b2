import path from 'node:path';
import type { Interval } from '../../base/interval.ts';
import { isComplete } from '../../account/statement/manifest.ts';
import type { StatementCheck } from '../../account/statement/verifyStatement.ts';
import type { WrittenStatement } from '../../account/statement/writeStatement.ts';
import { completeInAll } from '../../account/statement/statementMonth.ts';
import type { Display } from '../../base/display.ts';
import { t } from '../shared/translate.ts';
import { monthCoverageText } from '../text/partOfPeriodText.ts';
import { joined, untrustedText } from '../text/messageText.ts';

/** What was written. It says that a month is complete only if that is proven. */
export function writtenText(
  { folder, contents }: WrittenStatement,
  display: Display,
  now: number,
): string {
  const { month, verdicts } = contents;
  const [zone, name] = [month.zone.name, folderText(folder)];
  const isContradicted = verdicts.some(({ verdict }) => verdict === 'contradicted');
  return joined(
    isComplete(contents)
      ? t('The complete statement of {0}, {1}, was written to {2}.', month.name, zone, name)
      : t('An incomplete statement of {0}, {1}, was written to {2}.', month.name, zone, name),
    isComplete(contents)
      ? ''
      : t(
          'Of this month: {0}. manifest.json lists what is missing.',
          coverageOfMonthText(contents.histories, month, display, now),
        ),
    isContradicted
      ? t('The reconciliation contradicts some of its records: manifest.json says which.')
      : '',
  );
}

/** Which part of a month a statement of it has. */
export function coverageOfMonthText(
  histories: Parameters<typeof completeInAll>[0],
  month: Interval,
  display: Display,
  now: number,
): string {
  return monthCoverageText(completeInAll(histories), month, now, display, t('nothing is complete'));
}

/** What a check found. It says what it cannot find. */
export function checkText(folder: string, check: StatementCheck): string {
  const { damaged, missing, others } = check;
  const name = folderText(folder);
  return joined(
    isDamaged(check)
      ? t('{0} was changed after it was written.', name)
      : t('{0} is unchanged: {1} files.', name, check.files),
    damaged.length > 0 ? t('Damaged: {0}.', filesText(damaged)) : '',
    missing.length > 0 ? t('Missing: {0}.', filesText(missing)) : '',
    others.length > 0 ? t('Not part of it: {0}.', filesText(others)) : '',
    statementText(check),
    previousText(check),
    t('A check finds damage, not forgery.'),
  );
}

export function isDamaged({ damaged, missing }: StatementCheck): boolean {
  return damaged.length > 0 || missing.length > 0;
}

function statementText({ statement }: StatementCheck): string {
  if (!statement) return '';
  const month = untrustedText(`${statement.month}, ${statement.zone}`);
  const profile = untrustedText(statement.profile);
  return statement.completeness === 'complete'
    ? t('Statement of {0} ({1}): complete.', profile, month)
    : t('Statement of {0} ({1}): incomplete. manifest.json lists what is missing.', profile, month);
}

function previousText({ previous }: StatementCheck): string {
  return {
    none: '',
    same: t('The statement of the month before is the one that it follows.'),
    different: t('The statement of the month before is not the one that it follows.'),
    notBeside: t('The statement of the month before is not beside it.'),
  }[previous];
}

function folderText(folder: string): string {
  return untrustedText(path.basename(folder), 300);
}

const mostNamed = 5;

function filesText(names: readonly string[]): string {
  const named = names.slice(0, mostNamed).map((name) => untrustedText(name, 100));
  const more = names.length - named.length;
  return more > 0 ? t('{0} and {1} more', named.join(', '), more) : named.join(', ');
}

import { l10n } from 'vscode';
import { exportEnd, type ReadDoubt } from '../../account/export/exportEnd.ts';
import { ExportFileError } from '../../account/export/exportFileError.ts';
import type { ExportPlan } from '../../account/export/exportPlan.ts';
import type { Progress } from '../../account/export/progress.ts';
import type { Display } from '../../base/display.ts';
import { quoted, sentenceFor } from '../words.ts';
import type { HistoryName } from '../../exchange/histories.ts';

/** How the messages of an export name a history. */
export function historyWords(operation: HistoryName): string {
  switch (operation) {
    case 'orders':
      return l10n.t('the order history');
    case 'trades':
      return l10n.t('the trade history');
    case 'lots':
      return l10n.t('the liquidation lots');
    case 'transactions':
      return l10n.t('the transaction history');
    default:
      return operation satisfies never;
  }
}

/** Whose rows an export holds, and of what. */
export function subjectWords({ operation, profile, environment }: ExportPlan): string {
  return l10n.t('{0} of {1} · {2}', historyWords(operation), quoted(profile), environment);
}

/** `12,000 rows · weight 240 · about 3 min left`. */
export function progressWords(
  rows: number,
  weight: number,
  leftMs: number | undefined,
  display: Display,
): string {
  const words = [rowsWords(rows, display), l10n.t('weight {0}', display.count(weight))];
  return [...words, ...(leftMs === undefined ? [] : [leftWords(leftMs, display)])].join(' · ');
}

/** What became of an export that ran to its end, in words that promise no more than is known. */
export function endWords(
  plan: ExportPlan,
  progress: Progress,
  fileName: string,
  display: Display,
): string {
  const { rows, badRecords, unmatched, end } = progress;
  const isWhole = exportEnd(progress).completeness === 'complete';
  const [what, where] = [subjectWords(plan), quoted(fileName, 300)];
  const count = display.count(rows);
  const exported = isWhole
    ? l10n.t('Exported all {0} matching rows of {1} to {2}.', count, what, where)
    : l10n.t('Exported {0} rows of {1} to {2}.', count, what, where);
  const ignored = Object.entries(unmatched).map((one) => unmatchedWords(one, display));
  const doubts = [completenessWords(end), ...ignored, badRecordsWords(badRecords.atMost, display)];
  return [exported, ...doubts].filter((words) => words !== '').join(' ');
}

/** Why an export stopped, and what is kept of it. */
export function failureWords(error: unknown, rows: number, display: Display): string {
  const why = error instanceof ExportFileError ? fileWords(error) : sentenceFor(error, display);
  return `${why} ${keptWords(rows, display)}`;
}

/** What is left of an export that did not run to its end. */
export function keptWords(rows: number, display: Display): string {
  return rows === 0
    ? l10n.t('No row had been read yet: nothing is kept.')
    : l10n.t(
        '{0} are kept for 24 hours: export the same again to go on.',
        rowsWords(rows, display),
      );
}

/** Why an export cannot go on with what was kept of it. */
export function takenWords(plan: ExportPlan): string {
  return l10n.t(
    'Nothing was exported: another window goes on with what was kept of the export of {0}. Wait for it there, or export again.',
    subjectWords(plan),
  );
}

export function rowsWords(rows: number, display: Display): string {
  return rows === 1 ? l10n.t('1 row') : l10n.t('{0} rows', display.count(rows));
}

function leftWords(leftMs: number, display: Display): string {
  const minutes = Math.ceil(leftMs / 60_000);
  if (minutes <= 1) return l10n.t('less than a minute left');
  if (minutes < 120) return l10n.t('about {0} min left', display.count(minutes));
  return l10n.t('about {0} h left', display.count(Math.ceil(minutes / 60)));
}

function completenessWords(end: Progress['end']): string {
  if (end?.completeness === 'complete') return '';
  if (end?.completeness === 'drifted')
    return l10n.t(
      'Records changed while they were read, or the exchange counts more than it gave, so that some may be missing: export again to be sure.',
    );
  // How many rows that were, and of which filter, is said anyway.
  if (end?.reason === 'filterIgnored') return '';
  return end?.reason
    ? l10n.t('Whether these are all is not known: {0}.', doubtWords(end.reason))
    : l10n.t('Whether these are all is not known.');
}

function doubtWords(doubt: Exclude<ReadDoubt, 'filterIgnored'>): string {
  switch (doubt) {
    case 'readsUsedUp':
      return l10n.t('there were more pages than one export reads');
    case 'endsIgnored':
      return l10n.t('the exchange gave rows outside the period');
    case 'unreadablePage':
      return l10n.t('no row of a page could be read');
    case 'pagesRepeat':
      return l10n.t('the exchange answered two different questions with the same rows');
    case 'pageRefused':
      return l10n.t('the exchange refused a page that was needed');
    case 'pagesVary':
      return l10n.t(
        'the exchange answered the same question with another number of rows each time',
      );
    case 'crowdedInstant':
      return l10n.t(
        'so many rows have the same time that they do not fit into one answer, and the exchange gave them in another order or number each time',
      );
    case 'orderBroke':
      return l10n.t('the rows were not in order of time');
    case 'listsUndecided':
      return l10n.t('it is undecided how the exchange reads several statuses');
    case 'datesUndecided':
      return l10n.t('it is undecided how the exchange reads dates');
    case 'zoneUnknown':
      return l10n.t('the exchange’s time zone is not known here');
    default:
      return doubt satisfies never;
  }
}

function unmatchedWords([parameter, rows]: [string, number], display: Display): string {
  return l10n.t(
    'The exchange did not heed the filter {0}: the file has {1} beside what was asked for.',
    parameter,
    rowsWords(rows, display),
  );
}

function badRecordsWords(count: number, display: Display): string {
  if (count === 0) return '';
  return count === 1
    ? l10n.t(
        '1 record could not be read and is missing; the .meta.json beside the file says which.',
      )
    : l10n.t(
        'Up to {0} records could not be read and are missing; the .meta.json beside the file says which.',
        display.count(count),
      );
}

function fileWords({ problem, place, code }: ExportFileError): string {
  const where =
    place === 'target' ? l10n.t('the chosen folder') : l10n.t('the extension’s own folder');
  switch (problem) {
    case 'full':
      return l10n.t('The disk of {0} is full: make room, then resume.', where);
    case 'forbidden':
      return place === 'target'
        ? l10n.t(
            'The system did not let the file be written: close it where another program has it open, or export again to another folder.',
          )
        : l10n.t('The system does not let files be written in {0}: check its permissions.', where);
    case 'missing':
      return l10n.t('A file or folder is gone that was needed in {0}.', where);
    case 'changed':
      return l10n.t('Another program changed the rows of this export in {0}.', where);
    case 'other':
      return l10n.t('The system could not write in {0} ({1}).', where, code);
    default:
      return problem satisfies never;
  }
}

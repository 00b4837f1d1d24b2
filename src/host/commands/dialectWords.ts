import { l10n } from 'vscode';
import type { Display } from '../../base/display.ts';
import type { DialectBook, EntryStanding } from '../../exchange/dialect/dialectBook.ts';
import type { Finding } from '../../exchange/dialect/facts.ts';

/** In a line or two: what is seen of an exchange's dialect, and what is only assumed. */
export function dialectWords({ standings, facts }: DialectBook, display: Display): string {
  const named = (source: EntryStanding['source']) =>
    standings
      .filter((standing) => standing.source === source && standing.entry !== 'overLimitStatuses')
      .map(({ entry, value }) => `${entry} ${valueWords(value)}`)
      .join(', ');
  const [seen, assumed] = [named('seen'), named('assumed')];
  const words = [
    seen === '' ? '' : l10n.t('Seen: {0}.', seen),
    assumed === '' ? '' : l10n.t('Undecided, so assumed: {0}.', assumed),
    facts.probe
      ? l10n.t('The detection cost {0} of the limit’s weight.', display.count(facts.probe.weight))
      : '',
  ];
  return words.filter((sentence) => sentence !== '').join(' ');
}

/** A value as settings.json has it, without quotes. */
export function valueWords(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Why something was concluded, or nothing was: one sentence. */
export function reasonWords({ reason, concluded }: Finding): string {
  const { t } = l10n;
  switch (reason) {
    case 'pagesFollow':
      return t(
        'The rows of the pages follow each other as counted from {0}.',
        valueWords(concluded),
      );
    case 'zeroIsFirstAgain':
      return t(
        'The rows of page 2 are those of the second page: page 0 gives the first page again.',
      );
    case 'zeroRefused':
      return t('Page 0 was refused, page 1 was answered.');
    case 'zeroEmpty':
      return t('Page 0 was empty, page 1 was not.');
    case 'pageNotHeeded':
      return t('Every page has the same rows: the number is not heeded.');
    case 'datesHeeded':
      return t('Of the dates that were tried, these were heeded: the rows inside came, no others.');
    case 'datesNotHeeded':
      return t('No way to write dates gave the rows of the period and no others.');
    case 'endIn':
      return t('The rows at the end of the period were in the answer.');
    case 'endOut':
      return t('The rows at the end of the period were not in the answer.');
    case 'endNotSeen':
      return t('No row could show whether the end of a period belongs to it.');
    case 'tooFewTimes':
      return t('The history has too few rows of different times.');
    case 'timesInOrder':
      return t('The times of the rows are in this order.');
    case 'timesOutOfOrder':
      return t('The times of the rows are in no order, or not in the same everywhere.');
    case 'smallerPages':
      return t('A page held fewer rows than were asked, and there were more.');
    case 'largePagesRefused':
      return t('A larger page was refused, one of this size was answered.');
    case 'wholePage':
      return t('A page held as many rows as were asked.');
    case 'sizeDoesNotTell':
      return t('The history has too few rows to meet a bound.');
    case 'valuesMatch':
      return t('Rows of every status that was asked came, and no others.');
    case 'valuesDoNotTell':
      return t('No way to write several statuses gave rows of all of them and no others.');
    case 'rangeRefused':
      return t('A longer period was refused, one of so many days was answered.');
    case 'noRows':
      return t('The lot history is empty.');
    case 'budgetSpent':
      return t('Finding out would have cost more than 70 weight.');
    case 'unreadable':
      return t('The lot history could not be read.');
    case 'rateLimited':
      return t('The rate limit did not let the detection go on.');
    default:
      return reason satisfies never;
  }
}

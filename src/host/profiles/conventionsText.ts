import { l10n } from 'vscode';
import type { Display } from '../../base/display.ts';
import type {
  ConventionResolver,
  ResolvedConvention,
} from '../../exchange/conventions/conventionResolver.ts';
import type { Finding } from '../../exchange/conventions/learnedConventions.ts';

/** A summary: which API conventions are detected, and for which the default is used. */
export function conventionsText(
  { resolved, learned }: ConventionResolver,
  display: Display,
): string {
  const listOf = (source: ResolvedConvention['source']) =>
    resolved
      .filter(
        (convention) => convention.source === source && convention.name !== 'overLimitStatuses',
      )
      .map(({ name, value }) => `${name} ${conventionValueText(value)}`)
      .join(', ');
  const [seen, assumed] = [listOf('seen'), listOf('assumed')];
  const sentences = [
    seen === '' ? '' : l10n.t('Detected: {0}.', seen),
    assumed === '' ? '' : l10n.t('Not verified, defaults used: {0}.', assumed),
    learned.probe ? l10n.t('Used {0} API weight.', display.count(learned.probe.weight)) : '',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** A value as in settings.json, without quotes. */
export function conventionValueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What the answers showed about a convention. */
export function findingText({ reason, concluded }: Finding): string {
  const { t } = l10n;
  switch (reason) {
    case 'pagesFollow':
      return t(
        'Pages are counted from {0}: their rows follow each other.',
        conventionValueText(concluded),
      );
    case 'zeroIsFirstAgain':
      return t('Page 0 returned the first page again, and page 2 the second.');
    case 'zeroRefused':
      return t('Page 0 was refused, page 1 was answered.');
    case 'zeroEmpty':
      return t('Page 0 was empty, page 1 was not.');
    case 'pageNotHeeded':
      return t('The exchange ignored the page number: every page had the same rows.');
    case 'datesHeeded':
      return t('Date format detected: only rows inside the period were returned.');
    case 'datesNotHeeded':
      return t('With no date format were only rows inside the period returned.');
    case 'endIn':
      return t('The rows at the end of the period were in the answer.');
    case 'endOut':
      return t('The rows at the end of the period were not in the answer.');
    case 'endNotSeen':
      return t('No row could show whether the end of a period belongs to it.');
    case 'tooFewTimes':
      return t('The history has too few rows of different times.');
    case 'timesInOrder':
      return t('The rows were in this order.');
    case 'timesOutOfOrder':
      return t('The rows were in no consistent order.');
    case 'smallerPages':
      return t('A page had fewer rows than requested, although there were more.');
    case 'largePagesRefused':
      return t('A larger page was refused, one of this size was answered.');
    case 'wholePage':
      return t('A page had as many rows as requested.');
    case 'sizeDoesNotTell':
      return t('The history has too few rows to reach a limit.');
    case 'valuesMatch':
      return t('Only rows of the requested statuses were returned.');
    case 'valuesDoNotTell':
      return t('With no list format were only rows of the requested statuses returned.');
    case 'rangeRefused':
      return t('A longer period was refused, one of this many days was answered.');
    case 'noRows':
      return t('The lot history is empty.');
    case 'budgetSpent':
      return t('The detection stopped at 70 API weight.');
    case 'unreadable':
      return t('The lot history could not be read.');
    case 'rateLimited':
      return t('The detection stopped at the rate limit.');
  }
}

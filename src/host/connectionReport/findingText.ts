import { l10n } from 'vscode';
import type { Finding } from '../../exchange/conventions/learnedConventions.ts';

/** What the answers showed about a convention. */
export function findingText({ reason, concluded }: Finding): string {
  const { t } = l10n;
  return {
    pagesFollow: t('Pages are counted from {0}: their rows follow each other.', String(concluded)),
    zeroIsFirstAgain: t('Page 0 returned the first page again, and page 2 the second.'),
    zeroRefused: t('Page 0 was refused, page 1 was answered.'),
    zeroEmpty: t('Page 0 was empty, page 1 was not.'),
    pageNotHeeded: t('The exchange ignored the page number: every page had the same rows.'),
    datesHeeded: t('Date format detected: only rows inside the period were returned.'),
    datesNotHeeded: t('No date format returned only rows inside the period.'),
    endIn: t('The rows at the end of the period were in the answer.'),
    endOut: t('The rows at the end of the period were not in the answer.'),
    endNotSeen: t('No row could show whether the end of a period belongs to it.'),
    tooFewTimes: t('The history has too few rows of different times.'),
    timesInOrder: t('The rows were in this order.'),
    timesOutOfOrder: t('The rows were in no consistent order.'),
    smallerPages: t('A page had fewer rows than requested, although there were more.'),
    largePagesRefused: t('A larger page was refused, one of this size was answered.'),
    wholePage: t('A page had as many rows as requested.'),
    sizeDoesNotTell: t('The history has too few rows to reach a limit.'),
    valuesMatch: t('Only rows of the requested statuses were returned.'),
    valuesDoNotTell: t('No list format returned only rows of the requested statuses.'),
    rangeRefused: t('A longer period was refused, one of this many days was answered.'),
    noRows: t('The lot history is empty.'),
    budgetSpent: t('The detection stopped at 70 API weight.'),
    unreadable: t('The lot history could not be read.'),
    rateLimited: t('The detection stopped at the rate limit.'),
  }[reason];
}

import type { ConventionName } from '../../exchange/conventions/apiConventions.ts';
import { t } from '../shared/translate.ts';

export function conventionLabel(name: ConventionName): string {
  return {
    firstPage: t('First page'),
    dates: t('Date format'),
    lists: t('Several values'),
    maxPageSize: t('Largest page'),
    maxRangeDays: t('Longest period, in days'),
    sort: t('Order of rows'),
    dateTo: t('End of a period'),
    overLimitStatuses: t('Statuses for too many requests'),
  }[name];
}

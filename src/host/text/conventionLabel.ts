import { l10n } from 'vscode';
import type { ConventionName } from '../../exchange/conventions/apiConventions.ts';

export function conventionLabel(name: ConventionName): string {
  return {
    firstPage: l10n.t('First page'),
    dates: l10n.t('Date format'),
    lists: l10n.t('Several values'),
    maxPageSize: l10n.t('Largest page'),
    maxRangeDays: l10n.t('Longest period, in days'),
    sort: l10n.t('Order of rows'),
    dateTo: l10n.t('End of a period'),
    overLimitStatuses: l10n.t('Statuses for too many requests'),
  }[name];
}

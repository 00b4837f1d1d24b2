import type { ReadIncompleteReason } from '../../exchange/history/readToEnd.ts';
import { t } from '../shared/translate.ts';

/** Why rows of a read may be missing, as a part of a sentence; undefined for what is no reason of a read. */
export function incompleteReasonText(reason: string): string | undefined {
  const texts: Readonly<Record<Exclude<ReadIncompleteReason, 'filterIgnored'>, string>> = {
    readsUsedUp: t('there were more pages than one export reads'),
    endUnproven: t('no answer showed that the last row was reached'),
    countDisagrees: t('the exchange counts more rows than it returned'),
    edgesUnproven: t('it is not verified that the exchange applies the ends of a period exactly'),
    orderUnproven: t('the rows were sorted by time at first, and then not'),
    movedUnseen: t('rows kept moving between pages while they were read'),
    depthUnproven: t('the exchange may limit the rows that it returns for one period'),
    spanUnproven: t('the exchange may answer only a part of a long period'),
    endsIgnored: t('the exchange returned rows outside the period'),
    datesUndecided: t(
      'the date format of the exchange is not verified; run “Margin Desk: Test Connection”',
    ),
    zoneUnknown: t('the exchange’s time zone is unknown'),
    unreadableRecords: t('some records could not be read'),
  };
  return Object.hasOwn(texts, reason) ? texts[reason as keyof typeof texts] : undefined;
}

import { l10n } from 'vscode';
import type { ReadIncompleteReason } from '../../exchange/history/readToEnd.ts';

type Reason = Exclude<ReadIncompleteReason, 'filterIgnored'>;

/** Why rows of a read may be missing, as a part of a sentence. */
export function incompleteReasonText(reason: Reason): string {
  return reasonTexts()[reason];
}

/** Stored reasons may be those of another version. */
export function isIncompleteReason(reason: string): reason is Reason {
  return Object.hasOwn(reasonTexts(), reason);
}

function reasonTexts(): Readonly<Record<Reason, string>> {
  const { t } = l10n;
  return {
    readsUsedUp: t('there were more pages than one export reads'),
    endUnproven: t('no answer showed that the last row was reached'),
    countDisagrees: t('the exchange counts more rows than it returned'),
    edgesUnproven: t('it is not verified that the exchange applies the ends of a period exactly'),
    orderUnproven: t('the rows were sorted by time at first, and then not'),
    movedUnseen: t('rows kept moving between pages while they were read'),
    depthUnproven: t('the exchange may limit the rows that it returns for one period'),
    endsIgnored: t('the exchange returned rows outside the period'),
    listsUndecided: t('it is not verified how the exchange reads several statuses'),
    datesUndecided: t(
      'the date format of the exchange is not verified; run “Margin Desk: Test Connection”',
    ),
    zoneUnknown: t('the exchange’s time zone is unknown'),
  };
}

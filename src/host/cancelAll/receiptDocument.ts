import { l10n } from 'vscode';
import type { CancelReport } from '../../account/cancelAll/cancelAll.ts';
import { lastReadBack } from '../../account/cancelAll/receipts.ts';
import type { Display } from '../../base/display.ts';
import type { ColumnLayout } from '../../protocol/gridMessages.ts';
import type { ReceiptDocument } from '../../protocol/receipt.ts';
import { pageAccount } from '../text/pageAccount.ts';
import { lockedTable } from './lockedTable.ts';
import { outcomeIcon, outcomeLabel, outcomeSentences, outcomeSeverity } from './outcomeText.ts';
import { receiptTimeline } from './receiptTimeline.ts';
import { returnedTables } from './returnedTables.ts';

/**
 * Everything in a receipt, with every digit that privacy mode leaves, and times in both zones. For a page,
 * with the layout of its grid.
 */
export function receiptDocument(
  report: CancelReport,
  display: Display,
  layout?: ColumnLayout,
): ReceiptDocument {
  const { receipt } = report;
  const { t } = l10n;
  return {
    title: t('Cancel-all receipt'),
    account: pageAccount({ ...receipt, name: receipt.profile }, receipt.origin),
    sentAt: display.timeInBothZones(String(receipt.sentAt)),
    outcome: outcome(report, display),
    notes: report.isSaved
      ? []
      : [t('This receipt could not be stored. Save it as JSON to keep it.')],
    timeline: { title: t('Timeline'), steps: receiptTimeline(report, display) },
    tables: [lockedTable(receipt, display), ...returnedTables(receipt, display, layout)],
    buttons: { copy: t('Copy as Markdown'), copied: t('Copied'), save: t('Save as JSON…') },
    hiddenWord: t('hidden'),
  };
}

function outcome(
  { receipt, isActive }: CancelReport,
  display: Display,
): ReceiptDocument['outcome'] {
  const isInProgress = receipt.outcome === 'sending' && isActive;
  const read = lastReadBack(receipt);
  return {
    icon: isInProgress ? 'inProgress' : outcomeIcon(receipt.outcome),
    tone: isInProgress ? 'information' : outcomeSeverity(receipt),
    word: isInProgress ? l10n.t('in progress') : outcomeLabel(receipt.outcome),
    sentences: isInProgress
      ? [l10n.t('The request was sent. Its answer is not here yet.')]
      : outcomeSentences(receipt, display),
    asOf: read ? l10n.t('As of {0}.', display.timeOfDay(String(read.at))) : null,
  };
}

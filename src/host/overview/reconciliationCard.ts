import { l10n } from 'vscode';
import type { OverviewCard } from '../../protocol/overview.ts';
import { verdictCountTexts } from '../reconciliation/verdictText.ts';
import type { AccountContext } from './overviewContext.ts';

/** Whether the ledger agrees with the exchange; nothing for an account without a ledger. */
export function reconciliationCards({
  reconciliation: state,
  display,
}: Pick<AccountContext, 'reconciliation' | 'display'>): OverviewCard[] {
  const { t } = l10n;
  if (state.kind === 'noLedger') return [];
  const isComputed = state.kind === 'computed';
  return [
    {
      label: t('Reconciliation'),
      isOfAccount: false,
      lines: isComputed ? verdictCountTexts(state.report, display) : [{ text: textOf(state.kind) }],
      notes: isComputed ? [t('Compared at {0}', display.timeOfDay(String(state.computedAt)))] : [],
      buttons: [
        { action: 'openReconciliation', label: t('Open Reconciliation') },
        { action: 'openAnalysis', label: t('Open Analysis') },
      ],
    },
  ];
}

function textOf(kind: 'waiting' | 'computing' | 'failed'): string {
  return kind === 'failed'
    ? l10n.t('The records could not be compared.')
    : l10n.t('Comparing the records…');
}

import { l10n } from 'vscode';
import type { Display } from '../../base/display.ts';
import type { ReconciliationReport } from '../../ledger/ledger.ts';
import { verdictCounts } from '../../ledger/reconciliation/contradictions.ts';
import type { Label } from '../../protocol/documentTable.ts';
import type { OverviewCard } from '../../protocol/overview.ts';
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
      lines: isComputed ? verdictLines(state.report, display) : [{ text: textOf(state.kind) }],
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

/** What is contradicted comes first. */
function verdictLines(report: ReconciliationReport, display: Display): Label[] {
  const { t } = l10n;
  const { proved, contradicted, undecided } = verdictCounts(report);
  const count = (value: number): string => display.count(value);
  return [
    ...(contradicted > 0
      ? [{ text: t('{0} contradicted', count(contradicted)), tone: 'critical' as const }]
      : []),
    { text: t('{0} proved', count(proved)) },
    ...(undecided > 0 ? [{ text: t('{0} undecided', count(undecided)) }] : []),
  ];
}

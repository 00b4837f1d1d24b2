import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import type { NamedContradiction } from '../../ledger/reconciliation/contradictions.ts';
import { commands } from '../shared/contributions.ts';
import { writeSetting } from '../settings/settings.ts';
import { settingValue } from '../settings/settingValues.ts';
import { accountLabel, untrustedText } from '../text/messageText.ts';

const mostNamed = 3;
const setting = 'marginDesk.alerts.reconciliation';

/** Says once that the ledger of the open account does not agree with the exchange. */
export async function showContradictions(
  { state }: Pick<ActiveAccount, 'state'>,
  contradictions: readonly NamedContradiction[],
): Promise<void> {
  if (state.kind !== 'open' || !settingValue(setting)) return;
  const { t } = vscode.l10n;
  const open = { title: t('Open Reconciliation') };
  const turnOff = { title: t('Do Not Show Again') };
  const names = [...new Set(contradictions.map(({ subject }) => untrustedText(subject, 40)))];
  const text = t(
    '{0}: the records of the ledger contradict what the exchange reported of {1}.',
    accountLabel(state.session.profile),
    names.length > mostNamed ? `${names.slice(0, mostNamed).join(', ')}, …` : names.join(', '),
  );
  const chosen = await vscode.window.showWarningMessage(text, open, turnOff);
  if (chosen === open) await vscode.commands.executeCommand(commands.openReconciliation);
  if (chosen === turnOff) await writeSetting(setting, false);
}

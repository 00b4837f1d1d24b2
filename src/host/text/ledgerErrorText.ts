import { l10n } from 'vscode';
import type { LedgerError } from '../../ledger/ledgerError.ts';

/** Why a ledger could not be used, and what to do. */
export function ledgerErrorText({ problem, code }: LedgerError): string {
  const { t } = l10n;
  switch (problem) {
    case 'unsupported':
      return t('The ledger needs SQLite, which this version of VS Code does not have.');
    case 'missing':
      return t('The ledger file is gone. Run “Margin Desk: Download History…” again.');
    case 'newer':
      return t('A newer version of Margin Desk wrote this ledger. Update the extension.');
    case 'notALedger':
      return t('The file is not a ledger. Choose a file of “Margin Desk: Back Up Ledger…”.');
    case 'damaged':
      return t('The ledger file is damaged. It is set aside, and a new one is started.');
    case 'full':
      return t('The disk is full. Free some space, then try again.');
    case 'forbidden':
      return t('No permission to use the file or its folder. Check their permissions.');
    case 'busy':
      return t('Another program uses the ledger file. Try again.');
    case 'otherWriter':
      return t('Another window is using this ledger. Continue there, or close that window.');
    case 'unknownWalk':
    case 'ended':
      return t('The ledger was closed. Try again.');
    case 'other':
      return t('The system could not use the ledger file ({0}).', code);
  }
}

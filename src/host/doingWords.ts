import { l10n } from 'vscode';
import type { OperationName } from '../exchange/operations.ts';

/** What is done by an operation, as a part of a sentence. */
export function doingWords(operation: OperationName): string {
  switch (operation) {
    case 'accounts':
      return l10n.t('reading the account');
    case 'orders':
      return l10n.t('reading the order history');
    case 'trades':
      return l10n.t('reading the trade history');
    case 'lots':
      return l10n.t('reading the liquidation lots');
    case 'transactions':
      return l10n.t('reading the transactions');
    case 'leverage':
      return l10n.t('reading the leverage rules');
    case 'feeTiers':
      return l10n.t('reading the fee tiers');
    case 'exchangeInfo':
      return l10n.t('reading exchange information');
    case 'cancelAll':
      return l10n.t('cancelling all open orders');
    default:
      return operation satisfies never;
  }
}

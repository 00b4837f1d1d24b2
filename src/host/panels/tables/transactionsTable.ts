import { l10n } from 'vscode';
import type { Transaction } from '../../../exchange/records.ts';
import type { HistoryTableOf, RecordColumn } from '../tableDefinition.ts';
import { periodFilters, type FilterSuggestions } from '../tableFilters.ts';

const types = [
  'DEPOSIT',
  'WITHDRAW',
  'FEE',
  'FUNDING_FEE',
  'REALIZED_PL',
  'LIQUIDATION_FEE',
  'TRANSFER_TO_SPOT',
  'TRANSFER_TO_FUTURE',
  'REWARD',
];

/** The transaction history (sections 2.5 and 4.4). */
export function transactionsTable(): HistoryTableOf<'transactions'> {
  return {
    kind: 'history',
    operation: 'transactions',
    title: l10n.t('Transaction History'),
    columns: transactionColumns(),
    filters: transactionFilters,
    // The API requires an account type in every request.
    defaults: { accountType: 'FUTURE' },
  };
}

function transactionColumns(): readonly RecordColumn<Transaction>[] {
  const { t } = l10n;
  return [
    { field: 'time', label: t('Time'), kind: 'time' },
    { field: 'type', label: t('Type'), kind: 'enum' },
    { field: 'asset', label: t('Asset'), kind: 'text' },
    { field: 'amount', label: t('Amount'), kind: 'decimal' },
    { field: 'link', label: t('Link'), kind: 'link' },
    { field: 'transactionId', label: t('Transaction id'), kind: 'id' },
    { field: 'transactionUuid', label: t('Transaction UUID'), kind: 'text' },
  ];
}

function transactionFilters({
  assets,
}: FilterSuggestions): ReturnType<HistoryTableOf<'transactions'>['filters']> {
  const { t } = l10n;
  return [
    {
      parameter: 'accountType',
      label: t('Account type'),
      kind: 'switch',
      options: ['FUTURE', 'SPOT'],
    },
    { parameter: 'type', label: t('Type'), kind: 'choice', options: types },
    { parameter: 'asset', label: t('Asset'), kind: 'text', options: assets },
    ...periodFilters(),
  ];
}

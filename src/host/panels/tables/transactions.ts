import { l10n } from 'vscode';
import type { TransactionQuery } from '../../../exchange/queries.ts';
import type { Transaction } from '../../../exchange/records.ts';
import type { Filter, TableFilters, TableQuery } from '../../../protocol/table.ts';
import { periodOf, textOf } from '../filterValues.ts';
import { periodFilters } from '../filters.ts';
import { historyTable } from '../historyTable.ts';
import type { OfferedNames } from '../offeredNames.ts';
import type { ColumnOf, Table } from '../table.ts';

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
export function transactionsTable(): Table {
  return historyTable<Transaction>({
    title: l10n.t('Transaction History'),
    columns: transactionColumns(),
    filters: transactionFilters,
    request: (filters) => ({ operation: 'transactions', filters: transactionParameters(filters) }),
    read: (histories, query, signal) => histories.transactions(transactionQuery(query), signal),
  });
}

function transactionColumns(): readonly ColumnOf<Transaction>[] {
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

function transactionFilters({ assets }: OfferedNames): readonly Filter[] {
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

function transactionQuery({ filters, page, size }: TableQuery): TransactionQuery {
  return { ...transactionParameters(filters), ...periodOf(filters), page, size };
}

/** The interface wants an account type in every query. */
function transactionParameters(filters: TableFilters) {
  return {
    accountType: filters.accountType === 'SPOT' ? 'SPOT' : 'FUTURE',
    type: textOf(filters.type),
    asset: textOf(filters.asset),
  } as const;
}

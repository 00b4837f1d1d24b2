import { l10n } from 'vscode';
import type { LotQuery } from '../../../exchange/queries.ts';
import type { Lot } from '../../../exchange/records.ts';
import type { TableFilters, TableQuery } from '../../../protocol/table.ts';
import { periodOf, textOf } from '../filterValues.ts';
import { periodFilters, sideFilter, symbolFilter } from '../filters.ts';
import { historyTable } from '../historyTable.ts';
import type { ColumnOf, Table } from '../table.ts';

/** The lot history of the liquidation auction (sections 2.4 and 4.3): the venue's, not the account's. */
export function lotsTable(): Table {
  return historyTable<Lot>({
    title: l10n.t('Liquidation Lots of the Venue'),
    note: l10n.t(
      'Lots of the venue’s liquidation auction. The interface does not say whose they were.',
    ),
    columns: lotColumns(),
    filters: (names) => [symbolFilter(names), sideFilter(), ...periodFilters()],
    request: (filters) => ({ operation: 'lots', filters: lotParameters(filters) }),
    read: (histories, query, signal) => histories.lots(lotQuery(query), signal),
  });
}

function lotColumns(): readonly ColumnOf<Lot>[] {
  const { t } = l10n;
  return [
    { field: 'updatedAt', label: t('Updated at'), kind: 'time' },
    { field: 'symbol', label: t('Symbol'), kind: 'text' },
    { field: 'side', label: t('Side'), kind: 'enum' },
    { field: 'amount', label: t('Amount'), kind: 'decimal' },
    { field: 'averageLiquidationPrice', label: t('Average liquidation price'), kind: 'decimal' },
    { field: 'marginCallPrice', label: t('Margin call price'), kind: 'decimal' },
    { field: 'discount', label: t('Discount'), kind: 'decimal' },
    { field: 'totalBids', label: t('Total bids'), kind: 'decimal' },
    { field: 'lotId', label: t('Lot id'), kind: 'id' },
  ];
}

function lotQuery({ filters, page, size }: TableQuery): LotQuery {
  return { ...lotParameters(filters), ...periodOf(filters), page, size };
}

function lotParameters(filters: TableFilters) {
  return {
    symbol: textOf(filters.symbol),
    side: textOf(filters.side),
  };
}

import { l10n } from 'vscode';
import type { LeverageRule } from '../../../exchange/records.ts';
import { referenceTable } from '../referenceTable.ts';
import type { Table } from '../table.ts';

/** Leverage rules (sections 2.8 and 4.8). Only the margins state a unit: percent. */
export function leverageRulesTable(): Table {
  const { t } = l10n;
  return referenceTable<LeverageRule>({
    title: t('Leverage Rules'),
    columns: [
      { field: 'leverage', label: t('Leverage'), kind: 'decimal' },
      { field: 'positionNotional', label: t('Position notional'), kind: 'decimal' },
      { field: 'maintenanceMargin', label: t('Maintenance margin'), kind: 'percent' },
      { field: 'initialMargin', label: t('Initial margin'), kind: 'percent' },
    ],
    read: async ({ client }, signal) => {
      const { value, badRecords } = await client.leverage(signal);
      return { items: value, badRecords };
    },
  });
}

import { l10n } from 'vscode';
import type { Snapshot } from '../../../account/accountStore.ts';
import { isSame } from '../../../base/decimal.ts';
import type { FeeTier } from '../../../exchange/records.ts';
import type { FactGroup } from '../../../protocol/table.ts';
import { referenceTable } from '../referenceTable.ts';
import type { Table } from '../table.ts';

/** Fee tiers (sections 2.9 and 4.9), the account's own marked. Their numbers state no unit. */
export function feeTiersTable(): Table {
  const { t } = l10n;
  return referenceTable<FeeTier>({
    title: t('Fee Tiers'),
    columns: [
      { field: 'tier', label: t('Tier'), kind: 'decimal' },
      { field: 'volume30D', label: t('30-day volume'), kind: 'decimal' },
      { field: 'maker', label: t('Maker fee rate'), kind: 'decimal' },
      { field: 'taker', label: t('Taker fee rate'), kind: 'decimal' },
    ],
    ofAccount: (rows, snapshot) => ({
      marks: rows.flatMap(([tier], row) =>
        snapshot && isSame(tier ?? null, snapshot.account.feeTierStructure)
          ? [{ row, label: t('this account') }]
          : [],
      ),
      facts: [accountFacts(snapshot)],
    }),
    read: async ({ client }, signal) => {
      const { value, badRecords } = await client.feeTiers(signal);
      return { items: value, badRecords };
    },
  });
}

/** With the time that the account was read at; an account that could not be read is unknown here. */
function accountFacts(snapshot: Snapshot | undefined): FactGroup {
  const { t } = l10n;
  const {
    feeTierStructure = null,
    feeTierDiscount = null,
    tradeFeeAsset = null,
  } = snapshot?.account ?? {};
  const asOf = snapshot ? String(snapshot.asOf) : null;
  return {
    title: t('This account'),
    facts: [
      {
        field: 'feeTierStructure',
        label: t('Fee tier'),
        kind: 'decimal',
        cell: feeTierStructure,
      },
      {
        field: 'feeTierDiscount',
        label: t('Fee tier discount'),
        kind: 'decimal',
        cell: feeTierDiscount,
      },
      { field: 'tradeFeeAsset', label: t('Trade fee asset'), kind: 'text', cell: tradeFeeAsset },
      { field: 'asOf', label: t('Account read at'), kind: 'time', cell: asOf },
    ],
  };
}

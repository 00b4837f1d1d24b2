import { l10n } from 'vscode';
import type { Snapshot } from '../../account/session/accountStore.ts';
import { isSame } from '../../base/decimal.ts';
import type { FeeTierKinds } from '../../exchange/records.ts';
import type { SummaryGroup } from '../../protocol/table.ts';
import { recordColumns } from './recordColumns.ts';
import type { ReferenceTable } from './tableDefinition.ts';

/** Fee tiers (sections 2.9 and 4.9), with a mark on the account's tier. The API gives no units. */
export function feeTiersTable(): ReferenceTable {
  const { t } = l10n;
  const columns = recordColumns<FeeTierKinds>({
    tier: { label: t('Tier'), kind: 'decimal' },
    volume30D: { label: t('30-day volume'), kind: 'decimal' },
    maker: { label: t('Maker fee rate'), kind: 'decimal' },
    taker: { label: t('Taker fee rate'), kind: 'decimal' },
  });
  return {
    kind: 'reference',
    operation: 'feeTiers',
    title: t('Fee Tiers'),
    columns,
    accountAnnotations: (rows, snapshot) => ({
      marks: rows.flatMap(([tier], row) =>
        snapshot && isSame(tier ?? null, snapshot.account.feeTierStructure)
          ? [{ row, label: t('this account') }]
          : [],
      ),
      summary: [accountGroup(snapshot)],
    }),
    read: async (client, signal) => {
      const { value, badRecords } = await client.feeTiers({ signal });
      return { items: value, badRecords };
    },
  };
}

/** The account's tier, and when it was read. Without a snapshot every value is unknown. */
function accountGroup(snapshot: Snapshot | undefined): SummaryGroup {
  const { t } = l10n;
  const {
    feeTierStructure = null,
    feeTierDiscount = null,
    tradeFeeAsset = null,
  } = snapshot?.account ?? {};
  const asOf = snapshot ? String(snapshot.asOf) : null;
  return {
    title: t('This account'),
    items: [
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

import { l10n } from 'vscode';
import type { Session } from '../../../account/session.ts';
import type { Snapshot } from '../../../account/accountStore.ts';
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
    read: async (session, signal) => {
      const [{ value, badRecords }, snapshot] = await Promise.all([
        session.client.feeTiers(signal),
        newestSnapshot(session),
      ]);
      const account = snapshot?.account;
      const marks = value.flatMap(({ tier }, row) =>
        tier === account?.feeTierStructure ? [{ row, label: t('this account') }] : [],
      );
      return { items: value, badRecords, marks, facts: [accountFacts(snapshot)] };
    },
  });
}

/** The snapshot that is there, or the first read under way; an account that fails is unknown here. */
async function newestSnapshot({ store, refresher }: Session): Promise<Snapshot | undefined> {
  if (!store.state.snapshot && !store.state.failure)
    await refresher.refresh().catch(() => undefined);
  return store.state.snapshot;
}

/** With the time that the account was read at, which may lie before the rows'. */
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

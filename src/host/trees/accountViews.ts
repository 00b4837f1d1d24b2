import * as vscode from 'vscode';
import type { Snapshot } from '../../account/accountStore.ts';
import type { Profile } from '../../account/profile.ts';
import type { Display } from '../../base/display.ts';
import { views } from '../contributions.ts';
import { assetRow } from './assetRow.ts';
import { lockedRow } from './lockedRow.ts';
import { positionRow } from './positionRow.ts';
import type { Row } from './row.ts';

/** What one view shows of an account. */
export type AccountView = {
  readonly id: string;
  /** The list of the account that the rows are: `$.positions` and the like. */
  readonly path: string;
  rows(snapshot: Snapshot, display: Display): readonly Row[];
  /** What stands where there are no rows. */
  readonly empty: string;
  /** A sentence about this profile that always stands there. */
  note(profile: Profile): string | undefined;
};

const nothing = (): undefined => undefined;

export function positionsView(): AccountView {
  return {
    id: views.positions,
    path: '$.positions',
    rows: ({ account }, display) => account.positions.map((item) => positionRow(item, display)),
    empty: vscode.l10n.t('No open positions.'),
    note: nothing,
  };
}

export function assetsView(): AccountView {
  return {
    id: views.assets,
    path: '$.assets',
    rows: ({ account }, display) => account.assets.map((item) => assetRow(item, display)),
    empty: vscode.l10n.t('No assets.'),
    note: nothing,
  };
}

export function lockedOrdersView(): AccountView {
  return {
    id: views.lockedOrders,
    path: '$.orders',
    rows: ({ account }, display) => account.orders.map((item) => lockedRow(item, display)),
    empty: vscode.l10n.t('Nothing is locked by open orders.'),
    note: practiceNote,
  };
}

function practiceNote({ environment }: Profile): string | undefined {
  return environment === 'practice'
    ? vscode.l10n.t('Made-up money: orders that you cancel return when this exchange restarts.')
    : undefined;
}

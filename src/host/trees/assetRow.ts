import * as vscode from 'vscode';
import { sign } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { AssetBalance, LockedOrders, SymbolInformation } from '../../exchange/records.ts';
import { lockedSides } from '../lockedWords.ts';
import type { Row, RowField } from './row.ts';

/**
 * An asset: what is deposited and locked, no figure that the interface does not give; and the open
 * orders of the instruments whose margin asset it is, once `symbols` are known.
 */
export function assetRow(
  asset: AssetBalance,
  orders: readonly LockedOrders[],
  symbols: readonly SymbolInformation[] | undefined,
  display: Display,
): Row {
  const words = [
    vscode.l10n.t('deposited {0}', display.glance('deposited', asset.deposited)),
    vscode.l10n.t('locked {0}', display.glance('locked', asset.locked)),
    ...(asset.isMargin ? [vscode.l10n.t('margin asset')] : []),
  ];
  const fields = assetFields(asset, display);
  const notes = lockingOrders(asset, orders, symbols, display);
  return {
    key: asset.name,
    label: asset.name,
    description: words.join(' · '),
    icon: { name: asset.isMargin ? 'circle-filled' : 'circle-outline' },
    spoken: [...fields, ...notes].map((field) => field.join(' ')),
    title: asset.name,
    fields,
    notes,
    contextValue: 'asset',
    record: asset,
  };
}

/** Whether nothing of this asset is there. */
export function isZero({ deposited, locked, margin }: AssetBalance): boolean {
  return [deposited, locked, margin].every((figure) => sign(figure) === 0);
}

/** The five fields of section 2.6. */
function assetFields(asset: AssetBalance, display: Display): RowField[] {
  return [
    ['name', asset.name],
    ['deposited', display.full('deposited', asset.deposited)],
    ['locked', display.full('locked', asset.locked)],
    ['margin', display.full('margin', asset.margin)],
    ['isMargin', String(asset.isMargin)],
  ];
}

function lockingOrders(
  { name }: AssetBalance,
  orders: readonly LockedOrders[],
  symbols: readonly SymbolInformation[] = [],
  display: Display,
): RowField[] {
  const margined = new Set(
    symbols.filter(({ marginAsset }) => marginAsset === name).map(({ symbol }) => symbol),
  );
  return orders
    .filter(({ symbol }) => margined.has(symbol))
    .map((locked) => [
      vscode.l10n.t('orders in {0}', locked.symbol),
      lockedSides(locked, (field) => display.full(field, locked[field])),
    ]);
}

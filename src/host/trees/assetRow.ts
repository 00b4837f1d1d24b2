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

/** The orders that lock it, and that there may be others where some cannot be told whose margin they lock. */
function lockingOrders(
  { name, locked }: AssetBalance,
  orders: readonly LockedOrders[],
  symbols: readonly SymbolInformation[] = [],
  display: Display,
): RowField[] {
  const assetOf = new Map(symbols.map(({ symbol, marginAsset }) => [symbol, marginAsset]));
  const own = orders
    .filter(({ symbol }) => assetOf.get(symbol) === name)
    .map((one): RowField => [
      vscode.l10n.t('orders in {0}', one.symbol),
      lockedSides(one, (field) => display.full(field, one[field])),
    ]);
  const mayBeMore = sign(locked) !== 0 && orders.some(({ symbol }) => !assetOf.has(symbol));
  return mayBeMore ? [...own, [unplacedName(own.length), vscode.l10n.t('unknown')]] : own;
}

function unplacedName(placed: number): string {
  return placed === 0
    ? vscode.l10n.t('orders that lock it')
    : vscode.l10n.t('other orders that lock it');
}

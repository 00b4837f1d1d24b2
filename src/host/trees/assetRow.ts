import * as vscode from 'vscode';
import { sign } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { AssetBalance, LockedOrders, SymbolInformation } from '../../exchange/records.ts';
import { lockedSidesText } from '../text/lockedOrdersText.ts';
import type { Row, RowField } from './treeRow.ts';

/**
 * An asset: what is deposited and locked, and the open orders of the instruments whose margin asset it
 * is, once `symbols` are known.
 */
export function assetRow(
  asset: AssetBalance,
  orders: readonly LockedOrders[] | null,
  symbols: readonly SymbolInformation[] | undefined,
  display: Display,
): Row {
  const description = [
    vscode.l10n.t('deposited {0}', display.short('deposited', asset.deposited)),
    vscode.l10n.t('locked {0}', display.short('locked', asset.locked)),
    ...(asset.isMargin ? [vscode.l10n.t('margin asset')] : []),
  ];
  const fields = assetFields(asset, display);
  const notes = lockingOrderFields(asset, orders, symbols, display);
  return {
    key: asset.name,
    label: asset.name,
    description: description.join(' · '),
    icon: { name: asset.isMargin ? 'circle-filled' : 'circle-outline' },
    screenReaderParts: [...fields, ...notes].map((field) => field.join(' ')),
    title: asset.name,
    fields,
    notes,
    contextValue: 'asset',
    record: asset,
  };
}

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

/** The orders that lock the asset, and a note if orders of unknown margin asset may lock it too. */
function lockingOrderFields(
  { name, locked }: AssetBalance,
  orders: readonly LockedOrders[] | null,
  symbols: readonly SymbolInformation[] = [],
  display: Display,
): RowField[] {
  const assetOf = new Map(symbols.map(({ symbol, marginAsset }) => [symbol, marginAsset]));
  const own = (orders ?? [])
    .filter(({ symbol }) => assetOf.get(symbol) === name)
    .map((one): RowField => [
      vscode.l10n.t('orders in {0}', one.symbol),
      lockedSidesText(one, (field) => display.full(field, one[field])),
    ]);
  const isUnsure = orders?.some(({ symbol }) => !assetOf.has(symbol)) ?? true;
  const mayBeMore = sign(locked) !== 0 && isUnsure;
  return mayBeMore ? [...own, [unknownOrdersLabel(own.length), vscode.l10n.t('unknown')]] : own;
}

function unknownOrdersLabel(knownCount: number): string {
  return knownCount === 0
    ? vscode.l10n.t('orders that lock it')
    : vscode.l10n.t('other orders that lock it');
}

import * as vscode from 'vscode';
import { mayBeLocked } from '../../account/cancelAll/lockedOrders.ts';
import { cleanText } from '../../base/cleanText.ts';
import { sign } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { AssetBalance, LockedOrders, SymbolInformation } from '../../exchange/records.ts';
import type { HoverRow } from '../text/hoverTable.ts';
import { yesOrNo } from '../text/messageText.ts';
import { lockedSidesText } from '../text/lockedOrdersText.ts';
import { maxLabelLength, namedRowFields, type Row } from './treeRow.ts';

const maxHoverOrders = 6;

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
  const labelled = assetFields(asset, display);
  const locking = lockingOrders(asset, orders, symbols, display);
  const fields = [...namedRowFields(labelled), ...locking];
  return {
    key: asset.name,
    label: asset.name,
    description: summary(asset, display),
    icon: { name: showsLocked(asset, display) ? 'lock' : 'blank' },
    screenReaderParts: [asset.name, ...fields.map(([label, value]) => `${label} ${value}`)],
    fields,
    hoverHeading: marginHeading(asset),
    hoverRows: [
      labelled.deposited,
      labelled.locked,
      labelled.margin,
      ...firstOrders(locking, display),
    ],
    contextValue: 'asset',
    record: asset,
  };
}

function marginHeading({ isMargin }: AssetBalance): string {
  if (isMargin === null) return '';
  return isMargin ? vscode.l10n.t('margin asset') : vscode.l10n.t('not a margin asset');
}

export function isEmptyAsset({ deposited, locked, margin }: AssetBalance): boolean {
  return [deposited, locked, margin].every((figure) => figure !== null && sign(figure) === 0);
}

/** Only if that is not 0; in privacy mode always, as nobody may see which it is. */
function showsLocked({ locked }: AssetBalance, display: Display): boolean {
  return display.hides('locked') || mayBeLocked(locked);
}

/** What is deposited, and what of it is locked, as the icon says. */
function summary(asset: AssetBalance, display: Display): string {
  const { deposited, locked } = asset;
  return [
    display.compact('deposited', deposited),
    ...(showsLocked(asset, display) ? [display.compact('locked', locked)] : []),
  ].join(' · ');
}

/** The five fields of section 2.6. */
function assetFields(
  asset: AssetBalance,
  display: Display,
): Readonly<Record<Exclude<keyof AssetBalance, 'extra'>, HoverRow>> {
  const { t } = vscode.l10n;
  return {
    deposited: [t('Deposited'), display.full('deposited', asset.deposited)],
    locked: [t('Locked'), display.full('locked', asset.locked)],
    margin: [t('Margin'), display.full('margin', asset.margin)],
    isMargin: [t('Margin asset'), yesOrNo(asset.isMargin)],
    name: [t('Name'), asset.name],
  };
}

/** The orders that lock the asset, and a note if orders of unknown margin asset may lock it too. */
function lockingOrders(
  { name, locked }: AssetBalance,
  orders: readonly LockedOrders[] | null,
  symbols: readonly SymbolInformation[] = [],
  display: Display,
): HoverRow[] {
  const assetOf = new Map(symbols.map(({ symbol, marginAsset }) => [symbol, marginAsset]));
  const own = (orders ?? [])
    .filter(({ symbol }) => assetOf.get(symbol) === name)
    .map((one): HoverRow => [
      vscode.l10n.t('Orders in {0}', cleanText(one.symbol, maxLabelLength)),
      lockedSidesText(one, (field) => display.full(field, one[field])),
    ]);
  const isUnsure = orders?.some(({ symbol }) => !assetOf.has(symbol)) ?? true;
  const mayBeMore = mayBeLocked(locked) && isUnsure;
  return mayBeMore ? [...own, [unknownOrdersLabel(own.length), vscode.l10n.t('unknown')]] : own;
}

function unknownOrdersLabel(knownCount: number): string {
  return knownCount === 0
    ? vscode.l10n.t('Orders that lock it')
    : vscode.l10n.t('Other orders that lock it');
}

/** As many as a hover has room for; the row has all of them below it. */
function firstOrders(locking: readonly HoverRow[], display: Display): readonly HoverRow[] {
  if (locking.length <= maxHoverOrders) return locking;
  const shown = locking.slice(0, maxHoverOrders - 1);
  return [
    ...shown,
    [vscode.l10n.t('More below the row'), display.count(locking.length - shown.length)],
  ];
}

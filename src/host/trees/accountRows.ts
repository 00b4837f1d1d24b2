import { records, type FieldName } from '../../api/fields.ts';
import { mayBeLocked } from '../../account/cancelAll/lockedOrders.ts';
import type { CachedRead } from '../../account/session/cachedRead.ts';
import {
  identityOf,
  notionalOf,
  positionKey,
  type RiskBand,
  type PositionRisk,
} from '../../account/session/positionRisk.ts';
import { cleanText } from '../../base/cleanText.ts';
import { isSame, unknownText, sign } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type {
  Position,
  LeverageRule,
  AssetBalance,
  LockedOrders,
  SymbolInformation,
} from '../../exchange/records.ts';
import { positionFieldColumns } from '../overview/positionsTable.ts';
import { colors } from '../shared/contributions.ts';
import { t } from '../shared/translate.ts';
import type { HoverRow } from '../text/hoverTable.ts';
import { lockedSidesText, lockedSides, lockedText } from '../text/lockedOrdersText.ts';
import { yesOrNo } from '../text/messageText.ts';
import type { RecordColumns } from '../tables/definition.ts';
import { directionSource, directionText, distanceText, riskLabel } from '../text/riskText.ts';
import {
  namedRowFields,
  type Row,
  type RowField,
  type RowIcon,
  maxLabelLength,
} from './treeRow.ts';

/**
 * A position: its direction, upl with ROE, its distance to liquidation, and its size, for which a narrow view may have
 * no room. The direction is inferred, and the hover says so. Privacy mode does not hide it, because the prices
 * reveal it anyway.
 */
export function positionRow(risk: PositionRisk, display: Display): Row {
  const { position, band } = risk;
  const direction = directionText(risk.direction);
  const labelled = positionFields(position, display);
  return {
    key: positionKey(identityOf(risk)),
    label: position.symbol,
    description: [
      `${direction} ${profitText(position, display)}`,
      t('liq {0}', distanceText(risk, display)),
      t('size {0}', display.narrowSize('amount', position.amount)),
    ].join(' · '),
    icon: dangerIcons[band],
    spoken: [riskLabel(risk), direction],
    fields: [...namedRowFields(labelled), ...estimates(risk, display)],
    hoverHeading: [direction, labelled.leverage[1], cleanText(labelled.marginMode[1], 20)].join(
      ' · ',
    ),
    hoverRows: hoverRows(risk, labelled, display),
    contextValue: 'position',
    record: position,
  };
}

function profitText({ upl, uplPercentage }: Position, display: Display): string {
  const profit = display.signedNarrow('upl', upl);
  if (uplPercentage === null) return profit;
  return `${profit} (${display.signedPercent('uplPercentage', uplPercentage)})`;
}

/** The icon shows the danger alone; the direction is in the text. */
const dangerIcons: Readonly<Record<RiskBand, RowIcon>> = {
  critical: { name: 'flame', color: colors.criticalForeground },
  near: { name: 'warning', color: 'list.warningForeground' },
  notNear: { name: 'blank' },
  unknown: { name: 'blank' },
};

type PositionFields = Readonly<Record<FieldName<'position'>, HoverRow>>;

/** Every field of section 2.6, the figures that matter first. */
function positionFields(position: Position, display: Display): PositionFields {
  const { symbol, amount, basePrice, markPrice, liquidationPrice, ...others } =
    positionFieldColumns();
  const { upl, uplPercentage, ...rest } = others;
  const first = { upl, uplPercentage, liquidationPrice, markPrice, basePrice, amount };
  const columns: RecordColumns<'position'> = { ...first, ...rest, symbol };
  const rows = Object.entries(columns).map(([name, { label, detail = label }]) => {
    return [name, [detail, positionText(name as keyof PositionFields, position, display)]] as const;
  });
  return Object.fromEntries(rows) as PositionFields;
}

/** The API says that `uplPercentage` is in percent; `×` is ours. */
const units: Partial<Record<keyof PositionFields, string>> = { uplPercentage: ' %', leverage: '×' };

function positionText(field: keyof PositionFields, position: Position, display: Display): string {
  const value = position[field];
  if (value === null || records.position.fields[field].kind !== 'number')
    return value ?? unknownText;
  return display.full(field, value) + (units[field] ?? '');
}

/** Figures that we compute; the exchange does not send them. */
function estimates(risk: PositionRisk, display: Display): RowField[] {
  const distance = `${display.shortPercent('distance', risk.distancePercent)} (${riskLabel(risk)})`;
  return [[t('Distance to liquidation'), distance], notional(risk, display)];
}

function notional({ position }: PositionRisk, display: Display): HoverRow {
  return [t('Notional (est.)'), display.full('notional', notionalOf(position))];
}

function hoverRows(
  risk: PositionRisk,
  { upl, uplPercentage, amount, ...others }: PositionFields,
  display: Display,
): HoverRow[] {
  return [
    [upl[0], `${upl[1]} (${uplPercentage.join(' ')})`],
    [amount[0], `${amount[1]} (${directionSource()})`],
    notional(risk, display),
    others.basePrice,
    others.markPrice,
    [liquidationLabel(risk, display), others.liquidationPrice[1]],
    others.lockedBalance,
  ];
}

function liquidationLabel({ distancePercent, isPast }: PositionRisk, display: Display): string {
  const distance = display.shortPercent('distance', distancePercent);
  if (distancePercent === null) return t('Liquidation price — distance unknown');
  return isPast
    ? t('Liquidation price — {0} past', distance)
    : t('Liquidation price — {0} away', distance);
}

/** The leverage rule (section 2.8) of the position's leverage, with its time once it should be read again. */
export function leverageRuleRow(
  position: Position,
  { cached, isFresh }: Pick<CachedRead<readonly LeverageRule[]>, 'cached' | 'isFresh'>,
  display: Display,
): HoverRow {
  const label = t('Limit at {0}×', display.full('leverage', position.leverage));
  if (!cached) return [label, t('unknown')];
  const rule = cached.value.find(({ leverage }) => isSame(leverage, position.leverage));
  if (!rule) return [label, t('none listed')];
  const limits = [
    display.full('positionNotional', rule.positionNotional),
    t('maintenance {0} %', display.full('maintenanceMargin', rule.maintenanceMargin)),
    t('initial {0} %', display.full('initialMargin', rule.initialMargin)),
    ...(isFresh ? [] : [t('read at {0}', display.timeToSecond(cached.readAt))]),
  ];
  return [label, limits.join(' · ')];
}

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
  return {
    key: asset.name,
    label: asset.name,
    description: summary(asset, display),
    icon: { name: showsLocked(asset, display) ? 'lock' : 'blank' },
    spoken: [],
    fields: [...namedRowFields(labelled), ...locking],
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
  return isMargin ? t('margin asset') : t('not a margin asset');
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
      t('Orders in {0}', cleanText(one.symbol, maxLabelLength)),
      lockedSidesText(one, (field) => display.full(field, one[field])),
    ]);
  const isUnsure = orders?.some(({ symbol }) => !assetOf.has(symbol)) ?? true;
  const mayBeMore = mayBeLocked(locked) && isUnsure;
  return mayBeMore ? [...own, [unknownOrdersLabel(own.length), t('unknown')]] : own;
}

function unknownOrdersLabel(knownCount: number): string {
  return knownCount === 0 ? t('Orders that lock it') : t('Other orders that lock it');
}

/** As many as a hover has room for; the row has all of them below it. */
function firstOrders(locking: readonly HoverRow[], display: Display): readonly HoverRow[] {
  if (locking.length <= maxHoverOrders) return locking;
  const shown = locking.slice(0, maxHoverOrders - 1);
  return [...shown, [t('More below the row'), display.count(locking.length - shown.length)]];
}

/** What open orders lock in one symbol: one side with its locked balance, or the sizes of both. */
export function lockedOrdersRow(locked: LockedOrders, display: Display): Row {
  const { symbol } = locked;
  const sides = lockedSides(locked);
  const [only, other] = sides;
  const full = (field: Exclude<keyof LockedOrders, 'symbol' | 'extra'>): string =>
    display.full(field, locked[field]);
  const compact: typeof full = (field) => display.compact(field, locked[field]);
  return {
    key: symbol,
    label: symbol,
    description:
      only && !other
        ? [`${only.label} ${compact(only.size)}`, compact(only.locked)].join(' · ')
        : sides.map(({ label, size }) => `${label} ${compact(size)}`).join(', '),
    icon: { name: 'lock' },
    spoken: [],
    fields: sides.map((side) => [
      side.label,
      `${full(side.size)} · ${lockedText(full(side.locked))}`,
    ]),
    hoverHeading: t('balance locked by open orders'),
    hoverRows: [
      [t('Buy size'), full('sumSizeBid')],
      [t('Locked by buy orders'), full('lockedBid')],
      [t('Sell size'), full('sumSizeAsk')],
      [t('Locked by sell orders'), full('lockedAsk')],
    ],
    contextValue: 'lockedOrders',
    record: locked,
  };
}

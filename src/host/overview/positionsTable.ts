import {
  identityOf,
  notionalOf,
  positionKeys,
  type PositionRisk,
  type RiskLimits,
} from '../../account/session/positionRisk.ts';
import { difference } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { GridRows } from '../../protocol/document.ts';
import type { Column } from '../../protocol/table.ts';
import { t } from '../shared/translate.ts';
import type { DocumentGrid } from '../webview/gridRequests.ts';
import { cellsOf, maskCells, recordFields } from '../webview/recordCells.ts';
import {
  knownSymbols,
  recordColumns,
  withSymbolUnits,
  type RecordColumns,
} from '../tables/definition.ts';
import type { AccountContext } from './overviewContext.ts';
import { directionText, bandWords } from '../text/riskText.ts';

/** Every field of every position, masked, the nearest to liquidation first. */
export function positionsGrid(
  risks: readonly PositionRisk[],
  { session, risk: { limits }, snapshot: { asOf }, display, layout }: AccountContext,
): GridRows {
  const columns = positionColumns(limits, display);
  return {
    pageId: asOf,
    columns: withSymbolUnits(columns, knownSymbols(session)),
    rows: risks.map((risk) => maskCells(cellsOf(positionRecord(risk), columns), columns, display)),
    extras: risks.map(({ position }) => [...recordFields(position, [], display).extra]),
    layout,
    keys: [...positionKeys(risks.map(identityOf))],
  };
}

/** The columns of the API’s fields. `detail` is a label that does not depend on the columns beside it. */
export function positionFieldColumns() {
  return {
    symbol: { label: t('Symbol') },
    amount: { label: t('Amount'), unitField: 'symbol' },
    basePrice: { label: t('Entry'), detail: t('Entry price') },
    markPrice: { label: t('Mark'), detail: t('Mark price') },
    liquidationPrice: { label: t('Liquidation'), detail: t('Liquidation price') },
    upl: { label: t('P&L'), detail: t('Unrealised P&L'), unitField: 'marginAsset' },
    uplPercentage: { label: t('ROE'), kind: 'percent' },
    leverage: { label: t('Leverage') },
    marginMode: { label: t('Margin mode'), kind: 'text' },
    lockedBalance: { label: t('Locked balance') },
  } as const satisfies RecordColumns<'position'>;
}

export function positionColumns(limits: RiskLimits, display: Display): Column[] {
  const { uplPercentage, leverage, marginMode, lockedBalance, ...figures } = positionFieldColumns();
  return recordColumns('position', {
    ...figures,
    direction: {
      label: t('Direction'),
      kind: 'text',
      detail: t('Inferred from the sign of the amount and from P&L'),
    },
    uplPercentage,
    distance: distanceColumn(limits, display),
    notional: { label: t('Notional (est.)'), kind: 'decimal', unitField: 'quoteAsset' },
    ...{ leverage, marginMode, lockedBalance },
  });
}

/** The bar is full at twice the distance at which a position is near: beyond it, more means little. */
function distanceColumn(
  { nearPercent, criticalPercent }: RiskLimits,
  display: Display,
): Omit<Column, 'field' | 'kind'> & { readonly kind: 'distance' } {
  const full = 2 * nearPercent;
  const words = bandWords();
  return {
    label: t('Distance to liquidation'),
    kind: 'distance',
    detail: t('The bar is full at {0} % or more', display.count(full)),
    scale: {
      full,
      steps: [
        { upTo: 0, word: t('critical, past liquidation') },
        { upTo: criticalPercent, word: words.critical },
        { upTo: nearPercent, word: words.near },
      ],
      beyond: '',
    },
  };
}

/** A position with what is computed of it, every figure as the exchange wrote it: privacy hides nothing here. */
export function positionRecord(risk: PositionRisk): object {
  const { position, direction, distancePercent, isPast } = risk;
  const isBelow = isPast && distancePercent !== null;
  return {
    ...position,
    direction: directionText(direction),
    // Below 0 once the liquidation price is passed.
    distance: isBelow ? difference('0', distancePercent) : distancePercent,
    notional: notionalOf(position),
  };
}

export function positionsGridTexts(): NonNullable<DocumentGrid['texts']> {
  return {
    sortedAscending: t('Positions sorted, ascending'),
    sortedDescending: t('Positions sorted, descending'),
    unsorted: t('Positions nearest to liquidation first'),
    find: t('Find in the positions'),
  };
}

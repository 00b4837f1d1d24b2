import { cleanText } from '../../base/cleanText.ts';
import { sum, type NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import {
  isDecided,
  isSameAsset,
  otherAmounts,
  type PositionChecks,
  type PositionNumbers,
  type PositionsAnalysis,
  type RebuiltPosition,
  type UndecidedPosition,
} from '../../ledger/analysis/analysis.ts';
import { fullFigure } from '../../protocol/cellRules.ts';
import type { Block, Cell as DocumentCell, DocumentTable } from '../../protocol/document.ts';
import type { Cell } from '../../protocol/table.ts';
import { t } from '../shared/translate.ts';
import { yesOrNo } from '../text/messageText.ts';
import type { Live } from '../webview/documentPanel.ts';
import { tableColumns } from '../webview/documentParts.ts';
import { directionText, viewNote } from './choices.ts';
import { minuteText, partOf } from './coverage.ts';
import { column, rowsOfItems, timeCell, type CellColumns } from './grid.ts';
import { hoursHeld, percentLine, resultLine } from './numbers.ts';
import { plAssetText, type View } from './series.ts';

/** What the positions of each asset came to, then each of them. */
export function positionsView(
  analysis: PositionsAnalysis,
  display: Display,
  showPosition: (position: RebuiltPosition) => void,
): View {
  // Newest first, as in the panels.
  const positions = analysis.positions.toReversed();
  return {
    ...{ field: 'rpnl', charts: [] },
    notes: [
      viewNote('positions'),
      ...checkNotes(analysis.checks, display),
      ...listNotes(analysis, display),
    ],
    table: positions.length === 0 ? undefined : numbersTable(analysis, display),
    rows:
      positions.length === 0
        ? undefined
        : () => rowsOfItems(positionColumns(display), positions, keyOf),
    emptyText: analysis.symbols.length === 0 ? null : t('No position matches the filters.'),
    openLabel: t('Show Details'),
    openRow: (row) => {
      if (positions[row]) showPosition(positions[row]);
      return undefined;
    },
  };
}

function numbersTable(analysis: PositionsAnalysis, display: Display): Live<DocumentTable> {
  const part = partOf(analysis, display);
  const sums = [t('Net P&L'), t('Gross P&L'), t('Fees')];
  const labels = [t('Win rate'), t('Average win'), t('Average loss'), t('Profit factor')];
  return {
    title: [t('Numbers per position'), ...(part ? [part.incomplete] : [])].join(' · '),
    notes: [t('The unit is a position from flat to flat; it won or lost by its gross P&L.')],
    columns: tableColumns([t('Asset')], [t('Positions'), ...sums, ...labels, t('Hours held')]),
    rows: analysis.numbers
      .filter((numbers) => numbers.positions > 0)
      .map((numbers) => numbersRow(numbers, analysis, display)),
  };
}

function numbersRow(
  numbers: PositionNumbers,
  { positions, count }: PositionsAnalysis,
  display: Display,
): Live<DocumentCell>[] {
  const { asset, winRate, averageWin, averageLoss, profitFactor, averageHeldMs } = numbers;
  const closed = positions.filter((each) => each.asset === asset && isDecided(each));
  // More are not rebuilt.
  const areAll = positions.length === count;
  const total = (cellOf: (position: RebuiltPosition) => Cell): NumberText | null => {
    const known = closed.map(cellOf).filter((cell) => cell !== null);
    return areAll && known.length === closed.length ? sum(known) : null;
  };
  const uncharged = closed.filter(({ charges }) => charges === null).length;
  const net = total((each) => each.net);
  const fees = total((each) => (each.isSignKnown ? ownAmount(each, each.fees) : null));
  return [
    ...[{ text: cleanText(asset, 20) }, { text: display.count(numbers.positions) }],
    {
      ...resultLine({ value: net }, display),
      ...(net !== null &&
        uncharged > 0 && { notes: [t('without the funding of {0}', display.count(uncharged))] }),
    },
    resultLine({ value: numbers.grossPl }, display),
    { text: display.full('fee', fees), notes: fees === null ? [] : otherFeeNotes(closed, display) },
    percentLine(winRate, display),
    ...[resultLine(averageWin, display), resultLine(averageLoss, display)],
    { text: display.full('ratio', profitFactor.value) },
    { text: hoursHeld(averageHeldMs) },
  ];
}

/** Fees in other assets have sums of their own. */
function otherFeeNotes(positions: readonly RebuiltPosition[], display: Display): string[] {
  const others = positions.flatMap((each) => otherAmounts(each, each.fees));
  return [...Map.groupBy(others, ({ asset }) => asset)].map(([asset, own]) => {
    const total = sum(own.map(({ amount }) => amount));
    return `${display.full('fee', total)} ${cleanText(asset, 20)}`;
  });
}

/** How sizes and results were checked. */
function checkNotes(checks: readonly PositionChecks[], display: Display): string[] {
  const applied = checks.flatMap(({ gross }) => gross ?? []);
  const others = checks
    .filter(({ gross }) => gross === null)
    .map(({ symbol }) => cleanText(symbol, 40));
  const count = (all: readonly PositionChecks['sizes'][], name: 'agreed' | 'all'): string =>
    display.count(
      all.reduce((total, each) => total + each.agreed + (name === 'all' ? each.differed : 0), 0),
    );
  const sizes = checks.map((each) => each.sizes);
  return [
    t(
      'Sizes: {0} of {1} agree with stored checkpoints.',
      count(sizes, 'agreed'),
      count(sizes, 'all'),
    ),
    ...(applied.length === 0
      ? []
      : [
          t(
            'Gross P&L: {0} of {1} positions realised what their prices give.',
            count(applied, 'agreed'),
            count(applied, 'all'),
          ),
        ]),
    ...(others.length === 0
      ? []
      : [t('Gross P&L from prices does not apply to, or is not known of: {0}', others.join(', '))]),
  ];
}

function listNotes({ positions, count, undecided }: PositionsAnalysis, display: Display): string[] {
  return [
    ...(undecided === 0 ? [] : [t('Undecided: {0}', display.count(undecided))]),
    ...(positions.length === count
      ? []
      : [
          t(
            'The newest {0} of {1} positions are listed. Net P&L and fees are not summed: Export… has them.',
            display.count(positions.length),
            display.count(count),
          ),
        ]),
  ];
}

/** What is known of one, as labels and texts. */
export function positionFacts(
  position: RebuiltPosition,
  display: Display,
): Extract<Block, { kind: 'details' }>['items'] {
  return positionColumns(display).flatMap(([own, cellOf]) => {
    const cell = cellOf(position);
    if (cell === null || cell === '') return [];
    const text = own.kind === 'decimal' ? fullFigure(cell, own, display) : cell;
    return [{ label: own.label, texts: [own.kind === 'time' ? display.time(cell) : text] }];
  });
}

function keyOf({ symbol, opened, lastAt }: RebuiltPosition): string {
  return JSON.stringify([symbol, opened, lastAt]);
}

function positionColumns(display: Display): CellColumns<RebuiltPosition> {
  return [
    [
      column('time', t('Closed'), 'time'),
      ({ closed }) => (closed === null ? null : timeCell(closed)),
    ],
    [column('symbol', t('Symbol'), 'text'), ({ symbol }) => cleanText(symbol, 40)],
    [
      column('direction', t('Direction'), 'text'),
      (each) => each.direction && directionText(each.direction),
    ],
    [column('netPl', t('Net P&L'), 'decimal', 'asset'), ({ net }) => net],
    [column('rpnl', t('Gross P&L'), 'decimal', 'asset'), ({ gross }) => gross],
    [column('fee', t('Fees'), 'decimal', 'asset'), (each) => ownAmount(each, each.fees)],
    [
      column('funding', t('Funding and liquidation fees'), 'decimal', 'asset'),
      (each) => ownAmount(each, each.charges),
    ],
    [column('asset', t('Asset'), 'text'), plAssetText],
    [column('amount', t('Largest size'), 'decimal', 'symbol'), ({ largest }) => largest],
    [column('basePrice', t('Average entry')), ({ entryPrice }) => entryPrice],
    [column('averageExecutionPrice', t('Average exit')), ({ exitPrice }) => exitPrice],
    [column('opened', t('Opened'), 'time'), ({ opened }) => timeCell(opened)],
    [column('held', t('Hours held')), heldCell],
    [column('liquidation', t('Liquidated'), 'text'), (each) => yesOrNo(each.isLiquidated)],
    [column('rows', t('Fills')), ({ fills }) => String(fills)],
    [column('orders', t('Orders')), ({ orders }) => String(orders)],
    [column('doubt', t('Note'), 'text'), (each) => noteText(each, display)],
  ];
}

function heldCell(position: RebuiltPosition): Cell {
  const { opened, closed } = position;
  return isDecided(position) ? hoursHeld((closed ?? 0) - opened) : null;
}

type Amounts = RebuiltPosition['fees'];

/** What is in the asset of the position. */
export function ownAmount({ asset }: RebuiltPosition, amounts: Amounts): Cell {
  const own = amounts?.filter((each) => isSameAsset(each.asset, asset));
  return own ? sum(own.map(({ amount }) => amount)) : null;
}

/** What the figures of a row lack. */
function noteText(position: RebuiltPosition, display: Display): string {
  const { undecided, closed, opened, charges, fees, isSignKnown } = position;
  if (undecided !== null) return undecidedText(undecided, minuteText(opened, display));
  const others = [fees, charges]
    .flatMap((amounts) => otherAmounts(position, amounts))
    .map((each) => `${display.full('fee', each.amount)} ${cleanText(each.asset, 20)}`);
  return [
    ...(closed === null ? [t('open')] : []),
    ...(charges === null ? [t('net without funding: it is not proved which position paid')] : []),
    ...(isSignKnown ? [] : [t('sign of fees not known yet')]),
    ...(others.length === 0 ? [] : [t('not in the net: {0}', others.join(', '))]),
  ].join(' · ');
}

function undecidedText(reason: UndecidedPosition, opened: string): string {
  return {
    openedBefore: t('undecided: opened before {0}', opened),
    missingTrades: t('undecided: trades may be missing'),
    unknownFigure: t('undecided: a trade lacks its amount or side'),
    severalPositions: t('undecided: a checkpoint has two positions of the symbol'),
    liquidatedWithoutTrade: t('undecided: it may have been liquidated without a trade'),
    contradicted: t('undecided: a checkpoint has another size'),
  }[reason];
}

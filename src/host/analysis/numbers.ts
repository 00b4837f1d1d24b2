import { cleanText } from '../../base/cleanText.ts';
import { isZero, negated, product, unknownText, type NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { hourMs } from '../../base/time.ts';
import type {
  Agreement,
  AssetNumbers,
  PositionNumbers,
  ResultNumbers,
  Statistic,
} from '../../ledger/analysis/analysis.ts';
import type { Card, Label } from '../../protocol/document.ts';
import { t } from '../shared/translate.ts';
import { profitLabel } from '../text/profitLabel.ts';
import type { Live } from '../webview/documentPanel.ts';
import { card } from '../webview/documentParts.ts';
import { completePeriodText, partialCard, partOf, type Covered } from './coverage.ts';

/** The numbers of an asset in which P&L is realised. */
export function assetCards(
  numbers: AssetNumbers,
  covered: Covered,
  display: Display,
): Live<Card>[] {
  const { winRate, profitFactor, feeShare, makerShare, agreement, perPosition } = numbers;
  const { closedOrders, wins, losses } = numbers;
  const { sample: fills } = makerShare;
  const others = otherFeesText(numbers);
  const ofTrades = partOf(covered, display, ['trades']);
  const tradeCards = [
    card(
      t('Closed orders'),
      [{ text: display.count(closedOrders) }],
      [t('{0} won · {1} lost', display.count(wins), display.count(losses))],
    ),
    card(
      t('Closed positions'),
      [{ text: closedText(perPosition, display) }],
      [
        ...(perPosition ? positionNotes(perPosition, display) : []),
        t('From flat to flat. What is undecided does not count.'),
      ],
    ),
    card(
      t('Win rate'),
      perUnit(numbers, (each) => percentLine(each.winRate, display)),
      orderNotes(winRate, display),
    ),
    averagesCard(numbers, display),
    largestCard(numbers, display),
    card(
      t('Profit factor'),
      perUnit(numbers, (each) => ({ text: display.full('ratio', each.profitFactor.value) })),
      [
        t('Gross profit divided by gross loss.'),
        ...(profitFactor.value === null ? [t('Not defined: nothing was lost.')] : []),
        ...orderNotes(profitFactor, display),
      ],
    ),
    card(
      t('Fees in gross P&L'),
      [percentLine(feeShare, display)],
      [
        t('Fees less rebates over the gross realised P&L.'),
        ...(feeShare.value === null ? [noShareText(numbers)] : []),
        ...(others === '' ? [] : [t('Not included: fees in {0}', others)]),
        ...orderNotes(feeShare, display),
      ],
    ),
    card(
      t('Maker share'),
      [percentLine(makerShare, display)],
      [
        t('Fills that the account made.'),
        fills === 1 ? t('Of 1 fill') : t('Of {0} fills', display.count(fills)),
        ...fewNotes(fills),
      ],
    ),
  ];
  return [
    netCard(numbers, covered, display),
    ...tradeCards.map((each) => partialCard(each, ofTrades)),
    agreementCard(agreement, display),
  ];
}

/** Each part is of one history: where that is not complete, it says how much there is of it. */
function netCard(numbers: AssetNumbers, covered: Covered, display: Display): Live<Card> {
  const { netPl, grossPl, liquidationFees, funding } = numbers;
  const [ofTrades, ofBooked] = (['trades', 'futureTransactions'] as const).map((history) =>
    partOf(covered, display, [history]),
  );
  const whole = partOf(covered, display);
  const noted = (
    name: (value: string) => string,
    value: NumberText | null,
    part: typeof ofTrades,
  ) => {
    const isKnown = value !== null && !part?.isUnread;
    const text = name(isKnown ? display.signedFull('rpnl', value) : unknownText);
    return part && part.text !== whole?.text ? `${text} · ${part.text}` : text;
  };
  const line = netPl === null ? { text: unknownText } : profitLabel('rpnl', netPl, display);
  return {
    ...partialCard(card(t('Net P&L'), [line]), whole),
    notes: [
      noted((value) => t('Gross {0}', value), grossPl, ofTrades),
      ...feeTexts(numbers, (name, value) => noted(name, value, ofTrades)),
      noted((value) => t('Funding {0}', value), funding, ofBooked),
      ...(isZero(liquidationFees) && !ofBooked
        ? []
        : [noted((value) => t('Liquidation fees {0}', value), liquidationFees, ofBooked)]),
      ...notInNetTexts(numbers),
    ],
  };
}

/** Fees cost, rebates bring. */
function feeTexts(
  { feesPaid, feeRebates, feesAsSent, assetBasis }: AssetNumbers,
  noted: (name: (value: string) => string, value: NumberText) => string,
): string[] {
  if (assetBasis === 'unknown') return [t('The asset of this P&L is not known')];
  if (feesPaid === null || feeRebates === null)
    return [unknownSignText(), noted((value) => t('Fees as sent {0}', value), feesAsSent)];
  return [
    noted((value) => t('Fees paid {0}', value), negated(feesPaid)),
    noted((value) => t('Rebates {0}', value), negated(feeRebates)),
  ];
}

function unknownSignText(): string {
  return t('Sign of fees not known yet');
}

/** Why there is no share of fees. */
function noShareText({ feesPaid, assetBasis, grossPl }: AssetNumbers): string {
  if (grossPl === null) return unknownGrossText();
  if (assetBasis === 'unknown') return t('The asset of this P&L is not known');
  if (feesPaid === null) return unknownSignText();
  return t('Not defined: gross P&L is not positive.');
}

/** What a net lacks. */
export function notInNetTexts(numbers: Pick<AssetNumbers, 'otherFeeAssets' | 'grossPl'>): string[] {
  const others = otherFeesText(numbers);
  return [
    ...(numbers.grossPl === null ? [unknownGrossText()] : []),
    ...(others === '' ? [] : [t('Not in the net: fees in {0}', others)]),
  ];
}

function unknownGrossText(): string {
  return t('Trades do not explain a liquidation or a checkpoint');
}

/** The assets of fees that have no sum with the others. */
function otherFeesText({ otherFeeAssets }: Pick<AssetNumbers, 'otherFeeAssets'>): string {
  return otherFeeAssets.map((asset) => cleanText(asset, 20)).join(', ');
}

/** Without a decided one, the undecided ones may be all. */
function closedText(perPosition: PositionNumbers | null, display: Display): string {
  const { positions, undecided } = perPosition ?? { positions: 0, undecided: 0 };
  return positions === 0 && undecided > 0 ? unknownText : display.count(positions);
}

function positionNotes(
  { positions, wins, losses, averageHeldMs, undecided }: PositionNumbers,
  display: Display,
): string[] {
  return [
    ...(positions === 0
      ? []
      : [
          t('{0} won · {1} lost', display.count(wins), display.count(losses)),
          t('{0} hours held per position, on average', hoursHeld(averageHeldMs)),
        ]),
    ...(undecided === 0 ? [] : [t('Undecided: {0}', display.count(undecided))]),
  ];
}

/** A figure of orders, then that of positions. */
function perUnit(numbers: AssetNumbers, line: (of: ResultNumbers) => Label): Label[] {
  const order = line(numbers);
  const position = numbers.perPosition ? line(numbers.perPosition) : { text: unknownText };
  return [
    { ...order, text: t('{0} per order', order.text) },
    { ...position, text: t('{0} per position', position.text) },
  ];
}

export function resultLine({ value }: Pick<Statistic, 'value'>, display: Display): Label {
  return value === null ? { text: unknownText } : profitLabel('rpnl', value, display);
}

export function hoursHeld(ms: number | null): string {
  if (ms === null) return unknownText;
  return (ms / hourMs).toFixed(2);
}

function averagesCard(numbers: AssetNumbers, display: Display): Live<Card> {
  const both = [numbers.averageWin, numbers.averageLoss];
  const [won = '', lost = ''] = both.map(({ sample }) => display.count(sample));
  const lines = [
    ...perUnit(numbers, ({ averageWin }) => resultLine(averageWin, display)),
    ...perUnit(numbers, ({ averageLoss }) => resultLine(averageLoss, display)),
  ];
  const notes = [
    t('Gross, of {0} and {1} orders', won, lost),
    ...fewNotes(...both.map(({ sample }) => sample)),
  ];
  return card(t('Average win and loss'), lines, notes);
}

function largestCard(
  { largestWin, largestLoss, closedOrders }: AssetNumbers,
  display: Display,
): Live<Card> {
  const both = [largestWin, largestLoss];
  const lines = both.map((order): Label =>
    order ? profitLabel('rpnl', order.amount, display) : { text: unknownText },
  );
  const symbols = both.map((order) => (order ? cleanText(order.symbol, 30) : unknownText));
  const sample =
    closedOrders === 1
      ? t('Gross, of 1 order')
      : t('Gross, of {0} orders', display.count(closedOrders));
  const notes = [symbols.join(' · '), sample, ...fewNotes(closedOrders)];
  return card(t('Largest win and loss'), lines, notes);
}

export function percentLine({ value }: Statistic, display: Display): Label {
  if (value === null) return { text: unknownText };
  const percent = product(value, '100');
  return {
    text: display.shortPercent('ratio', percent),
    detail: `${display.full('ratio', percent)} %`,
  };
}

function orderNotes({ sample }: Statistic, display: Display): string[] {
  const several = t('Of {0} closed orders', display.count(sample));
  return [sample === 1 ? t('Of 1 closed order') : several, ...fewNotes(sample)];
}

/** Fewer may be chance. */
const enough = 20;

function fewNotes(...samples: readonly number[]): string[] {
  const areFew = samples.some((sample) => sample < enough);
  return areFew ? [t('From fewer than 20: this may be chance')] : [];
}

/** How many periods in which they differ are listed. */
const mostDifferences = 5;

/** Realised P&L is recorded twice, and the two may not agree. */
function agreementCard(agreement: Agreement, display: Display): Live<Card> {
  const figure = (value: NumberText): string => display.signedFull('rpnl', value);
  const { verdict, trades, transactions, compared } = agreement;
  const periods = compared.map((interval) => completePeriodText(interval, display)).join(', ');
  const comparedText = t('Compared {0}', periods);
  const sums = [t('Trades {0}', figure(trades)), t('Transactions {0}', figure(transactions))];
  const of = (line: Label, notes: readonly string[]): Live<Card> =>
    card(t('Trades and transactions'), [line], notes);
  switch (verdict) {
    case 'notCovered':
      return of({ text: unknownText }, [
        t('Not compared: trades and transactions are not complete at the same time.'),
      ]);
    case 'undecided':
      return of({ text: unknownText }, [
        t('Undecided: the reconciliation cannot tell which rows differ.'),
        ...(compared.length > 0 ? [...sums, comparedText] : []),
      ]);
    case 'agree':
      return of({ text: t('Agree') }, [t('Both say {0} realised.', figure(trades)), comparedText]);
    case 'differ': {
      const [text = '', ...periodTexts] = differTexts(agreement, figure, display);
      return of({ text, tone: 'critical' }, [...periodTexts, ...sums, comparedText]);
    }
  }
}

/** How much or how often they differ, then where. */
function differTexts(
  { differences }: Agreement,
  figure: (value: NumberText) => string,
  display: Display,
): string[] {
  const [first, ...others] = differences;
  return [
    first && others.length === 0
      ? t('Differ by {0}', figure(first.amount))
      : t('Differ in {0} periods', display.count(differences.length)),
    ...differences
      .slice(0, mostDifferences)
      .map((each) => t('{0}: {1}', completePeriodText(each, display), figure(each.amount))),
    ...(differences.length > mostDifferences ? [t('The others are later.')] : []),
  ];
}

import {
  amountOf,
  less,
  negative,
  quotient,
  signOf,
  sizeOf,
  times,
  type Amount,
} from '../../base/decimal.ts';
import { contains, type Interval } from '../../base/interval.ts';
import { assetKey, botFigure, botSide, parseBotTime, ratioKey } from './botValues.ts';
import {
  closeness,
  type Closeness,
  isAbout,
  isOpposite,
  isSumOfSome,
  totalOf,
} from './closeness.ts';
import type {
  BotBook,
  BotPosition,
  BotRow,
  Cause,
  ComparedRow,
  FigureName,
  FigurePair,
} from './comparison.ts';
import { offsetIn, type FoundConventions } from './conventions.ts';
import type { Fills } from './fills.ts';
import type { ComparisonReader } from './ledgerReader.ts';
import type { Matches, Pair } from './matching.ts';

/** What rows are judged with. */
type JudgedBook = {
  readonly book: BotBook;
  readonly matches: Matches;
  readonly conventions: FoundConventions;
  readonly reader: ComparisonReader;
  /** From the first to the last row of the bot, in the exchange's time. */
  readonly period: Interval;
  /** Whether the ledger has every trade between these times. */
  readonly isComplete: (from: number, to: number) => boolean;
  /** Without every order of the period, it is not known which were liquidations, or the bot's by the client's ids. */
  readonly hasOrders: boolean;
};

export type JudgedRow = ComparedRow<Amount> & {
  /** Of the exchange's fee, which is not known if there are several. */
  readonly feeAssets: readonly (string | null)[];
};
type Figures = JudgedRow['figures'];
type Figure = Amount | null;
type FigureEntry = [FigureName, FigurePair<Amount>];

/** Each row of the bot, then what only the exchange has. */
export function* judgedRows(judged: JudgedBook): Generator<JudgedRow> {
  const { book, matches } = judged;
  for (const { orderIds } of book.positions?.() ?? [])
    for (const pair of orderIds.flatMap(matches.ofOrder)) pair.isInPosition = true;
  const unplacedSymbols = new Set<string>();
  for (const pair of matches.pairs) {
    const { fills, row } = pair;
    const compared = fills ? judgeMatch(judged, pair, fills) : judgeUnmatched(judged, pair);
    if (!compared) continue;
    pair.causes = compared.causes;
    pair.isUndecided = compared.judgement === 'undecided';
    if (isUnplaced(judged, pair)) unplacedSymbols.add(judged.conventions.symbolOf(row) ?? '');
    yield compared;
  }
  const keepsPnl = book.positions !== null || book.rows.some(({ pnl }) => pnl !== null);
  for (const fills of matches.lonely) {
    const causes = lonelyCauses(judged, fills);
    if (!causes) continue;
    const row = rowOf(null, fills, figuresOf(judged, null, fills, keepsPnl));
    // It may be of a row that could not be read, or that has no id of the exchange.
    if (book.unreadRows > 0 || ['', fills.symbol].some((each) => unplacedSymbols.has(each)))
      yield { ...row, judgement: 'undecided' };
    else yield { ...row, judgement: 'onlyExchange', causes };
  }
  for (const position of book.positions?.() ?? []) yield judgePosition(judged, position);
}

/** Whether a row may be of any trade of its symbol: none of its ids is the exchange's, as far as is known. */
function isUnplaced({ hasOrders, matches: { orders } }: JudgedBook, pair: Pair): boolean {
  return !pair.fills && (!pair.hasId || (!hasOrders && orders.isUnknown(pair.row)));
}

export function hasUnknownOrder({ pairs, orders }: Matches): boolean {
  return pairs.some(({ row, fills }) => !fills && orders.isUnknown(row));
}

/** What a row does not say. */
export const noRow: Omit<JudgedRow, 'kind' | 'judgement' | 'figures' | 'differing'> = {
  ...{ symbol: null, side: null, orderId: null, tradeId: null, time: null },
  ...{ causes: [], differingWords: [], feeAssets: [] },
  assets: [null, null],
  ...{ isLikely: false, isNoisy: false, bot: null, exchange: null },
};

/** What both sides say. */
function rowOf(
  pair: Pair | null,
  fills: Fills | undefined,
  figures: Figures,
): Omit<JudgedRow, 'judgement'> {
  const row = pair?.row;
  const feeAssets = fills?.feeAssets.filter((asset) => asset !== null) ?? [];
  const isOneTrade = row ? row.tradeId !== null : fills?.count === 1;
  return {
    ...{ ...noRow, kind: 'trade', figures, isLikely: Boolean(pair?.fills && !pair.hasId) },
    ...{ differing: Object.keys(figures) as FigureName[] },
    ...{ bot: row?.place ?? null, exchange: fills?.place ?? null },
    symbol: (fills ?? row)?.symbol ?? null,
    side: fills ? fills.side : botSide(row?.side ?? null),
    orderId: (fills ?? row)?.orderId ?? null,
    tradeId: isOneTrade ? ((fills ?? row)?.tradeId ?? null) : null,
    time: fills ? fills.firstTime : pair && botTime(pair),
    assets: [
      row && row.fee !== null ? row.feeAsset : null,
      feeAssets.length === 0 ? null : feeAssets.join(', '),
    ],
    feeAssets: fills?.feeAssets ?? [],
  };
}

/** The bot's figures in the exchange's units, beside the exchange's. */
function figuresOf(
  { conventions }: JudgedBook,
  row: BotRow | null,
  fills: Fills | undefined,
  keepsPnl: boolean,
): Figures {
  const { pnlOf, multiplierOf } = conventions;
  const { feesAreNegated } = conventions.shown;
  const own = (text: string | null | undefined): Figure => botFigure(text ?? null);
  const [amount, price, fee] = [own(row?.amount), own(row?.price), own(row?.fee)];
  const pnl = own(row?.pnl);
  return {
    amount: [row && amount && times(amount, multiplierOf(row)), fills?.amount ?? null],
    price: [price, fills?.price ?? null],
    fee: [fee && feesAreNegated ? negative(fee) : fee, fills?.fee ?? null],
    ...(keepsPnl && { pnl: [pnl, fills ? pnlOf(fills, pnl) : null] as const }),
  };
}

/** An average price is none of the sums, and each program rounds it in its own way. */
function degreeOf(
  name: FigureName,
  [bot, exchange]: FigurePair<Amount>,
  count: number,
  { decimals }: BotBook,
): Closeness {
  if (!bot || !exchange) return 'same';
  if (name !== 'price' || count === 1) return closeness(bot, exchange, decimals, count);
  const degree = closeness(bot, exchange, decimals);
  return degree === 'rounded' && isNearAverage(bot, exchange) ? 'noise' : degree;
}

/** Within a ten-thousandth. */
function isNearAverage(bot: Amount, exchange: Amount): boolean {
  const wrong = times(sizeOf(less(bot, exchange)), { integer: 10_000n, fraction: 0 });
  return signOf(less(wrong, sizeOf(exchange))) <= 0;
}

function judgeMatch(judged: JudgedBook, pair: Pair, fills: Fills): JudgedRow {
  const { book, isComplete } = judged;
  const { row } = pair;
  const keepsPnl = row.pnl !== null || (book.positions !== null && !pair.isInPosition);
  const figures = figuresOf(judged, row, fills, keepsPnl);
  const degrees = (Object.entries(figures) as FigureEntry[]).map(
    ([name, pairOf]) => [name, degreeOf(name, pairOf, fills.count, book)] as const,
  );
  const has = (wanted: Closeness): boolean => degrees.some(([, degree]) => degree === wanted);
  const ofBoth = rowOf(pair, fills, figures);
  const differingWords = wordsThatDiffer(judged, row, fills, ofBoth.assets);
  const compared = { ...ofBoth, differingWords };
  const isOther =
    has('other') || has('rounded') || differingWords.length > 0 || isOtherZone(judged, pair, fills);
  const time = botTime(pair) ?? fills.firstTime;
  const isKnown =
    isComplete(Math.min(time, fills.firstTime), Math.max(time, fills.lastTime)) &&
    (!isMore(figures.amount) || row.tradeId === fills.tradeId || isWholeOrder(judged, fills));
  const judgement = !isOther ? 'agrees' : isKnown ? 'differs' : 'undecided';
  return {
    ...{ ...compared, judgement, isNoisy: has('noise') },
    causes: judgement === 'differs' ? rowCauses(judged, pair, compared, has('rounded')) : [],
    differing: degrees.flatMap(([name, degree]) =>
      degree === 'other' || degree === 'rounded' ? [name] : [],
    ),
  };
}

function wordsThatDiffer(
  { conventions }: JudgedBook,
  row: BotRow,
  fills: Fills,
  feeAssets: ComparedRow['assets'],
): ComparedRow['differingWords'] {
  const words = [
    ['symbol', conventions.symbolOf(row), fills.symbol],
    ['side', botSide(row.side), fills.side],
    ['feeAsset', ...feeAssets],
  ] as const;
  return words.flatMap(([field, bot, exchange]) =>
    bot && exchange && assetKey(bot) !== assetKey(exchange) ? [{ field, bot, exchange }] : [],
  );
}

function isOtherZone({ conventions }: JudgedBook, { row, offsetMs }: Pair, fills: Fills): boolean {
  return conventions.hasTimesOfFills && row.timeMs !== null && offsetIn(row, fills) !== offsetMs;
}

function botTime({ row, offsetMs }: Pair): number | null {
  return row.timeMs === null ? null : row.timeMs - offsetMs;
}

/** What fits, the likeliest first. Other figures follow from an amount that is another one. */
function rowCauses(
  judged: JudgedBook,
  pair: Pair,
  { figures, differingWords }: Pick<JudgedRow, 'figures' | 'differingWords'>,
  isRounded: boolean,
): Cause[] {
  const { fills } = pair;
  if (!fills) return [];
  const [amount, exchange] = figures.amount ?? [];
  const degree = amount && exchange && closeness(amount, exchange, judged.book.decimals);
  // What looks rounded may lack a fill.
  const isOff = degree === 'other' || degree === 'rounded';
  const found = amount && exchange && isOff ? amountCauses(judged, fills, amount, exchange) : [];
  const [fee, paid] = figures.fee ?? [];
  if (differingWords.some(({ field }) => field === 'feeAsset')) found.push('feeAsset');
  else if (fee && paid && isOpposite(fee, paid)) found.push('feeSign');
  if (isOtherZone(judged, pair, fills)) found.push('zone');
  if (isRounded) found.push('rounding');
  return found;
}

function amountCauses(
  { conventions, reader, period }: JudgedBook,
  fills: Fills,
  bot: Amount,
  exchange: Amount,
): Cause[] {
  const found: Cause[] = [];
  if (signOf(bot) !== 0 && conventions.isMultiplier(quotient(ratioKey(exchange, bot), '1')))
    found.push('multiplier');
  const parts = partsOf(fills, reader);
  const amounts = parts.flatMap(({ amount }) => amount ?? []);
  const lacking = less(exchange, bot);
  if (signOf(lacking) < 0)
    return isSumOfSome(negative(lacking), amounts) ? [...found, 'fillTwice'] : found;
  const later = parts.flatMap(({ time, amount }) => (time >= period.to && amount ? [amount] : []));
  if (later.length > 0 && isAbout(lacking, totalOf(later))) found.push('afterStop');
  if (isSumOfSome(lacking, amounts)) found.push('missingFill');
  return found;
}

function isMore([bot, exchange]: FigurePair<Amount> = [null, null]): boolean {
  return bot && exchange ? signOf(less(bot, exchange)) > 0 && !isAbout(bot, exchange) : false;
}

/** Whether the ledger has all trades of an order: the first may be older than what it has. */
function isWholeOrder({ reader }: JudgedBook, fills: Fills): boolean {
  const filled = fills.orderId === null ? null : reader.filledOf(fills.orderId);
  const amounts = partsOf(fills, reader).flatMap(({ amount }) => amount ?? []);
  return filled !== null && isAbout(totalOf(amounts), amountOf(filled));
}

/** Each trade: few bots say which of them they lack. */
function partsOf(
  { count, orderId, symbol, amount, firstTime }: Fills,
  { trades }: ComparisonReader,
) {
  if (count === 1 || orderId === null) return [{ time: firstTime, amount }];
  return trades
    .ofOrder(orderId)
    .filter((trade) => trade.symbol === symbol)
    .map(({ time, amount: part }) => {
      return { time, amount: part === null ? null : { integer: part, fraction: trades.fraction } };
    });
}

/** Undefined for an order without a fill. */
function judgeUnmatched(judged: JudgedBook, pair: Pair): JudgedRow | undefined {
  const { row, isRepeated } = pair;
  const figures = figuresOf(judged, row, undefined, row.pnl !== null);
  const [amount] = figures.amount ?? [];
  if (amount && signOf(amount) === 0) return undefined;
  const time = botTime(pair);
  // The id of a trade cannot be twice; an order may have another trade that says the same.
  const isKnown = time !== null && !isUnplaced(judged, pair) && judged.isComplete(time, time);
  const isCertain = isKnown || (isRepeated && row.tradeId !== null);
  return {
    ...rowOf(pair, undefined, figures),
    judgement: isCertain ? 'onlyBot' : 'undecided',
    causes: isCertain && isRepeated ? ['fillTwice'] : [],
  };
}

/** Undefined for what is none of the bot's business: before its first row, or after its last one. */
function lonelyCauses(
  { matches: { orders }, period, hasOrders }: JudgedBook,
  fills: Fills,
): Cause[] | undefined {
  if (orders.isPlaced(fills.orderId))
    return [fills.firstTime >= period.to ? 'afterStop' : 'missingFill'];
  if (!contains(period, fills.firstTime)) return undefined;
  if (orders.isLiquidation(fills)) return ['liquidation'];
  return hasOrders ? ['manual', 'missingFill'] : [];
}

/** What a sum of floats of this size may lose: the bot adds up its orders. */
const positionDecimals = 7;

/** Without funding, which no record of the exchange ties to a position. */
function judgePosition(
  { matches, conventions }: JudgedBook,
  { place, symbol, pnl, funding, time, orderIds }: BotPosition,
): JudgedRow {
  const orders = orderIds.flatMap((id) => matches.ofOrder(id));
  const [written, paid] = [botFigure(pnl), botFigure(funding)];
  const bot = written && paid ? less(written, paid) : written;
  const exchange = netOf(orders, conventions);
  const degree = bot && exchange && closeness(bot, exchange, positionDecimals);
  const agrees = degree === 'same' || degree === 'noise';
  const ms = parseBotTime(time)?.ms;
  return {
    ...{ ...noRow, kind: 'position', bot: place, differing: ['pnl'] },
    symbol: orders[0]?.fills?.symbol ?? symbol,
    judgement: degree === null ? 'undecided' : agrees ? 'agrees' : 'differs',
    causes: degree === null || agrees ? [] : orders.flatMap(({ causes }) => causes).slice(0, 1),
    time: ms === undefined ? null : ms - (orders[0]?.offsetMs ?? 0),
    figures: { pnl: [bot, exchange] },
    isNoisy: degree === 'noise',
  };
}

/** Null if a figure of an order is not known, or no order. */
function netOf(orders: readonly Pair[], { pnlOf }: FoundConventions): Figure {
  if (orders.length === 0 || orders.some(({ isUndecided }) => isUndecided)) return null;
  const parts = orders.flatMap(({ fills }) => (fills ? [pnlOf(fills, null)] : []));
  const known = parts.filter((part) => part !== null);
  return known.length < parts.length ? null : totalOf(known);
}

import {
  amountOf,
  less,
  negative,
  quotient,
  signOf,
  sizeOf,
  textOf,
  times,
  type Amount,
} from '../../base/decimal.ts';
import { contains, openEnd, type Interval } from '../../base/interval.ts';
import { assetKey, botFigure, botSide, isNothing, parseBotTime, ratioKey } from './botValues.ts';
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
import { timesOfBot, type Matches, type Pair } from './matching.ts';

/** What rows are judged with. */
type JudgedBook = {
  readonly book: BotBook;
  readonly matches: Matches;
  readonly conventions: FoundConventions;
  readonly reader: ComparisonReader;
  /** From the first to the last row of the bot, in the exchange's time. */
  readonly period: Interval;
  /** Whether the ledger is of the account that a row names, if it names one: some of its rows were matched. */
  readonly isOfAccount: (row: { readonly account: string | null }) => boolean;
  /** Whether the ledger has every trade between these times. */
  readonly isComplete: (from: number, to: number) => boolean;
  /** Without every order of the period, it is not known which were liquidations, or the bot's by the client's ids. */
  readonly hasOrders: boolean;
};

export type JudgedRow = ComparedRow<Amount>;
type Figures = JudgedRow['figures'];
type Figure = Amount | null;
type FigureEntry = [FigureName, FigurePair<Amount>];

/** Each row of the bot, then what only the exchange has. */
export function* judgedRows(judged: JudgedBook): Generator<JudgedRow> {
  const { book, matches } = judged;
  const openSymbols = book.openSymbols.map(judged.conventions.symbolOf);
  for (const { orderIds } of book.positions?.() ?? [])
    for (const pair of orderIds.flatMap(matches.ofOrder)) pair.isInPosition = true;
  const unplacedSymbols = new Set<string>();
  for (const pair of matches.pairs) {
    const { fills, row } = pair;
    const compared = fills ? judgeMatch(judged, pair, fills) : judgeUnmatched(judged, pair);
    if (!compared) continue;
    pair.causes = compared.causes;
    pair.isUndecided = compared.judgement === 'undecided';
    if (isUnplaced(judged, pair))
      unplacedSymbols.add(judged.conventions.symbolOf(row.symbol) ?? '');
    yield compared;
  }
  for (const fills of matches.lonely) {
    const causes = lonelyCauses(judged, fills, openSymbols.includes(fills.symbol));
    if (!causes) continue;
    const row = rowOf(judged, null, fills, figuresOf(judged, null, fills));
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
  ...{ causes: [], differingWords: [] },
  assets: [null, null],
  ...{ isLikely: false, isNoisy: false, bot: null, exchange: null },
};

/** What both sides say. */
function rowOf(
  { conventions }: JudgedBook,
  pair: Pair | null,
  fills: Fills | undefined,
  figures: Figures,
): Omit<JudgedRow, 'judgement'> {
  const row = pair?.row;
  const symbol = row && conventions.symbolOf(row.symbol);
  const isOneTrade = row ? row.tradeId !== null : fills?.count === 1;
  return {
    ...{ ...noRow, kind: 'trade', figures, isLikely: Boolean(pair?.fills && !pair.hasId) },
    differing: (Object.entries(figures) as FigureEntry[]).flatMap(([name, [bot, exchange]]) =>
      bot || exchange ? [name] : [],
    ),
    ...{ bot: row?.place ?? null, exchange: fills?.place ?? null },
    symbol: fills?.symbol ?? symbol ?? row?.symbol ?? null,
    side: fills ? fills.side : botSide(row?.side ?? null),
    orderId: (fills ?? row)?.orderId ?? null,
    tradeId: isOneTrade ? ((fills ?? row)?.tradeId ?? null) : null,
    time: fills ? fills.firstTime : ((pair && timesOfBot(pair).at(-1)) ?? null),
    assets: [row && row.fee !== null ? row.feeAsset : null, fills?.feeAsset ?? null],
  };
}

/** The bot's figures in the exchange's units, beside the exchange's. */
function figuresOf({ conventions }: JudgedBook, pair: Pair | null, fills?: Fills): Figures {
  const { pnlOf, multiplierOf, shown } = conventions;
  const row = pair?.row;
  const own = (text: string | null | undefined): Figure => botFigure(text ?? null);
  const [amount, price, fee, pnl] = [row?.amount, row?.price, row?.fee, row?.pnl].map(own);
  return {
    amount: [row && amount ? times(amount, multiplierOf(row)) : null, fills?.amount ?? null],
    price: [price ?? null, fills?.price ?? null],
    fee: [fee && shown.feesAreNegated ? negative(fee) : (fee ?? null), fills?.fee ?? null],
    ...(!pair?.isInPosition && {
      pnl: [pnl ?? null, fills ? pnlOf(fills, pnl ?? null) : null] as const,
    }),
  };
}

/** An average price is none of the sums, and each program rounds it in its own way. */
function degreeOf(
  name: FigureName,
  [bot, exchange]: FigurePair<Amount>,
  fills: Fills,
  book: BotBook,
): Closeness {
  if (!bot || !exchange) return 'same';
  const isAverage = name === 'price' && fills.count > 1;
  const degree = closeness(bot, exchange, book.decimals, isAverage ? 1 : fills.count);
  const isNoise =
    (isAverage && degree === 'rounded' && isNearAverage(bot, exchange)) ||
    (name === 'fee' && degree === 'other' && isByRate(bot, exchange, [fills], book));
  return isNoise ? 'noise' : degree;
}

/** Whether the bot's figure is off by no more than what its rates lose of the notional. */
function isByRate(
  bot: Amount,
  exchange: Amount,
  orders: readonly Fills[],
  { rateDecimals }: BotBook,
): boolean {
  if (rateDecimals === null || isAbout(bot, exchange)) return false;
  const notionals = orders.flatMap(({ amount, price }) =>
    amount && price ? times(amount, price) : [],
  );
  const most = times(totalOf(notionals), { integer: 1n, fraction: rateDecimals });
  return signOf(less(sizeOf(less(bot, exchange)), most)) <= 0;
}

/** Within a ten-thousandth. */
function isNearAverage(bot: Amount, exchange: Amount): boolean {
  const wrong = times(sizeOf(less(bot, exchange)), { integer: 10_000n, fraction: 0 });
  return signOf(less(wrong, sizeOf(exchange))) <= 0;
}

function judgeMatch(judged: JudgedBook, pair: Pair, fills: Fills): JudgedRow {
  const { book, isComplete } = judged;
  const { row } = pair;
  const figures = figuresOf(judged, pair, fills);
  const degrees = (Object.entries(figures) as FigureEntry[]).map(
    ([name, pairOf]) => [name, degreeOf(name, pairOf, fills, book)] as const,
  );
  const has = (wanted: Closeness): boolean => degrees.some(([, degree]) => degree === wanted);
  const ofBoth = rowOf(judged, pair, fills, figures);
  const differingWords = wordsThatDiffer(judged, row, fills, ofBoth.assets);
  const compared = { ...ofBoth, differingWords };
  const isOther =
    has('other') || has('rounded') || differingWords.length > 0 || isOtherZone(judged, pair, fills);
  const isKnown =
    isComplete(fills.firstTime, fills.lastTime) &&
    (!isMore(figures.amount) || row.tradeId === fills.tradeId || isWholeOrder(judged, fills));
  // Without an amount, nothing of it was compared.
  const isSame = !isOther && row.amount !== null;
  const judgement = isSame ? 'agrees' : isOther && isKnown ? 'differs' : 'undecided';
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
    ['symbol', conventions.symbolOf(row.symbol), fills.symbol],
    ['side', botSide(row.side), fills.side],
    ['feeAsset', ...feeAssets],
  ] as const;
  return words.flatMap(([field, bot, exchange]) =>
    bot && exchange && assetKey(bot) !== assetKey(exchange) ? [{ field, bot, exchange }] : [],
  );
}

function isOtherZone({ conventions }: JudgedBook, { row, offsetMs }: Pair, fills: Fills): boolean {
  const offset = offsetIn(row, fills);
  return conventions.hasTimesOfFills && offset !== null && offset !== offsetMs;
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
  { reader, period }: JudgedBook,
  fills: Fills,
  bot: Amount,
  exchange: Amount,
): Cause[] {
  const found: Cause[] = [];
  const isMultiplied =
    !isNothing(bot) && /^(?:10+|0\.0*1)$/.test(quotient(ratioKey(exchange, bot), '1'));
  const multiplier: Cause[] = isMultiplied ? ['multiplier'] : [];
  const parts = partsOf(fills, reader);
  const amounts = parts.flatMap(({ amount }) => amount ?? []);
  const lacking = less(exchange, bot);
  if (signOf(lacking) < 0)
    return isSumOfSome(negative(lacking), amounts) ? ['fillTwice', ...multiplier] : multiplier;
  const later = parts.flatMap(({ time, amount }) => (time >= period.to && amount ? [amount] : []));
  if (later.length > 0 && isAbout(lacking, totalOf(later))) found.push('afterStop');
  if (isSumOfSome(lacking, amounts)) found.push('missingFill');
  return [...found, ...multiplier];
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
  const figures = figuresOf(judged, pair);
  const [amount] = figures.amount ?? [];
  if (isNothing(amount)) return undefined;
  const time = timesOfBot(pair).at(-1) ?? null;
  // The id of a trade cannot be twice; an order may have another trade that says the same.
  const isKnown =
    Boolean(amount) &&
    time !== null &&
    judged.isOfAccount(row) &&
    !isUnplaced(judged, pair) &&
    judged.isComplete(time, time);
  const isCertain = isKnown || (isRepeated && row.tradeId !== null);
  return {
    ...rowOf(judged, pair, undefined, figures),
    judgement: isCertain ? 'onlyBot' : 'undecided',
    causes: isCertain && isRepeated ? ['fillTwice'] : [],
  };
}

/** Undefined for what is none of the bot's business: before its first row, or after its last one and in no open position. */
function lonelyCauses(
  { matches: { orders }, period, hasOrders }: JudgedBook,
  fills: Fills,
  isOpen: boolean,
): Cause[] | undefined {
  if (orders.isPlaced(fills.orderId))
    return [fills.firstTime >= period.to ? 'afterStop' : 'missingFill'];
  const { from, to } = period;
  if (!contains({ from, to: isOpen ? openEnd : to }, fills.firstTime)) return undefined;
  if (orders.isLiquidation(fills)) return ['liquidation'];
  return hasOrders ? ['manual', 'missingFill'] : [];
}

/** Without funding, which no record of the exchange ties to a position. */
function judgePosition(
  { book, matches, conventions }: JudgedBook,
  { place, symbol, pnl, funding, time, orderIds }: BotPosition,
): JudgedRow {
  const orders = orderIds.flatMap((id) => matches.ofOrder(id));
  const [written, paid] = [botFigure(pnl), botFigure(funding)];
  const bot = written && paid ? less(written, paid) : written;
  const exchange = netOf(orders, conventions);
  const isKnown = bot !== null && exchange !== null;
  const fills = orders.flatMap((order) => order.fills ?? []);
  const isByRates = isKnown && isByRate(bot, exchange, fills, book);
  const agrees = isKnown && (isByRates || isAbout(bot, exchange));
  return {
    ...{ ...noRow, kind: 'position', bot: place, differing: agrees ? [] : ['pnl'] },
    symbol: fills[0]?.symbol ?? symbol,
    judgement: !isKnown ? 'undecided' : agrees ? 'agrees' : 'differs',
    causes: !isKnown || agrees ? [] : orders.flatMap(({ causes }) => causes).slice(0, 1),
    time: parseBotTime(time)?.ms ?? null,
    figures: { pnl: [bot, exchange] },
    isNoisy: isByRates || (agrees && textOf(bot) !== textOf(exchange)),
  };
}

/** Null if a figure of an order is not known, or no order. */
function netOf(orders: readonly Pair[], { pnlOf }: FoundConventions): Figure {
  if (orders.length === 0 || orders.some(({ isUndecided }) => isUndecided)) return null;
  const parts = orders.flatMap(({ fills }) => (fills ? [pnlOf(fills, null)] : []));
  const known = parts.filter((part) => part !== null);
  return known.length < parts.length ? null : totalOf(known);
}

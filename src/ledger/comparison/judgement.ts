import {
  compare,
  difference,
  isZero,
  negated,
  product,
  quotient,
  sum,
  type NumberText,
} from '../../base/decimal.ts';
import { contains, type Interval } from '../../base/interval.ts';
import { assetKey, botFigure, botSide, parseBotTime, ratioKey } from './botValues.ts';
import type {
  BotBook,
  BotPosition,
  BotRow,
  Cause,
  ComparedRow,
  FigurePair,
  Judgement,
} from './comparison.ts';
import { closeness, isOpposite, offsetIn, type FoundConventions } from './conventions.ts';
import type { Fills } from './fills.ts';
import type { Matches } from './matching.ts';

/** What rows are judged with. */
type JudgedBook = {
  readonly book: BotBook;
  readonly matches: Matches;
  readonly conventions: FoundConventions;
  /** From the first to the last row of the bot, in the exchange's time. */
  readonly period: Interval;
  /** Whether the ledger has every trade between these times. */
  readonly isComplete: (from: number, to: number) => boolean;
  /** Without every order of the period, it is not known which were liquidations. */
  readonly hasOrders: boolean;
};

/** Each row of the bot, then what only the exchange has. */
export function* judgedRows(judged: JudgedBook): Generator<ComparedRow> {
  const { book, matches } = judged;
  const byOrder = new Map<string, JudgedOrder>();
  for (const [index, row] of book.rows.entries()) {
    const fills = matches.fills[index];
    const compared = fills
      ? judgeMatch(judged, index, row, fills)
      : judgeUnmatched(judged, index, row);
    if (!compared) continue;
    if (row.orderId !== null && book.positions.length > 0)
      byOrder.set(row.orderId, { compared, fills });
    yield compared;
  }
  for (const fills of matches.lonely) {
    const causes = lonelyCauses(judged, fills);
    if (causes) yield { ...lonelyRow(judged, fills), causes };
  }
  for (const position of book.positions) yield judgePosition(judged, position, byOrder);
}

type JudgedOrder = { readonly compared: ComparedRow; readonly fills: Fills | undefined };

type Figures = ComparedRow['figures'];

function judgeMatch(judged: JudgedBook, index: number, row: BotRow, fills: Fills): ComparedRow {
  const { book, matches, isComplete } = judged;
  const figures = figuresOf(judged, row, fills);
  const degrees = Object.values(figures).map((pair) =>
    closenessOf(pair, book.decimals, fills.times.length),
  );
  const assets = [row.fee === null ? null : row.feeAsset, fills.first.feeAsset] as const;
  const { symbol, side, orderId, tradeId } = fills.first;
  const isOther =
    degrees.some((degree) => degree === 'other' || degree === 'rounded') ||
    areOtherAssets(assets) ||
    isOtherZone(judged, index, row, fills) ||
    (botSide(row.side) ?? side) !== side;
  const time = botTime(judged, index, row) ?? fills.firstTime;
  const isKnown = isComplete(Math.min(time, fills.firstTime), Math.max(time, fills.lastTime));
  const judgement: Judgement = !isOther ? 'agrees' : isKnown ? 'differs' : 'undecided';
  const context = { ...judged, index, row, fills, figures };
  return {
    ...{ kind: 'trade', judgement, figures, assets, symbol, side, orderId },
    causes: judgement === 'differs' ? rowCauses(context) : [],
    tradeId: row.tradeId === null ? null : tradeId,
    time: fills.firstTime,
    isLikely: matches.likely.has(index),
    isNoisy: degrees.includes('noise'),
    bot: row.place,
    exchange: fills.place,
  };
}

/** The bot's figures in the exchange's units, beside the exchange's. */
function figuresOf({ conventions, matches }: JudgedBook, row: BotRow, fills: Fills): Figures {
  const { feesAreNegated, pnlIsNet, netPnlOf, multiplierOf } = conventions;
  const [amount, price, fee, pnl] = [row.amount, row.price, row.fee, row.pnl].map(botFigure);
  const ownFee = fee && feesAreNegated && !isZero(fee) ? negated(fee) : fee;
  const multiplier = multiplierOf(row);
  return {
    amount: [amount && (multiplier === '1' ? amount : product(amount, multiplier)), fills.amount],
    price: [price ?? null, nearestPrice(price ?? null, fills, matches)],
    fee: [ownFee ?? null, fills.fee],
    ...(pnl && { pnl: [pnl, pnlIsNet ? netPnlOf(fills) : fills.pnl] as const }),
  } as Figures;
}

/** An exchange rounds the average of an order in its own way. */
function nearestPrice(price: NumberText | null, fills: Fills, { orders }: Matches): string | null {
  const own = fills.price;
  if (price === null || own === null || fills.times.length === 1) return own;
  const written = orders.averagePrice(fills.first);
  return written !== null && closeness(price, written) !== 'other' ? written : own;
}

function closenessOf([bot, exchange]: FigurePair, decimals: number | null, terms = 1) {
  return bot === null || exchange === null ? 'same' : closeness(bot, exchange, decimals, terms);
}

function areOtherAssets([bot, exchange]: ComparedRow['assets']): boolean {
  return bot !== null && exchange !== null && assetKey(bot) !== assetKey(exchange);
}

function isOtherZone(
  { conventions }: JudgedBook,
  index: number,
  row: BotRow,
  fills: Fills,
): boolean {
  const offset = offsetIn(row, fills);
  return offset !== null && offset !== conventions.offsetOf(index);
}

function botTime({ conventions }: JudgedBook, index: number, row: BotRow): number | null {
  return row.at && row.at.ms - conventions.offsetOf(index);
}

type Divergence = JudgedBook & {
  readonly index: number;
  readonly row: BotRow;
  readonly fills: Fills;
  readonly figures: Figures;
};

/** What fits, the likeliest first. Other figures follow from an amount that is another one. */
function rowCauses(divergence: Divergence): Cause[] {
  const { figures, row, fills, index, book } = divergence;
  const [amount, exchangeAmount] = figures.amount ?? [null, null];
  const isKnown = amount !== null && exchangeAmount !== null;
  const found =
    isKnown && closeness(amount, exchangeAmount, book.decimals) === 'other'
      ? amountCauses(divergence, amount, exchangeAmount)
      : [];
  if (areOtherAssets([row.fee === null ? null : row.feeAsset, fills.first.feeAsset]))
    found.push('feeAsset');
  else if (figures.fee && isOppositePair(figures.fee)) found.push('feeSign');
  if (isOtherZone(divergence, index, row, fills)) found.push('zone');
  const terms = fills.times.length;
  const isRounded = (pair: FigurePair): boolean =>
    closenessOf(pair, book.decimals, terms) === 'rounded';
  if (Object.values(figures).some(isRounded)) found.push('rounding');
  return found;
}

function isOppositePair([bot, exchange]: FigurePair): boolean {
  return bot !== null && exchange !== null && isOpposite(bot, exchange);
}

function amountCauses(
  { conventions, fills, period }: Divergence,
  bot: NumberText,
  exchange: NumberText,
): Cause[] {
  const found: Cause[] = [];
  if (!isZero(bot) && conventions.isMultiplier(quotient(ratioKey(exchange, bot), '1')))
    found.push('multiplier');
  if (compare(bot, exchange) > 0) {
    if (isSumOfSome(difference(bot, exchange), fills.amounts)) found.push('fillTwice');
    return found;
  }
  const lacking = difference(exchange, bot);
  const later = fills.amounts.filter((_amount, index) => (fills.times[index] ?? 0) >= period.to);
  if (later.length > 0 && isAbout(lacking, sum(later))) found.push('afterStop');
  if (isSumOfSome(lacking, fills.amounts)) found.push('missingFill');
  return found;
}

/** Whether it is one of the amounts, or the sum of the first or last of them. */
export function isSumOfSome(total: NumberText, amounts: readonly NumberText[]): boolean {
  const all = sum(amounts);
  let before: NumberText = '0';
  for (const amount of amounts) {
    before = sum([before, amount]);
    if ([amount, before, difference(all, before)].some((each) => isAbout(total, each)))
      return !isZero(total);
  }
  return false;
}

export function isAbout(one: NumberText, other: NumberText): boolean {
  const degree = closeness(one, other);
  return degree === 'same' || degree === 'noise';
}

/** Undefined for an order without a fill. */
function judgeUnmatched(judged: JudgedBook, index: number, row: BotRow): ComparedRow | undefined {
  const { matches, conventions, isComplete, period } = judged;
  const [amount = null, price = null, fee = null, pnl = null] = figuresAlone(row);
  if (amount !== null && isZero(amount)) return undefined;
  const time = botTime(judged, index, row);
  const isKnown = time === null ? isComplete(period.from, period.to) : isComplete(time, time);
  const isRepeated = matches.repeated.has(index);
  const multiplied = amount && product(amount, conventions.multiplierOf(row));
  const { symbol, orderId, tradeId } = row;
  return {
    ...{ kind: 'trade', symbol, orderId, tradeId, time },
    side: botSide(row.side),
    judgement: isKnown || isRepeated ? 'onlyBot' : 'undecided',
    causes: isRepeated ? ['fillTwice'] : [],
    figures: {
      amount: [multiplied, null],
      price: [price, null],
      fee: [fee && conventions.feesAreNegated && !isZero(fee) ? negated(fee) : fee, null],
      ...(pnl !== null && { pnl: [pnl, null] }),
    },
    assets: [fee === null ? null : row.feeAsset, null],
    ...{ isLikely: false, isNoisy: false, bot: row.place, exchange: null },
  };
}

function figuresAlone(row: BotRow): (NumberText | null)[] {
  return [row.amount, row.price, row.fee, row.pnl].map(botFigure);
}

/** Undefined for what is none of the bot's business: before its first row, or after its last one. */
function lonelyCauses(
  { matches, period, hasOrders }: JudgedBook,
  fills: Fills,
): Cause[] | undefined {
  const { orders } = matches;
  if (orders.isPlaced(fills.first))
    return [fills.firstTime >= period.to ? 'afterStop' : 'missingFill'];
  if (!contains(period, fills.firstTime)) return undefined;
  if (orders.isLiquidation(fills.first)) return ['liquidation'];
  return hasOrders ? ['manual', 'missingFill'] : [];
}

function lonelyRow({ book, conventions }: JudgedBook, fills: Fills): ComparedRow {
  const { symbol, side, orderId, tradeId, feeAsset } = fills.first;
  const { amount, price, fee, pnl } = fills;
  const keepsPnl = book.rows.some((row) => row.pnl !== null);
  return {
    ...{ kind: 'trade', judgement: 'onlyExchange', causes: [], symbol, side, orderId },
    time: fills.firstTime,
    tradeId: fills.times.length === 1 ? tradeId : null,
    figures: {
      amount: [null, amount],
      price: [null, price],
      fee: [null, fee],
      ...(keepsPnl && { pnl: [null, conventions.pnlIsNet ? conventions.netPnlOf(fills) : pnl] }),
    },
    assets: [null, feeAsset],
    ...{ isLikely: false, isNoisy: false, bot: null, exchange: fills.place },
  };
}

/** What a sum of floats of this size may lose: the bot adds up its orders. */
const positionDecimals = 7;

/** Without funding, which no record of the exchange ties to a position. */
function judgePosition(
  { conventions }: JudgedBook,
  { place, symbol, pnl, funding, time, orderIds }: BotPosition,
  byOrder: ReadonlyMap<string, JudgedOrder>,
): ComparedRow {
  const orders = orderIds.flatMap((id) => byOrder.get(id) ?? []);
  const written = botFigure(pnl);
  const bot = written && difference(written, botFigure(funding) ?? '0');
  const exchange = netOf(orders, conventions);
  const isKnown = bot !== null && exchange !== null;
  const degree = closenessOf([bot, exchange], positionDecimals);
  const agrees = degree === 'same' || degree === 'noise';
  const causes = orders.flatMap(({ compared }) => compared.causes).slice(0, 1);
  const ms = parseBotTime(time)?.ms;
  return {
    ...{
      kind: 'position',
      symbol: orders[0]?.compared.symbol ?? symbol,
      side: null,
      orderId: null,
      tradeId: null,
      bot: place,
    },
    judgement: !isKnown ? 'undecided' : agrees ? 'agrees' : 'differs',
    causes: isKnown && !agrees ? causes : [],
    time: ms === undefined ? null : ms - conventions.offsetOf(-1),
    figures: { pnl: [bot, exchange] },
    assets: [null, null],
    ...{ isLikely: false, isNoisy: degree === 'noise', exchange: null },
  };
}

/** Null if a figure of an order is not known. */
function netOf(
  orders: readonly JudgedOrder[],
  { netPnlOf }: JudgedBook['conventions'],
): NumberText | null {
  if (orders.some(({ compared }) => compared.judgement === 'undecided')) return null;
  const parts = orders.flatMap(({ fills }) => (fills ? [netPnlOf(fills)] : []));
  const known = parts.filter((part) => part !== null);
  return known.length < parts.length ? null : sum(known);
}

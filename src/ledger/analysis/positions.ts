import type { DatabaseSync } from 'node:sqlite';
import { added, quotient, textOf, type Amount, type NumberText } from '../../base/decimal.ts';
import { always, covers, openEnd, openStart, type Interval } from '../../base/interval.ts';
import { firstIndex } from '../../base/sorted.ts';
import { minuteMs } from '../../base/time.ts';
import { completeIn, coverageParts } from '../coverage/coverageParts.ts';
import { minTimesHeld, postingDelayMs, type LedgerHistory } from '../ledger.ts';
import { idKey } from '../storage/numberKey.ts';
import { numberOf } from '../storage/sql.ts';
import { Totals } from '../storage/sums.ts';
import { TradeReader } from '../storage/tradeReader.ts';
import { WalkStore } from '../storage/walkStore.ts';
import {
  isDecided,
  isSameAsset,
  type PositionChecks,
  type PositionFilter,
  type PositionsAnalysis,
  type RebuiltPosition,
} from './analysis.ts';
import type { ReadBook } from './bookReader.ts';
import { provedFeeSign } from './feeSign.ts';
import { positionNumbers } from './numbers.ts';
import { lastMomentOf, liesIn, type BookPosition } from './positionBook.ts';
import type { AnalysisScope } from './scope.ts';
import { onlyOpenSymbol, sumsInParts } from './sums.ts';

/** More would block the window: a shorter period or a filter has them. */
const mostListed = 1000;

/** The positions that ended in a period, and those that are open. */
export function rebuiltPositions(
  scope: AnalysisScope,
): Omit<PositionsAnalysis, 'view' | 'period' | 'coverage'> {
  const { database, period, request, symbols } = scope;
  const book = scope.book();
  const ofPeriod = book.positions.filter((each) => liesIn(each, period));
  const filter = request.positions ?? {};
  const moments = momentsOf(database, filter);
  const own = ofPeriod.filter((each) => matches(each, filter) && isOpenAtOne(each, moments));
  const isInPieces = filter.inPieces === true;
  const listed = isInPieces ? own : own.slice(-mostListed);
  const rebuild = rebuilder(scope, book, listed);
  return {
    ...(isInPieces
      ? { positions: [], pieces: piecesOf(listed, rebuild) }
      : { positions: listed.map(rebuild) }),
    ...{ count: own.length, checks: checksBySymbol(book) },
    undecided: own.filter(({ undecided }) => undecided !== null).length,
    symbols: [...new Set(ofPeriod.map(({ symbol }) => symbol))].sort(),
    numbers: positionNumbers(own, book, symbols),
  };
}

/** About 3 ms of a window's thread. */
const pieceSize = 1000;

function piecesOf(positions: readonly BookPosition[], rebuild: Rebuild): Uint8Array[] {
  const count = Math.ceil(positions.length / pieceSize);
  return Array.from({ length: count }, (_none, index) => {
    const own = positions.slice(index * pieceSize, (index + 1) * pieceSize);
    return sharedText(JSON.stringify(own.map(rebuild)));
  });
}

/** To copy all pieces from thread to thread would block the window. */
function sharedText(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

function matches(position: BookPosition, { symbol, direction, result }: PositionFilter): boolean {
  const { undecided, isLong, rpnl } = position;
  const won = isDecided(position) && rpnl !== null ? rpnl : 0n;
  const results = { won: won > 0n, lost: won < 0n, undecided: undecided !== null };
  return (
    (symbol === undefined || position.symbol === symbol) &&
    (direction === undefined || (undecided === null && isLong === (direction === 'LONG'))) &&
    (result === undefined || results[result])
  );
}

/** In their order; undefined if any position is meant. */
function momentsOf(
  database: DatabaseSync,
  { moment, orderId, symbol = '' }: PositionFilter,
): readonly number[] | undefined {
  if (orderId === undefined) return moment === undefined ? undefined : [moment];
  const fills = new TradeReader(database).ofOrder(orderId).filter((each) => each.symbol === symbol);
  const liquidated = database
    .prepare(
      `SELECT time FROM orders
       WHERE orderId = ? AND symbol = ? AND status = 'LIQUIDATED' AND unlistedSince IS NULL AND time IS NOT NULL`,
    )
    .all(idKey(orderId), symbol);
  return (fills.length > 0 ? fills : liquidated).map(({ time }) => Number(time));
}

function isOpenAtOne(position: BookPosition, moments: readonly number[] | undefined): boolean {
  if (!moments) return true;
  const next = moments[firstIndex(moments, (each) => each < position.opened)];
  return next !== undefined && next <= lastMomentOf(position);
}

type Rebuild = (position: BookPosition) => RebuiltPosition;

/** What is known of positions beside their trades. */
function rebuilder(scope: AnalysisScope, book: ReadBook, listed: readonly BookPosition[]): Rebuild {
  const { database, symbols } = scope;
  const feeSign = provedFeeSign(database);
  const isLiquidated = liquidations(scope);
  const chargesOf = charges(scope, { listed, all: book.positions, isLiquidated });
  const single = (integer: bigint): NumberText => textOf({ integer, fraction: book.fraction });
  const average = ({ amount, value }: BookPosition['entry']): NumberText | null =>
    amount === 0n || value === null
      ? null
      : quotient(textOf({ integer: value, fraction: 2 * book.fraction }), single(amount));
  return (position) => {
    const { symbol, opened, closed, undecided, lastAt } = position;
    const { asset, assetBasis } = symbols.assetOf(symbol, 'marginAsset');
    const head = { symbol, opened, closed, lastAt, undecided, asset, assetBasis };
    const { rpnl, fees, fills, orders, isLong, largest, entry, exit } = position;
    if (undecided !== null) return { ...head, ...unknownFigures, fills, orders };
    const charged = chargesOf(position);
    const turned = feeSign === 'negative' ? -1n : 1n;
    const paid = fees?.map((fee) => ({ ...fee, integer: turned * fee.integer })) ?? null;
    const isSignKnown = feeSign !== null || fees?.length === 0;
    const ownFee = paid?.find((fee) => isSameAsset(fee.asset, asset))?.integer ?? 0n;
    const isWhole = rpnl !== null && paid !== null && isSignKnown && assetBasis !== 'unknown';
    const booked = charged?.filter((each) => isSameAsset(each.asset, asset)) ?? [];
    const net = isWhole
      ? booked.reduce<Amount>((sum, { amount }) => added(sum, amount), {
          integer: rpnl - ownFee,
          fraction: book.fraction,
        })
      : null;
    return {
      ...head,
      direction: isLong ? 'LONG' : 'SHORT',
      largest: single(largest),
      entryPrice: average(entry),
      exitPrice: position.isLiquidatedWithoutTrade ? null : average(exit),
      gross: rpnl === null ? null : single(rpnl),
      fees: paid?.map((fee) => ({ asset: fee.asset, amount: single(fee.integer) })) ?? null,
      isSignKnown,
      charges: charged?.map((each) => ({ asset: each.asset, amount: textOf(each.amount) })) ?? null,
      net: net && textOf(net),
      isLiquidated: isLiquidated(position),
      orders,
      fills,
    };
  };
}

const unknownFigures = {
  ...{ direction: null, largest: null, entryPrice: null, exitPrice: null, gross: null },
  ...{ fees: null, isSignKnown: true, charges: null, net: null, isLiquidated: null },
} as const;

type ChargedPositions = {
  readonly listed: readonly BookPosition[];
  readonly all: readonly BookPosition[];
  readonly isLiquidated: (position: BookPosition) => boolean | null;
};

const isCharge = `type IN ('FUNDING_FEE', 'LIQUIDATION_FEE')`;

/** What transactions booked on a position, by asset; null if it is not proved which position some were for. */
function charges(
  { database }: AnalysisScope,
  { listed, all, isLiquidated }: ChargedPositions,
): (position: BookPosition) => readonly { asset: string; amount: Amount }[] | null {
  const complete = completeSpans(database, 'futureTransactions');
  const readTo = complete.at(-1)?.to ?? openStart;
  const endOf = ({ closed, lastAt, undecided }: BookPosition): number =>
    closed ?? (undecided === null ? Math.max(lastAt, readTo - 1) : lastAt);
  /** Funding may be booked some seconds late, and the fee of a liquidation a minute. */
  const lastOf = (position: BookPosition, isFunding: boolean): number => {
    const { closed } = position;
    if (closed === null) return endOf(position);
    const feeDelayMs = isLiquidated(position) === false ? 0 : minuteMs;
    return closed + (isFunding ? postingDelayMs : feeDelayMs);
  };
  // Too many to be arguments of one call.
  const from = listed.reduce((first, { opened }) => Math.min(first, opened), openEnd);
  const to = listed.reduce((last, each) => Math.max(last, endOf(each)), openStart) + minuteMs + 1;
  const query = {
    ...({ history: 'futureTransactions', field: 'amount', interval: { from, to } } as const),
    groups: { time: 'time', type: 'type', asset: 'asset', isKnown: 'amount IS NOT NULL' },
    where: isCharge,
  };
  const booked = listed.length === 0 ? [] : [...sumsInParts(database, query)];
  const rows = booked
    .map(({ keys, amount }) => ({
      ...{ at: Number(keys.time), isFunding: keys.type === 'FUNDING_FEE' },
      ...{ asset: keys.asset, amount, isKnown: keys.isKnown === '1' },
    }))
    .toSorted((one, other) => one.at - other.at);
  const symbolOfFunding = onlyOpenSymbol(database);
  const symbolOfLiquidation = onlyLiquidatedSymbol(database);
  const bySymbol = Map.groupBy(rows.length > 0 ? all : [], ({ symbol }) => symbol);
  /** The symbol that a row was for, and its position if there is only one; null if that is not proved. */
  const ownerOf = ({ at, isFunding }: (typeof rows)[number]) => {
    const symbol = isFunding ? symbolOfFunding(at) : symbolOfLiquidation(at);
    const own = bySymbol.get(symbol ?? '') ?? [];
    const possible: BookPosition[] = [];
    let index = firstIndex(own, ({ opened }) => opened <= at) - 1;
    for (let each = own[index]; each && endOf(each) + minuteMs >= at; each = own[(index -= 1)])
      if (at <= lastOf(each, isFunding)) possible.push(each);
    return { symbol, position: possible.length === 1 ? possible[0] : null };
  };
  const undated = `SELECT EXISTS (SELECT 1 FROM futureTransactions WHERE time IS NULL AND unlistedSince IS NULL AND ${isCharge})`;
  const isOneUndated = numberOf(database, undated) === 1;
  const owners = new Map<number, ReturnType<typeof ownerOf>>();
  return (position) => {
    const last = Math.max(lastOf(position, true), lastOf(position, false));
    const sums = new Totals();
    let isProved = !isOneUndated && covers(complete, { from: position.opened, to: last + 1 });
    let index = firstIndex(rows, ({ at }) => at < position.opened);
    for (let row = rows[index]; isProved && row && row.at <= last; row = rows[(index += 1)]) {
      if (row.at > lastOf(position, row.isFunding)) continue;
      const owner = owners.get(index) ?? ownerOf(row);
      owners.set(index, owner);
      const isOfOther = owner.position
        ? owner.position !== position
        : (owner.symbol ?? position.symbol) !== position.symbol;
      if (isOfOther) continue;
      if (owner.position && row.isKnown) sums.add(row.asset, row.amount);
      else isProved = false;
    }
    return isProved ? sums.names.map((asset) => ({ asset, amount: sums.of(asset) })) : null;
  };
}

/** The only symbol that was liquidated near a moment; null if there were none or several. */
function onlyLiquidatedSymbol(database: DatabaseSync): (time: number) => string | null {
  const statement = database.prepare(
    `SELECT DISTINCT symbol FROM orders
     WHERE time BETWEEN ?1 - ${minuteMs} AND ?1 + ${minuteMs} AND status = 'LIQUIDATED' AND unlistedSince IS NULL`,
  );
  const complete = completeSpans(database, 'orders');
  return (time) => {
    if (!covers(complete, { from: time - minuteMs, to: time + minuteMs + 1 })) return null;
    const found = statement.all(time);
    return found.length === 1 ? String(found[0]?.symbol) : null;
  };
}

/** Whether a liquidation closed a position; null if its order is not known. */
export function liquidations({
  database,
}: AnalysisScope): (position: BookPosition) => boolean | null {
  const rows = database
    .prepare(
      `SELECT trades.row AS row FROM orders JOIN trades ON trades.orderId = orders.orderId AND trades.symbol = orders.symbol
       WHERE status = 'LIQUIDATED' AND orders.unlistedSince IS NULL`,
    )
    .all();
  const liquidated = new Set(rows.map(({ row }) => Number(row)));
  const complete = completeSpans(database, 'orders');
  return ({ closed, closedBy, isLiquidatedWithoutTrade }) => {
    if (closed === null) return null;
    if (isLiquidatedWithoutTrade || (closedBy !== null && liquidated.has(closedBy))) return true;
    return covers(complete, { from: closed, to: closed + 1 }) ? false : null;
  };
}

function completeSpans(database: DatabaseSync, history: LedgerHistory): Interval[] {
  return completeIn(coverageParts(history, new WalkStore(database).coverage(history), always));
}

/** Sizes beside checkpoints, and what was realised beside what prices give. */
function checksBySymbol({ books, positions, fraction }: ReadBook): readonly PositionChecks[] {
  const bySymbol = Map.groupBy(positions.filter(isDecided), ({ symbol }) => symbol);
  return [...books.values()]
    .map(({ symbol, checks, priceStep, rpnlStep }) => {
      const scale = 10n ** BigInt(fraction);
      let [agreed, differed] = [0, 0];
      for (const { isLong, entry, exit, rpnl, largest, fills } of bySymbol.get(symbol) ?? []) {
        if (rpnl === null || entry.value === null || exit.value === null) continue;
        const moved = isLong ? exit.value - entry.value : entry.value - exit.value;
        const off = moved - rpnl * scale;
        // Each result may be rounded, and the average price that it is made of.
        const most = BigInt(fills) * (rpnlStep * scale + largest * priceStep);
        if (off <= most && -off <= most) agreed += 1;
        else differed += 1;
      }
      const applies = agreed + differed >= minTimesHeld && agreed >= differed;
      return { symbol, sizes: checks, gross: applies ? { agreed, differed } : null };
    })
    .sort((one, other) => (one.symbol < other.symbol ? -1 : 1));
}

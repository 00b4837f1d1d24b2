import { amountOf, less, negative, signOf, type Amount } from '../../base/decimal.ts';
import { covers, type Interval } from '../../base/interval.ts';
import { minuteMs } from '../../base/time.ts';
import { identityFields } from '../../exchange/recordIdentity.ts';
import type { LedgerRecord } from '../ledger.ts';
import { assetKey, botFigure, parseBotTime } from './botValues.ts';
import type { BotFunding, Cause, Judgement } from './comparison.ts';
import { isAbout, isSumOfSome, totalOf } from './closeness.ts';
import { noRow, type JudgedRow } from './judgement.ts';
import { periodOfTimes } from './matching.ts';

type FundingRecord = {
  readonly time: number;
  readonly record: LedgerRecord<'futureTransactions'>;
};

/** A payment is booked some time after it is due. */
const nearMs = minuteMs;

/** What a bot kept of some positions that were open at once: the exchange does not say whose funding is whose. */
type Span = {
  readonly from: number;
  to: number;
  readonly own: BotFunding[];
  readonly paid: FundingRecord[];
};

type DatedFunding = {
  readonly spans: readonly Span[];
  /** Their time cannot be read: each may be the bot's figure of any payment. */
  readonly undated: readonly BotFunding[];
  /** Not of single payments. */
  readonly isOfPositions: boolean;
  /** That of the trades, and the times of what the bot kept; null without any. */
  readonly period: Interval | null;
};

/** A position that is still open is paid until the ledger's end. */
export function datedFunding(
  kept: readonly BotFunding[],
  period: Interval | null,
  ledgerEnd: number,
): DatedFunding {
  const undated: BotFunding[] = [];
  const spans: Span[] = [];
  const times = period ? [period.from, period.to - 1] : [];
  for (const one of kept) {
    const from = parseBotTime(one.from)?.ms;
    const end = one.to === null ? ledgerEnd - 1 : parseBotTime(one.to)?.ms;
    if (from === undefined || end === undefined) undated.push(one);
    else {
      const to = Math.max(from, end);
      spans.push({ from, to, own: [one], paid: [] });
      times.push(from - nearMs, one.to === null ? to : to + nearMs);
    }
  }
  const isOfPositions = kept.some(({ from, to }) => from !== to);
  return { spans: apart(spans), undated, isOfPositions, period: periodOfTimes(times) };
}

/** Positions that were open at once are one; a payment at one time is with the others of that time. */
function apart(spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = found.at(-1);
    if (last === undefined || span.from > last.to + 2 * nearMs) found.push(span);
    else {
      last.to = Math.max(span.to, last.to);
      last.own.push(...span.own);
    }
  }
  return found;
}

/** Payments come oldest first. */
export function* judgedFunding(
  { spans, undated, isOfPositions }: DatedFunding,
  payments: readonly FundingRecord[],
  covered: readonly Interval[],
): Generator<JudgedRow> {
  const alone: FundingRecord[] = [];
  let next = 0;
  for (const payment of payments) {
    while ((spans[next]?.to ?? Number.POSITIVE_INFINITY) + nearMs < payment.time) next += 1;
    const span = spans[next];
    const isIn = span !== undefined && span.from - nearMs <= payment.time;
    (isIn ? span.paid : alone).push(payment);
  }
  for (const { from, to, own, paid } of spans) {
    const assets = [...own.flatMap(({ asset }) => asset ?? []), ...paid.map(assetOf)];
    for (const asset of new Set(assets.map(assetKey))) {
      const isOf = (each: string | null): boolean => assetKey(each ?? asset) === asset;
      const part = { from, to, own: own.filter((each) => isOf(each.asset)) };
      const paidPart = paid.filter((payment) => isOf(assetOf(payment)));
      const isComplete = covers(covered, { from, to: to + 1 });
      yield judgeSpan({ ...part, paid: paidPart }, undated.length === 0 && isComplete);
    }
  }
  for (const payment of alone) {
    const span = { from: payment.time, to: payment.time, own: [], paid: [payment] };
    const row = judgeSpan(span, undated.length === 0);
    // The bot may have had no position then.
    yield isOfPositions ? { ...row, causes: [] } : row;
  }
  for (const one of undated) {
    const row = judgeSpan({ from: 0, to: 0, own: [one], paid: [] }, false);
    const figures = { funding: [botFigure(one.amount), null] } as const;
    yield { ...row, judgement: 'undecided', figures, time: null };
  }
}

function assetOf({ record }: FundingRecord): string {
  return record.asset;
}

function judgeSpan({ from, own, paid }: Span, isKnown: boolean): JudgedRow {
  const amounts = paid.flatMap(({ record: { amount } }) =>
    amount === null ? [] : amountOf(amount),
  );
  const figures = own.flatMap(({ amount }) => botFigure(amount) ?? []);
  const [bot, exchange] = [totalOf(figures), totalOf(amounts)];
  const isUnknown = amounts.length < paid.length || figures.length < own.length;
  const isRead = !isUnknown && (isKnown || paid.length > 0);
  const agrees = isRead && isAbout(bot, exchange);
  // What was paid of an open position may be later than the books.
  const isDecided = isKnown && !isUnknown && own.every(({ to }) => to !== null);
  const other = paid.length === 0 ? 'onlyBot' : own.length === 0 ? 'onlyExchange' : 'differs';
  const judgement: Judgement = agrees ? 'agrees' : isDecided ? other : 'undecided';
  const wrong = less(bot, exchange);
  const exchangeFigure = amounts.length < paid.length || judgement === 'onlyBot' ? null : exchange;
  const record =
    paid.find(({ record: { amount } }) => amount !== null && isOne(wrong, amountOf(amount))) ??
    paid[0];
  return {
    ...{ ...noRow, kind: 'funding', judgement, differing: agrees ? [] : ['funding'] },
    causes: agrees || !isDecided ? [] : fundingCauses(wrong, amounts),
    time: record?.time ?? from,
    figures: {
      funding: [own.length > figures.length || own.length === 0 ? null : bot, exchangeFigure],
    },
    assets: [own[0]?.asset ?? null, paid[0]?.record.asset ?? null],
    isNoisy: agrees && signOf(wrong) !== 0,
    bot: own[0]?.place ?? null,
    exchange: record
      ? { history: 'futureTransactions', fields: identityFields(record.record) }
      : null,
  };
}

function fundingCauses(wrong: Amount, amounts: readonly Amount[]): Cause[] {
  if (isSumOfSome(wrong, amounts)) return ['fundingTwice'];
  return isSumOfSome(negative(wrong), amounts) ? ['fundingMissing'] : [];
}

/** A payment that is counted once too often, or not at all. */
function isOne(wrong: Amount, amount: Amount): boolean {
  return isAbout(wrong, amount) || isAbout(negative(wrong), amount);
}

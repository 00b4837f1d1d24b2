import { amountOf, less, negative, signOf, type Amount } from '../../base/decimal.ts';
import type { Interval } from '../../base/interval.ts';
import { minuteMs } from '../../base/time.ts';
import { identityFields } from '../../exchange/recordIdentity.ts';
import type { LedgerRecord } from '../ledger.ts';
import { assetKey, botFigure, parseBotTime } from './botValues.ts';
import type { BotFunding, Cause, Judgement } from './comparison.ts';
import { isAbout, isSumOfSome, totalOf } from './closeness.ts';
import type { JudgedRow } from './judgement.ts';

export type FundingRecord = {
  readonly time: number;
  readonly record: LedgerRecord<'futureTransactions'>;
};

/** A payment is booked some time after it is due. */
const nearMs = minuteMs;

/** What a bot kept of some positions that were open at once: the exchange does not say whose funding is whose. */
type Span = Interval & {
  readonly isOpen: boolean;
  readonly own: readonly BotFunding[];
};

export function* judgedFunding(
  kept: readonly BotFunding[],
  payments: readonly FundingRecord[],
  isComplete: (from: number, to: number) => boolean,
): Generator<JudgedRow> {
  const isEach = kept.every(({ from, to }) => from === to);
  const left = new Set(payments);
  for (const span of spansOf(kept)) {
    const inSpan = [...left].filter(({ time }) => isIn(span, time));
    for (const payment of inSpan) left.delete(payment);
    const assets = new Set(inSpan.map(({ record }) => assetKey(record.asset)));
    for (const { asset } of span.own) if (asset !== null) assets.add(assetKey(asset));
    for (const asset of assets) {
      const own = span.own.filter((each) => assetKey(each.asset ?? asset) === asset);
      const paid = inSpan.filter(({ record }) => assetKey(record.asset) === asset);
      const isKnown = !span.isOpen && isComplete(span.from, span.to);
      yield judgeSpan({ ...span, own }, paid, isKnown);
    }
  }
  // A bot that keeps a sum of each position says nothing of times without one.
  if (!isEach) return;
  for (const payment of left) {
    const alone = { from: payment.time, to: payment.time, isOpen: false, own: [] };
    yield { ...judgeSpan(alone, [payment], true), judgement: 'onlyExchange' };
  }
}

function isIn({ from, to }: Interval, time: number): boolean {
  return from - nearMs <= time && time <= to + nearMs;
}

/** Positions that were open at once are one; a payment at one time is with the others of that time. */
function spansOf(kept: readonly BotFunding[]): Span[] {
  const dated = kept.flatMap((one) => {
    const from = parseBotTime(one.from)?.ms;
    const to = one.to === null ? Number.POSITIVE_INFINITY : parseBotTime(one.to)?.ms;
    return from === undefined || to === undefined ? [] : [{ from, to, one }];
  });
  const spans: Span[] = [];
  for (const { from, to, one } of dated.toSorted((first, second) => first.from - second.from)) {
    const last = spans.at(-1);
    const isWith = last !== undefined && from <= last.to + 2 * nearMs;
    const own = isWith ? [...last.own, one] : [one];
    const span = {
      from: isWith ? last.from : from,
      to: Math.max(to, isWith ? last.to : to),
      isOpen: one.to === null || (isWith && last.isOpen),
      own,
    };
    if (isWith) spans.splice(-1, 1, span);
    else spans.push(span);
  }
  return spans;
}

function judgeSpan(
  { from, own }: Span,
  paid: readonly FundingRecord[],
  isKnown: boolean,
): JudgedRow {
  const amounts = paid.flatMap(({ record: { amount } }) =>
    amount === null ? [] : amountOf(amount),
  );
  const figures = own.flatMap(({ amount }) => botFigure(amount) ?? []);
  const [bot, exchange] = [totalOf(figures), totalOf(amounts)];
  const agrees = isAbout(bot, exchange);
  const judgement: Judgement = agrees ? 'agrees' : isKnown ? 'differs' : 'undecided';
  const wrong = less(bot, exchange);
  const record =
    paid.find(({ record: { amount } }) => amount !== null && isOne(wrong, amountOf(amount))) ??
    paid[0];
  return {
    ...{ kind: 'funding', judgement, symbol: null, side: null, orderId: null, tradeId: null },
    causes: judgement === 'differs' ? fundingCauses(wrong, figures, amounts) : [],
    time: record?.time ?? from,
    figures: { funding: [figures.length === 0 ? null : bot, exchange] },
    assets: [own[0]?.asset ?? null, paid[0]?.record.asset ?? null],
    isLikely: false,
    isNoisy: agrees && signOf(wrong) !== 0,
    bot: own[0]?.place ?? null,
    exchange: record
      ? { history: 'futureTransactions', fields: identityFields(record.record) }
      : null,
  };
}

function fundingCauses(
  wrong: Amount,
  figures: readonly Amount[],
  amounts: readonly Amount[],
): Cause[] {
  const isTwice = isSumOfSome(wrong, amounts) || isSumOfSome(wrong, figures.slice(1));
  if (isTwice) return ['fundingTwice'];
  return isSumOfSome(negative(wrong), amounts) ? ['fundingMissing'] : [];
}

/** A payment that is counted once too often, or not at all. */
function isOne(wrong: Amount, amount: Amount): boolean {
  return isAbout(wrong, amount) || isAbout(negative(wrong), amount);
}

import assert from 'node:assert/strict';
import Big from 'big.js';
import { isZero } from '../../src/base/decimal.ts';
import type { Trade } from '../../src/exchange/records.ts';
import { auditFees, type FeeSource } from '../../src/ledger/analysis/feeAudit.ts';
import { isAudited } from '../../src/ledger/analysis/feeReadings.ts';
import type { Checkpoint, CheckpointFees } from '../../src/ledger/ledger.ts';
import { aTrade, unknownFees, type Whole } from './builders.ts';

export const auditStart = Date.UTC(2026, 10, 20);
const secondMs = 1000;

/** The account's figures do not matter to an audit. */
export function feeCheckpoint(at: number, fees = unknownFees): Checkpoint {
  return {
    sentAt: at - 100,
    answeredAt: at,
    clockErrorMs: 50,
    assets: null,
    positions: null,
    equity: null,
    upl: null,
    fees,
  };
}

const aTier = { tier: '1', maker: '-0.0001', taker: '0.0005' };

/** What a taker pays here, which proves the sign of fees. */
export function takersPay(at: number): Checkpoint {
  return feeCheckpoint(at, { tier: '1', discount: '0', rates: aTier, table: [aTier] });
}

/** An audit of these trades, which come in the order of their times. */
export function audited(trades: readonly Whole<Trade>[], checkpoints: readonly Checkpoint[]) {
  const feesAround: FeeSource['feesAround'] = (trade) => {
    const same = trades.filter(({ feeAsset }) => feeAsset === trade.feeAsset);
    const index = same.findIndex(({ tradeId }) => tradeId === trade.tradeId);
    const fees = (some: readonly Whole<Trade>[]): string[] =>
      some
        .map(({ fee }) => fee)
        .filter((fee) => !isZero(fee))
        .slice(0, 9);
    return {
      before: fees(same.slice(0, index).toReversed()),
      after: fees(same.slice(index + 1)),
    };
  };
  const isInQuote: FeeSource['isInQuote'] = ({ symbol, feeAsset }) =>
    symbol.endsWith(`_${feeAsset}`);
  const sample = trades.filter(isAudited);
  return auditFees({ checkpoints, sample, trades, feesAround, isInQuote });
}

/** How an exchange rounds what it charges. */
type Rounding = {
  readonly by: 'decimals' | 'digits' | 'float';
  readonly to: number;
  readonly mode: 0 | 1 | 2 | 3;
};

/** How a made-up exchange charges. */
type FeeRules = {
  readonly table: readonly { tier: string; maker: string; taker: string }[];
  /** The account's tier before and after it changes at a trade. */
  readonly tier: number;
  readonly otherTier: number;
  readonly changeAt: number;
  readonly discount: number;
  readonly discountIn: number;
  readonly sign: 1 | -1;
  readonly inPercent: boolean;
  /** The same of how fees are rounded. */
  readonly rounding: Rounding;
  readonly otherRounding: Rounding;
  readonly roundingChangeAt: number;
};

/** The trades of an account on an exchange that charges by rules of its own: different ones for each seed. */
export class ChargedTrades {
  private readonly next: (count: number) => number;
  readonly rules: FeeRules;
  readonly trades: readonly Whole<Trade>[];
  readonly checkpoints: readonly Checkpoint[];

  constructor(seed: number, count = 40) {
    this.next = randomBelow(seed);
    this.rules = this.randomRules(count);
    const at = [-1, 0, 0, 0, 0, 0, count + 1].map((end) => end || this.next(count));
    this.checkpoints = at
      .sort((one, other) => one - other)
      .map((index) => feeCheckpoint(auditStart + index * 60 * secondMs - 500, this.feesAt(index)));
    this.trades = Array.from({ length: count }, (_none, index) => this.trade(index));
  }

  /** The trades, of which one costs more than rounding explains; and that one. Its tier is known. */
  withOvercharge(): { trades: readonly Whole<Trade>[]; overcharged: Whole<Trade> } {
    for (;;) {
      const index = this.next(this.trades.length);
      const trade = this.trades[index] ?? aTrade();
      if (!this.isTierKnown(trade)) continue;
      const { sign } = this.rules;
      const extra = new Big(trade.fee)
        .abs()
        .plus('0.0001')
        .times(this.next(500) + 1)
        .div(1000);
      const fee = this.rounded(new Big(trade.fee).plus(extra.times(sign)), index);
      const unit = new Big(10).pow(-(fee.split('.')[1]?.length ?? 0));
      if (new Big(fee).minus(trade.fee).times(sign).lte(unit.times(3))) continue;
      const overcharged = { ...trade, fee };
      return { trades: this.trades.with(index, overcharged), overcharged };
    }
  }

  private trade(index: number): Whole<Trade> {
    const amount = this.number(3, 4);
    const price = this.number(5, 2);
    const maker = this.next(2) === 0;
    return aTrade({
      tradeId: String(1000 + index),
      time: String(auditStart + index * 60 * secondMs),
      amount,
      price,
      maker,
      fee: this.fee(amount, price, maker, index),
      type: 'ORDER_BOOK',
    });
  }

  private isTierKnown({ time }: Trade): boolean {
    const before = this.checkpoints.findLast(({ answeredAt }) => answeredAt < Number(time));
    const after = this.checkpoints.find(({ answeredAt }) => answeredAt > Number(time));
    return before?.fees.tier === after?.fees.tier;
  }

  private feesAt(index: number): CheckpointFees {
    const { table, discount } = this.rules;
    const rates = table[this.tierAt(index)] ?? null;
    return { tier: rates?.tier ?? '', discount: String(discount), rates, table };
  }

  private tierAt(index: number): number {
    const { tier, otherTier, changeAt } = this.rules;
    return index < changeAt ? tier : otherTier;
  }

  private roundingAt(index: number): Rounding {
    const { rounding, otherRounding, roundingChangeAt } = this.rules;
    return index < roundingChangeAt ? rounding : otherRounding;
  }

  private fee(amount: string, price: string, maker: boolean, index: number): string {
    const { table, discount, discountIn, sign, inPercent } = this.rules;
    const own = table[this.tierAt(index)];
    const rate = new Big((maker ? own?.maker : own?.taker) ?? '0').div(inPercent ? 100 : 1);
    const off = new Big(1).minus(discountIn === 0 ? 0 : new Big(discount).div(discountIn));
    if (this.roundingAt(index).by === 'float')
      return String(Number(amount) * Number(price) * Number(rate.times(off).times(sign)));
    return this.rounded(new Big(amount).times(price).times(rate).times(off).times(sign), index);
  }

  /** As JSON writes a number: without zeros at its end. */
  private rounded(fee: Big, index: number): string {
    const { by, to, mode } = this.roundingAt(index);
    if (by === 'float') return String(Number(fee.toPrecision(15)));
    return by === 'decimals' ? fee.round(to, mode).toFixed() : fee.prec(to, mode).toFixed();
  }

  private randomRules(count: number): FeeRules {
    const inPercent = this.next(2) === 0;
    const rate = (share: number): string => new Big(share).div(inPercent ? 1e4 : 1e6).toFixed();
    const table = [0, 1, 2, 3, 4, 5].map((tier) => ({
      tier: String(tier),
      maker: rate(200 - tier * 70),
      taker: rate(800 - tier * 50),
    }));
    return {
      table,
      inPercent,
      tier: this.next(6),
      otherTier: this.next(6),
      // Half of the accounts stay in their tier, and half of the exchanges round as before.
      changeAt: this.next(2 * count),
      roundingChangeAt: this.next(2 * count),
      discount: this.next(2) === 0 ? 0 : 5 + this.next(40),
      discountIn: [0, 100, 1000, 10_000][this.next(4)] ?? 0,
      sign: this.next(2) === 0 ? 1 : -1,
      rounding: this.randomRounding(),
      otherRounding: this.randomRounding(),
    };
  }

  private randomRounding(): Rounding {
    return {
      by: (['decimals', 'decimals', 'digits', 'float'] as const)[this.next(4)] ?? 'decimals',
      to: 6 + this.next(5),
      mode: ([0, 1, 2, 3] as const)[this.next(4)] ?? 0,
    };
  }

  /** A number of up to so many digits on either side of its point, above 0. */
  private number(whole: number, decimals: number): string {
    const digits = 1 + this.next(10 ** (whole + decimals) - 1);
    return new Big(digits).div(10 ** this.next(decimals + 1)).toFixed();
  }
}

/** Fails if one of the trades is said to deviate; how many are as expected. */
export function expectedOf({ trades, checkpoints, rules }: ChargedTrades): number {
  const { deviations, markets } = audited(trades, checkpoints);
  assert.deepEqual(deviations, [], JSON.stringify(rules));
  return markets.reduce((sum, { asExpected }) => sum + asExpected, 0);
}

/** Fails unless exactly the trade that was made dearer is found. */
export function assertFound(charged: ChargedTrades): void {
  const { trades, overcharged } = charged.withOvercharge();
  const found = audited(trades, charged.checkpoints).deviations;
  assert.deepEqual(
    found.map(({ kind, trade }) => `${kind} ${trade.tradeId}`),
    [`dearer ${overcharged.tradeId}`],
    JSON.stringify(charged.rules),
  );
}

/** The same numbers in every run of a seed. */
function randomBelow(seed: number): (count: number) => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  return (count) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x3c6ef35f) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39) >>> 0;
    return Math.floor((((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32) * count);
  };
}

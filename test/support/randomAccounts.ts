import assert from 'node:assert/strict';
import { parseJson } from '../../src/base/exactJson.ts';
import { minuteMs } from '../../src/base/time.ts';
import { answers } from '../../src/exchange/records.ts';
import { SeededRandom } from '../../src/practice/market/seededRandom.ts';
import { anAccount, anOrder, wire } from './builders.ts';
import { decode } from './decode.ts';
import type { WatchedAccount } from './watchedAccount.ts';

/** Longer than the cool-down of alerts. */
const betweenAnswersMs = 11 * minuteMs;
const mark = 1000;

/** A position as it is on the exchange, whatever an answer says of it. */
type TruePosition = {
  readonly symbol: string;
  readonly isLong: boolean;
  /** From the mark price to the liquidation price, in percent; below 0 if it is past that. */
  readonly distance: number;
  /** From the entry price to the mark price. */
  readonly move: number;
};

/** What a person who reads the answer by hand knows of a position. */
type Known = {
  readonly symbol: string;
  /** From the mark price to the liquidation price, in percent, above 0; null if a price cannot be read. */
  readonly distance: number | null;
  readonly isLong: boolean | null;
  /** Whether the answer, or one before about the same entry price, proves it. */
  readonly isProved: boolean;
  /** The entry price; null if it cannot be read. */
  readonly base: number | null;
  /** Whether the mark price lies beyond the liquidation price, as the true direction has it. */
  readonly isBeyond: boolean;
};

/** What was last known of a position. */
type Judged = Pick<Known, 'isLong' | 'isProved' | 'base'> &
  Readonly<Record<'near' | 'critical' | 'past' | 'isPastShown', boolean>>;

/** Answers of one made-up account, read by a window and, apart from it, by this class: which alerts are due. */
export class RandomAccount {
  private readonly random: SeededRandom;
  private readonly isSigned: boolean;
  private readonly watched: WatchedAccount;
  private positions: readonly TruePosition[];
  private readonly judged = new Map<string, Judged>();
  private alertsSeen = 0;

  constructor(seed: number, watched: WatchedAccount) {
    this.random = new SeededRandom(`account ${seed}`);
    this.isSigned = this.random.chance(50);
    this.watched = watched;
    this.positions = ['a_usdt', 'b_usdt', 'c_usdt'].map((symbol) => this.newPosition(symbol));
  }

  /** One more answer. Fails if an alert is missing, or one comes that should not. */
  async answer(): Promise<void> {
    const { watched } = this;
    const liquidated = this.movePositions();
    // Whether a record without a symbol is one of those nobody could tell.
    const isWhole = liquidated.length > 0;
    const time = String(watched.world.clock.now());
    const orders = liquidated.map((symbol) => anOrder({ symbol, status: 'LIQUIDATED', time }));
    watched.world.orders = [...orders, ...watched.world.orders];
    const written = this.positions.map((position) => this.written(position, isWhole));
    const isUnknown = !isWhole && this.chance(0.05);
    const json = isUnknown ? 'null' : `[${written.map(({ text }) => text).join()}]`;
    const text = wire(anAccount({ positions: [] })).replace(
      '"positions":[]',
      `"positions":${json}`,
    );
    const { value, badRecords } = decode(answers.accounts, parseJson(text));
    watched.window.sees(value, badRecords);
    await watched.pass(betweenAnswersMs);
    const expected = isUnknown ? [] : this.judge(written.map(({ known }) => known));
    assert.deepEqual(this.newAlerts(), expected.toSorted(), text);
  }

  private newAlerts(): string[] {
    const fresh = this.watched.window.alerts.slice(this.alertsSeen);
    this.alertsSeen += fresh.length;
    return fresh
      .flatMap((alert) => {
        if (alert.kind === 'liquidations') return alert.symbols.map((one) => `${one} ${alert.by}`);
        if (alert.kind !== 'positions') return [alert.kind];
        return alert.positions.map(({ symbol, band, isPast }) => {
          return `${symbol} ${isPast ? 'past' : band}`;
        });
      })
      .toSorted();
  }

  private newPosition(symbol: string): TruePosition {
    return { symbol, isLong: this.chance(0.5), distance: 30, move: this.move() };
  }

  private move(): number {
    return 100 * this.random.integer(-1, 1);
  }

  private chance(probability: number): boolean {
    return this.random.chance(100 * probability);
  }

  /** Prices move; the symbols whose positions were liquidated and are no longer listed. */
  private movePositions(): readonly string[] {
    const isLiquidated = this.positions.map(() => this.chance(0.02));
    const gone = this.positions.filter((_each, index) => isLiquidated[index]);
    this.positions = this.positions.map((position, index) => {
      if (isLiquidated[index]) return this.newPosition(`${position.symbol}x`);
      const distances = [30, 8, 3, -3, -30];
      const distance = this.chance(0.5)
        ? position.distance
        : (distances[this.random.integer(0, distances.length - 1)] ?? 30);
      return { ...position, distance, move: this.move() };
    });
    return gone.map(({ symbol }) => symbol);
  }

  /** How the exchange writes a position now, and what can be read of that. */
  private written(
    position: TruePosition,
    isIdentified: boolean,
  ): { text: string; known: Known | null } {
    const { symbol, isLong, distance, move } = position;
    const size = isLong || !this.isSigned ? '2' : '-2';
    const side = isLong ? 1 : -1;
    const fields: Readonly<Record<string, string>> = {
      upl: String(2 * side * move),
      symbol: `"${symbol}"`,
      leverage: '5',
      amount: size,
      markPrice: String(mark),
      lockedBalance: '10',
      liquidationPrice: String(mark - side * distance * 10),
      marginMode: '"CROSS"',
      uplPercentage: '1',
      basePrice: String(mark - move),
    };
    if (!isIdentified && this.chance(0.05)) return { text: 'null', known: null };
    const broken = new Set(
      Object.keys(fields).filter(
        (name) =>
          name !== 'marginMode' && !(name === 'symbol' && isIdentified) && this.chance(0.06),
      ),
    );
    const members = Object.entries(fields).flatMap(([name, json]) => {
      const instead = broken.has(name) ? this.brokenValue(name) : json;
      return instead === undefined ? [] : [`"${name}":${instead}`];
    });
    const text = `{${members.join()}}`;
    if (broken.has('symbol')) return { text, known: null };
    const isPriced = !broken.has('markPrice') && !broken.has('liquidationPrice');
    const hasMoved = !['upl', 'markPrice', 'basePrice'].some((name) => broken.has(name));
    const isOwn = size.startsWith('-') || (hasMoved && move !== 0);
    const base = broken.has('basePrice') ? null : mark - move;
    const last = this.judged.get(symbol);
    const isUnchanged = base !== null && last?.base === base && last.isProved;
    const known = {
      symbol,
      base,
      distance: isPriced ? Math.abs(distance) : null,
      isLong: broken.has('amount') ? null : isOwn ? isLong : (last?.isLong ?? null),
      isProved: !broken.has('amount') && (isOwn || isUnchanged),
      isBeyond: distance < 0,
    };
    return { text, known };
  }

  private brokenValue(name: string): string | undefined {
    const values = ['null', '""', undefined, 'NaN', '"much"', '[1]', '{}', '-Infinity', '.5', '+1'];
    const value = values[this.random.integer(0, values.length - 1)];
    return name === 'symbol' && value === '"much"' ? 'null' : value;
  }

  /** The alerts that are due, by a reading of the answer that shares nothing with the code under test. */
  private judge(all: readonly (Known | null)[]): readonly string[] {
    const listed = all.filter((known) => known !== null);
    const alerts = listed.flatMap((known) => this.judgeOne(known));
    return [...alerts, ...this.judgeMissing(listed)];
  }

  private judgeOne({ symbol, distance, isBeyond, ...own }: Known): readonly string[] {
    const direction = { isLong: null, isProved: false, base: null };
    const unmet = { near: false, critical: false, past: false, isPastShown: false };
    const before = this.judged.get(symbol) ?? { ...unmet, ...direction };
    const { isLong, isProved, base } = own.isLong === null ? before : own;
    if (distance === null) {
      this.judged.set(symbol, { ...before, isLong, isProved, base });
      return [];
    }
    const [near, critical] = [distance <= 10, distance <= 5];
    const isPast = isBeyond && own.isProved;
    const past = own.isLong === null ? before.past : isPast;
    const wasPastShown = past && before.isPastShown;
    const isDue = critical ? !before.critical : (near && !before.near) || (isPast && !wasPastShown);
    const isPastShown = past && (wasPastShown || (isDue && isPast));
    this.judged.set(symbol, { near, critical, past, isPastShown, isLong, isProved, base });
    if (!isDue) return [];
    if (isPast) return [`${symbol} past`];
    return [`${symbol} ${critical ? 'critical' : 'near'}`];
  }

  /** Positions that are gone, of which only the liquidated ones are worth an alert. */
  private judgeMissing(listed: readonly Known[]): readonly string[] {
    const symbols = new Set(listed.map(({ symbol }) => symbol));
    const missing = [...this.judged.keys()].filter((symbol) => !symbols.has(symbol));
    return missing.flatMap((symbol) => {
      const isLiquidated = !this.positions.some((position) => position.symbol === symbol);
      if (isLiquidated) this.judged.delete(symbol);
      return isLiquidated ? [`${symbol} order`] : [];
    });
  }
}

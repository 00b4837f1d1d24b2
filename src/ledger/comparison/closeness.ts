import {
  added,
  fractionDigits,
  integerAt,
  less,
  negative,
  powerOfTen,
  signOf,
  textOf,
  zeroAmount,
  type Amount,
} from '../../base/decimal.ts';
import { figureKey } from './botValues.ts';

/** How near a figure of the bot is to the exchange's. */
export type Closeness = 'same' | 'noise' | 'rounded' | 'other';

/** Decimals of what adding and dividing floats may lose of a figure, which is taken to be at least 0.001. */
const noiseDecimals = 12;
const leastDecimals = 3;
/** What was rounded is not off by more than a tenth of it. */
const leastShare = 10n;

/** With `decimals`, the bot's file keeps no more of them, and cuts off the rest. Each of the `terms` may be rounded. */
export function closeness(
  bot: Amount,
  exchange: Amount,
  decimals: number | null = null,
  terms = 1,
): Closeness {
  const fraction = Math.max(bot.fraction, exchange.fraction, noiseDecimals);
  const [own, theirs] = [integerAt(bot, fraction), integerAt(exchange, fraction)];
  const error = absolute(own - theirs);
  if (error === 0n) return 'same';
  const least = powerOfTen(fraction - leastDecimals);
  const size = absolute(theirs) < least ? least : absolute(theirs);
  if (error * powerOfTen(noiseDecimals) <= size) return 'noise';
  if (decimals !== null && error < powerOfTen(fraction - decimals)) return 'noise';
  // To nearest, or toward zero.
  const digits = writtenDecimals(bot);
  if (own === 0n || error * leastShare > size || digits >= fractionDigits(textOf(exchange)))
    return 'other';
  const unit = powerOfTen(fraction - digits) * BigInt(terms);
  const isCut = absolute(own) < absolute(theirs);
  return (isCut ? error : 2n * error) <= unit ? 'rounded' : 'other';
}

/** Without those that only a sum of floats has. */
function writtenDecimals(figure: Amount): number {
  if (figure.fraction <= noiseDecimals) return figure.fraction;
  return fractionDigits(String(Number(figureKey(figure))));
}

function absolute(integer: bigint): bigint {
  return integer < 0n ? -integer : integer;
}

export function isAbout(one: Amount, other: Amount): boolean {
  const degree = closeness(one, other);
  return degree === 'same' || degree === 'noise';
}

/** Whether the bot wrote the figure with the other sign. */
export function isOpposite(bot: Amount, exchange: Amount): boolean {
  return signOf(bot) * signOf(exchange) < 0 && closeness(negative(bot), exchange) !== 'other';
}

/** Whether it is one of the amounts, or the sum of the first or last of them. */
export function isSumOfSome(total: Amount, amounts: readonly Amount[]): boolean {
  if (signOf(total) === 0) return false;
  const all = totalOf(amounts);
  let before = zeroAmount;
  return amounts.some((amount) => {
    before = added(before, amount);
    return [amount, before, less(all, before)].some((each) => isAbout(total, each));
  });
}

export function totalOf(amounts: readonly Amount[]): Amount {
  return amounts.reduce(added, zeroAmount);
}

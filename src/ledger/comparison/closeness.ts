import {
  added,
  fractionDigits,
  less,
  negative,
  signOf,
  sizeOf,
  textOf,
  times,
  zeroAmount,
  type Amount,
} from '../../base/decimal.ts';

/** How near a figure of the bot is to the exchange's. */
export type Closeness = 'same' | 'noise' | 'rounded' | 'other';

/** What adding and dividing floats may lose of a figure, which is taken to be at least 0.001. */
const floatNoise: Amount = { integer: 1n, fraction: 12 };
const leastSize: Amount = { integer: 1n, fraction: 3 };

/** With `decimals`, the bot's file keeps no more of them, and cuts off the rest. Each of the `terms` may be rounded. */
export function closeness(
  bot: Amount,
  exchange: Amount,
  decimals: number | null = null,
  terms = 1,
): Closeness {
  const error = sizeOf(less(bot, exchange));
  if (signOf(error) === 0) return 'same';
  const size = sizeOf(exchange);
  const noise = times(isLess(size, leastSize) ? leastSize : size, floatNoise);
  if (!isLess(noise, error)) return 'noise';
  if (decimals !== null && isLess(error, { integer: 1n, fraction: decimals })) return 'noise';
  return isRounded(bot, exchange, error, terms) ? 'rounded' : 'other';
}

/** To nearest, or toward zero. */
function isRounded(bot: Amount, exchange: Amount, error: Amount, terms: number): boolean {
  const { integer, fraction } = bot;
  if (integer === 0n || fraction >= fractionDigits(textOf(exchange))) return false;
  const isCut = isLess(sizeOf(bot), sizeOf(exchange));
  const most = { integer: BigInt(terms) * (isCut ? 10n : 5n), fraction: fraction + 1 };
  return !isLess(most, error);
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

function isLess(one: Amount, other: Amount): boolean {
  return signOf(less(one, other)) < 0;
}

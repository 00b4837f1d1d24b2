import { fractionDigits, plainText, scaledInteger, type NumberText } from '../../base/decimal.ts';

/** An exact number: the integer times 10 to the power of `-fraction`. */
export type ExactAmount = { readonly integer: bigint; readonly fraction: number };

/** As many decimals as the ledger's keys have: larger fractions are rare. */
export const keyFraction = 18;

export const zeroAmount: ExactAmount = { integer: 0n, fraction: keyFraction };

/** With the decimals that it is written with. */
export function amountOf(text: NumberText): ExactAmount {
  const fraction = fractionDigits(text);
  return { integer: scaledInteger(text, fraction), fraction };
}

export function times(one: ExactAmount, other: ExactAmount): ExactAmount {
  return { integer: one.integer * other.integer, fraction: one.fraction + other.fraction };
}

export function added(one: ExactAmount, other: ExactAmount): ExactAmount {
  const fraction = Math.max(one.fraction, other.fraction);
  return { integer: atFraction(one, fraction) + atFraction(other, fraction), fraction };
}

export function less(one: ExactAmount, other: ExactAmount): ExactAmount {
  return added(one, negative(other));
}

export function negative({ integer, fraction }: ExactAmount): ExactAmount {
  return { integer: -integer, fraction };
}

export function signOf({ integer }: ExactAmount): -1 | 0 | 1 {
  if (integer === 0n) return 0;
  return integer > 0n ? 1 : -1;
}

/** Exact sums by name; that of nothing is 0. */
export class Totals {
  private readonly sums = new Map<string, ExactAmount>();

  add(name: string, amount: ExactAmount): void {
    this.sums.set(name, added(this.of(name), amount));
  }

  of(name: string): ExactAmount {
    return this.sums.get(name) ?? zeroAmount;
  }

  get names(): readonly string[] {
    return [...this.sums.keys()];
  }
}

/** In plain notation, without zeros at its end. */
export function textOf({ integer, fraction }: ExactAmount): NumberText {
  return plainText(integer, fraction);
}

function atFraction({ integer, fraction }: ExactAmount, wanted: number): bigint {
  return fraction === wanted ? integer : integer * 10n ** BigInt(wanted - fraction);
}

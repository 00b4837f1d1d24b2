import assert from 'node:assert/strict';
import Big from 'big.js';
import { afterDeal, nothingHeld, type Holding } from '../../../src/practice/holding.ts';
import { instrumentInTurn } from '../../../src/practice/instruments.ts';
import type { Side } from '../../../src/practice/orders.ts';

const btc = instrumentInTurn(0);

/** The amount, base price and realised profit or loss after each deal. */
function afterEach(deals: readonly (readonly [Side, amount: string, price: string])[]): string[][] {
  let held: Holding = nothingHeld();
  return deals.map(([side, amount, price]) => {
    const deal = { side, amount: new Big(amount), price: new Big(price) };
    const after = afterDeal(held, deal, btc);
    held = after.held;
    return [held.amount.toFixed(), held.basePrice.toFixed(), after.rpnl.toFixed()];
  });
}

describe('a holding', () => {
  it('that grows has the mean price as its base, and makes nothing real', () => {
    const deals = [
      ['BUY', '2', '100'],
      ['BUY', '1', '130'],
      ['BUY', '3', '140'],
    ] as const;
    assert.deepEqual(afterEach(deals), [
      ['2', '100', '0'],
      ['3', '110', '0'],
      ['6', '125', '0'],
    ]);
  });

  it('that shrinks keeps its base, and makes its part of the difference real', () => {
    const deals = [
      ['BUY', '4', '100'],
      ['SELL', '1', '110'],
      ['SELL', '1', '70'],
      ['SELL', '2', '100.5'],
    ] as const;
    assert.deepEqual(afterEach(deals), [
      ['4', '100', '0'],
      ['3', '100', '10'],
      ['2', '100', '-30'],
      ['0', '0', '1'],
    ]);
  });

  it('that is short earns when the price falls', () => {
    const deals = [
      ['SELL', '2', '100'],
      ['SELL', '2', '110'],
      ['BUY', '1', '90'],
      ['BUY', '3', '106'],
    ] as const;
    assert.deepEqual(afterEach(deals), [
      ['-2', '100', '0'],
      ['-4', '105', '0'],
      ['-3', '105', '15'],
      ['0', '0', '-3'],
    ]);
  });

  it('rounds its base half to even, four decimals beyond the tick', () => {
    const deals = [
      ['BUY', '2', '100'],
      ['BUY', '1', '100.1'],
    ] as const;
    assert.deepEqual(afterEach(deals)[1], ['3', '100.03333', '0']);
  });
});

import Big from 'big.js';
import assert from 'node:assert/strict';
import {
  applyFill,
  flatPosition,
  type NetPosition,
} from '../../../../src/practice/account/netPosition.ts';
import { instrumentOf, type Side } from '../../../../src/practice/market/instruments.ts';

/** Each fill is a side, an amount and a price; each result an amount, a base price and a realised P&L. */
const cases: [what: string, fills: string, results: string][] = [
  [
    'has the average price as its base price when it increases',
    'BUY 2 100, BUY 1 130, BUY 3 140',
    '2 100 0, 3 110 0, 6 125 0',
  ],
  [
    'keeps its base price and realises profit or loss when it decreases',
    'BUY 4 100, SELL 1 110, SELL 1 70, SELL 2 100.5',
    '4 100 0, 3 100 10, 2 100 -30, 0 0 1',
  ],
  [
    'earns from a falling price when it is short',
    'SELL 2 100, SELL 2 110, BUY 1 90, BUY 3 106',
    '-2 100 0, -4 105 0, -3 105 15, 0 0 -3',
  ],
  [
    'rounds its base price half to even, to four decimals more than the tick',
    'BUY 2 100, BUY 1 100.1',
    '2 100 0, 3 100.03333 0',
  ],
];

describe('a net position of the practice exchange', () => {
  for (const [what, fills, results] of cases)
    it(what, () => {
      let position: NetPosition = flatPosition();
      const found = fills.split(', ').map((text) => {
        const [side = '', amount = '', price = ''] = text.split(' ');
        const fill = { side: side as Side, amount: new Big(amount), price: new Big(price) };
        const after = applyFill(position, fill, instrumentOf('btc_usdt'));
        position = after.position;
        return [position.amount, position.basePrice, after.rpnl]
          .map((one) => one.toFixed())
          .join(' ');
      });
      assert.equal(found.join(', '), results);
    });
});

import fc from 'fast-check';
import assert from 'node:assert/strict';
import { UsedExchangeInfo } from '../../../../src/exchange/http/answer.ts';

const information = {
  symbols: [
    { symbol: 'a_usdt', filters: [{ x: '}],"\\', y: 1.1 }], status: 'TRADING', more: 7 },
    { symbols: ['no'], symbol: '"symbols":[', baseAsset: '#' },
    null,
    'x',
  ],
  rateLimits: [{ limit: 120, nested: { symbols: [1] } }],
  serverTime: 1795168800123,
};
const text = JSON.stringify(information).replace('"#"', '12345678901234567890');

describe('the used part of exchange information', () => {
  it('is the same wherever its text is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (places) => {
        const used = new UsedExchangeInfo();
        let start = 0;
        for (const place of [...places.toSorted((one, other) => one - other), text.length]) {
          used.add(text.slice(start, place));
          start = place;
        }
        assert.equal(
          used.text,
          '{"symbols":[{"symbol":"a_usdt","status":"TRADING"},' +
            '{"symbol":"\\"symbols\\":[","baseAsset":12345678901234567890},null,"x"],' +
            '"rateLimits":[{"limit":120,"nested":{"symbols":[1]}}],"serverTime":1795168800123}',
        );
      }),
    );
  });
});

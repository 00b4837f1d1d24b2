import assert from 'node:assert/strict';
import { fieldText, copiedJson } from '../../../../src/account/session/recordJson.ts';
import { parseJson, type JsonObject } from '../../../../src/base/exactJson.ts';
import { anAccount, aPosition } from '../../../support/builders.ts';

describe('a row as JSON', () => {
  it('keeps each number as received, quotes text, and puts unknown fields last', () => {
    const extra = parseJson('{"adl":1.10,"tags":["a\\"b",null,{"x":1e-7}]}') as JsonObject;
    const amount = '-123456789012345678.123456789012';
    const position = aPosition({
      upl: '12.5',
      amount,
      leverage: '5',
      liquidationPrice: null,
      extra,
    });
    assert.equal(
      copiedJson(position),
      '{"upl": 12.5, "symbol": "btc_usdt", "leverage": 5, "amount": -123456789012345678.123456789012, ' +
        '"markPrice": 50050, "lockedBalance": 2500, "liquidationPrice": null, "marginMode": "ISOLATED", ' +
        '"uplPercentage": 0.5, "basePrice": 50000, "adl": 1.10, "tags": ["a\\"b",null,{"x":1e-7}]}',
    );
  });

  it('quotes text that looks like a number, but not a boolean', () => {
    const [asset] = anAccount().assets ?? [];
    const json = copiedJson({ ...(asset ?? assert.fail()), name: '1' });
    assert.match(json, /"isMargin": true, .*"name": "1"/);
  });

  it('copies one field without quotes, and nothing for an unknown field', () => {
    const position = aPosition({ amount: '0.10', liquidationPrice: null });
    assert.equal(fieldText(position, 'amount'), '0.10');
    assert.equal(fieldText(position, 'symbol'), 'btc_usdt');
    for (const name of ['liquidationPrice', 'extra', 'notional', 'constructor'])
      assert.equal(fieldText(position, name), undefined, name);
  });
});

import assert from 'node:assert/strict';
import { parseJson, type JsonObject } from '../../../../src/base/exactJson.ts';
import { recordRow } from '../../../../src/exchange/history/page.ts';
import { aTrade } from '../../../support/builders.ts';

describe('the identity of a row', () => {
  const identityWith = (extra: string): string =>
    recordRow(aTrade({ extra: parseJson(extra) as JsonObject })).identity;

  const plain = '{"a":1.0,"b":{"c":[{"d":"x","e":null}],"f":true},"7":"y"}';
  const turned = '{"b":{"f":true,"c":[{"e":null,"d":"x"}]},"7":"y","a":1.0}';

  it('is the same whatever the order of the fields that the API does not name', () => {
    assert.equal(identityWith(turned), identityWith(plain));
  });

  it('is another one with each other digit, value, name or order of a list', () => {
    const others = [
      '{}',
      plain.replace('1.0', '1'),
      plain.replace('1.0', '"1.0"'),
      plain.replace('"a"', '"g"'),
      plain.replace('null', 'false'),
      '{"list":[1,2]}',
      '{"list":[2,1]}',
      '{"__proto__":{"a":1}}',
      '{"__proto__":{"a":2}}',
    ];
    const contents = new Set([plain, ...others].map(identityWith));
    assert.equal(contents.size, 1 + others.length);
  });

  it('leaves the record as the exchange wrote it', () => {
    const trade = aTrade({ extra: parseJson(turned) as JsonObject });
    recordRow(trade);
    assert.equal(JSON.stringify(trade.extra), JSON.stringify(parseJson(turned)));
  });
});

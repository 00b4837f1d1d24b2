import assert from 'node:assert/strict';
import { parseJson, type JsonObject } from '../../../../src/base/exactJson.ts';
import { historySource } from '../../../../src/exchange/history/historySource.ts';
import { aTrade } from '../../../support/builders.ts';
import { clientFor } from '../../../support/exchangeClient.ts';

describe('the content of a record', () => {
  const client = clientFor({ url: 'https://exchange.example' });
  const history = historySource(client, { operation: 'trades', filters: {} }, 'bulk');
  const contentWith = (extra: string): string =>
    history.contentOf(aTrade({ extra: parseJson(extra) as JsonObject }));

  const plain = '{"a":1.0,"b":{"c":[{"d":"x","e":null}],"f":true},"7":"y"}';
  const turned = '{"b":{"f":true,"c":[{"e":null,"d":"x"}]},"7":"y","a":1.0}';

  it('is the same whatever the order of the fields that the API does not name', () => {
    assert.equal(contentWith(turned), contentWith(plain));
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
    const contents = new Set([plain, ...others].map(contentWith));
    assert.equal(contents.size, 1 + others.length);
  });

  it('leaves the record as the exchange wrote it', () => {
    const trade = aTrade({ extra: parseJson(turned) as JsonObject });
    history.contentOf(trade);
    assert.equal(JSON.stringify(trade.extra), JSON.stringify(parseJson(turned)));
  });
});

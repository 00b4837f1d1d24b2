import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  account,
  canceledOrders,
  exchangeInformation,
  orderPage,
} from '../../../src/exchange/decode.ts';
import { JsonNumber, parseJson } from '../../../src/exchange/json.ts';
import { decode, DecodeError } from '../../../src/exchange/readers.ts';
import { anAccount, anOrder, aPosition, wire } from '../../support/builders.ts';

const page = (content: string): string =>
  `{"content":${content},"size":20,"totalPages":1,"totalElements":1}`;

describe('parseJson', () => {
  it('keeps the source text of every number', () => {
    const numbers = '[1E-7,-0,1.10,9007199254740993,0.000000000000000001]';
    const texts = (parseJson(numbers) as JsonNumber[]).map(({ text }) => text);
    assert.deepEqual(texts, ['1E-7', '-0', '1.10', '9007199254740993', '0.000000000000000001']);
  });

  it('tells a number from the same text as a string', () => {
    assert.equal(parseJson('"1.10"'), '1.10');
    assert.deepEqual(parseJson('1.10'), new JsonNumber('1.10'));
  });

  it('reads what JSON.parse reads, numbers aside', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const withNumbers = JSON.stringify(parseJson(text), (_key, value: unknown) => value);
        const plainText = JSON.stringify(JSON.parse(text), (_key, value: unknown) => value);
        const unquoted = (json: string) => json.replace(/"?(-?\d[\d.eE+-]*)"?/g, '#');
        assert.equal(unquoted(withNumbers), unquoted(plainText));
      }),
    );
  });

  it('refuses what is no JSON, and nesting beyond what can be read, as a SyntaxError', () => {
    for (const text of ['', '<html>', '{"a":01}', '['.repeat(200_000)])
      assert.throws(() => parseJson(text), SyntaxError);
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    assert.throws(() => parseJson(deep), SyntaxError);
  });
});

describe('the decoder', () => {
  it('gives back every field of an order, digit for digit', () => {
    const order = anOrder({ price: '1E-7', filled: '0.000000000000000001' });
    const { value, badRecords } = decode(orderPage, parseJson(page(wire([order]))));
    assert.deepEqual(value.content, [order]);
    assert.deepEqual(badRecords, []);
    assert.deepEqual([value.size, value.totalPages, value.totalElements], ['20', '1', '1']);
  });

  it('gives back every field of an account', () => {
    assert.deepEqual(decode(account, parseJson(wire(anAccount()))).value, anAccount());
  });

  it('reads a canceled order by its updatedAt', () => {
    const { time, ...fields } = anOrder({ status: 'CANCELED' });
    const canceled = { ...fields, updatedAt: time };
    assert.deepEqual(decode(canceledOrders, parseJson(wire([canceled]))).value, [canceled]);
  });

  it('reads exchange information', () => {
    const text = `{"rateLimits":[{"intervalNum":1,"limit":1000,"interval":"MINUTE","rateLimitType":"HARD_LIMIT"}],
      "timezone":"UTC","serverTime":1763632800123,"symbols":[{"symbol":"btc_usdt","marginAsset":"usdt",
      "baseAsset":"BTC","pair":"BTC/USDT","quoteAsset":"usdt","status":"TRADING"}]}`;
    const { value } = decode(exchangeInformation, parseJson(text));
    assert.equal(value.rateLimits[0]?.limit, '1000');
    assert.equal(value.symbols[0]?.pair, 'BTC/USDT');
    assert.equal(value.serverTime, '1763632800123');
  });

  it('keeps unknown enum values and extra fields', () => {
    const text = wire([anOrder({ status: 'EXPIRED' })]).replace('{', '{"tag":{"n":1.50},');
    const [order] = decode(orderPage, parseJson(page(text))).value.content;
    assert.equal(order?.status, 'EXPIRED');
    assert.equal(JSON.stringify(order.extra), '{"tag":{"n":"1.50"}}');
  });

  it('reads null where a record can stand without the value', () => {
    const text = wire([anOrder({ price: null, averageExecutionPrice: null, clientOrderId: null })]);
    assert.equal(decode(orderPage, parseJson(page(text))).value.content[0]?.price, null);
  });

  it('sets a bad record aside, names its field, and keeps the others', () => {
    const bad = wire(anOrder()).replace('"filled":1', '"filled":"1"');
    const { value, badRecords } = decode(orderPage, parseJson(page(`[${wire(anOrder())},${bad}]`)));
    assert.equal(value.content.length, 1);
    assert.deepEqual(badRecords, [
      { path: '$.content[1]', problem: '$.content[1].filled should be a number and is "#"' },
    ]);
  });

  it('sets aside a number that is no amount, and a field that is missing', () => {
    const position = wire(aPosition());
    const positions = `[${position.replace('"amount":0.25', '"amount":1e999999999')},${position.replace('"upl":12.5,', '')}]`;
    const text = wire(anAccount({ positions: [] })).replace(
      '"positions":[]',
      `"positions":${positions}`,
    );
    const { value, badRecords } = decode(account, parseJson(text));
    assert.deepEqual(value.positions, []);
    assert.deepEqual(
      badRecords.map(({ problem }) => problem),
      [
        '$.positions[0].amount should be a number and is #e#',
        '$.positions[1].upl should be a number and is missing',
      ],
    );
  });

  it('fails on a bad envelope and names the field', () => {
    const problems: [string, RegExp][] = [
      ['[]', /^\$ should be an object and is a list$/],
      [page('null'), /^\$\.content should be a list and is null$/],
      [
        '{"content":[],"size":20,"totalPages":1}',
        /^\$\.totalElements should be an integer and is missing$/,
      ],
    ];
    for (const [text, message] of problems)
      assert.throws(() => decode(orderPage, parseJson(text)), { name: DecodeError.name, message });
  });

  it('is not fooled by __proto__ or inherited names', () => {
    const text = wire([anOrder()]).replace('{', '{"__proto__":{"symbol":"evil"},"constructor":1,');
    const [order] = decode(orderPage, parseJson(page(text))).value.content;
    assert.equal(order?.symbol, 'btc_usdt');
    assert.equal(Object.getPrototypeOf(order), Object.prototype);
    assert.deepEqual(Object.keys(order.extra), ['__proto__', 'constructor']);
  });
});

import fc from 'fast-check';
import assert from 'node:assert/strict';
import {
  JsonNumber,
  JsonTooComplex,
  parseJson,
  type JsonObject,
  type JsonValue,
} from '../../../src/base/exactJson.ts';
import { answers } from '../../../src/exchange/records.ts';
import { DecodeFailure, type Decoder } from '../../../src/exchange/decoders.ts';
import type { Account, BadRecord } from '../../../src/exchange/records.ts';
import { anAccount, anOrder, wire } from '../../support/builders.ts';
import { decode, DecodeError } from '../../support/decode.ts';
import { english } from '../../support/english.ts';

const page = (content: string): string =>
  `{"content":${content},"size":20,"totalPages":1,"totalElements":1}`;

describe('parseJson', () => {
  it('keeps the source text of every number', () => {
    const numbers = '[1E-7,-0,1.10,9007199254740993,0.000000000000000001]';
    const texts = (parseJson(numbers) as JsonNumber[]).map(({ text }) => text);
    assert.deepEqual(texts, ['1E-7', '-0', '1.10', '9007199254740993', '0.000000000000000001']);
    assert.equal(JSON.stringify(parseJson(numbers)), numbers);
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

  it('reads what is written like a number, but is none in JSON, as no number', () => {
    for (const token of ['NaN', '-Infinity', 'inf', '.5', '+1', '1.', '01', '-.5e3']) {
      const value = parseJson(` {"${token}":[${token},1.10,"${token}"]}`);
      assert.deepEqual(value, { [token]: [new JsonNumber(token), new JsonNumber('1.10'), token] });
      assert.equal(JSON.stringify(value), `{"${token}":["${token}",1.10,"${token}"]}`);
    }
    assert.equal(parseJson(String.raw`"\u0000abc1"`), '\0abc1');
    for (const text of ['{"a":-}', '{"a":.}', '{"a":NaN', '{"a":nothing}', '{"a":1 2}', '[1e91e9]'])
      assert.throws(() => parseJson(text), SyntaxError);
  });

  it('returns JSON or throws a SyntaxError for any text', () => {
    const bits = fc.constantFrom('[', ']', '{', '}', '"', '\\', ',', ':', '1e9', 'null', 'a', ' ');
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        let expected: boolean;
        try {
          JSON.parse(text);
          expected = true;
        } catch {
          expected = false;
        }
        if (expected) assert.doesNotThrow(() => parseJson(text), text);
        else assert.throws(() => parseJson(text), SyntaxError, text);
      }),
    );
  });

  it('reads 64 levels and refuses the next, before it builds any', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    assert.ok(parseJson(nested(64)));
    assert.ok(parseJson(`{"a":`.repeat(64) + '1' + '}'.repeat(64)));
    for (const text of [nested(65), nested(100_000), '{"a":'.repeat(65), '[{"a":'.repeat(50_000)])
      assert.throws(() => parseJson(text), { name: JsonTooComplex.name, message: /64 deep/ });
  });

  it('counts no bracket and no comma inside a string', () => {
    const inside = '[{,'.repeat(300_000);
    for (const text of [inside, `${inside}\\"${inside}`, `\\\\\\"${inside}\\\\`])
      assert.doesNotThrow(() => parseJson(`{"${text}":["${text}"]}`));
    assert.throws(() => parseJson(`["\\\\",${'['.repeat(65)}`), JsonTooComplex);
  });

  it('reads 250 000 values and no more', () => {
    const list = (length: number) => `[${'0,'.repeat(length - 1)}0]`;
    assert.equal((parseJson(list(249_999)) as unknown[]).length, 249_999);
    assert.throws(() => parseJson(list(250_000)), { message: /250000 values/ });
  });

  it('reads __proto__ as an ordinary name', () => {
    const value = parseJson('{"__proto__":{"polluted":1}}') as Record<string, unknown>;
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.deepEqual(Object.keys(value), ['__proto__']);
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  });
});

describe('the decoder', () => {
  it('returns every field of an account', () => {
    assert.deepEqual(decode(answers.accounts, parseJson(wire(anAccount()))).value, anAccount());
  });

  it('reads a canceled order by its updatedAt', () => {
    const { time, ...fields } = anOrder({ status: 'CANCELED' });
    const canceled = { ...fields, updatedAt: time };
    assert.deepEqual(decode(answers.cancelAll, parseJson(wire([canceled]))).value, [canceled]);
  });

  it('accepts trailing zeros in a whole amount, digit for digit, but not in an id', () => {
    const text = wire(anAccount())
      .replace('"leverage":5', '"leverage":10.0')
      .replace('"feeTierStructure":1', '"feeTierStructure":"1.00"');
    const { value, badRecords } = decode(answers.accounts, parseJson(text));
    assert.deepEqual(
      [value.positions?.[0]?.leverage, value.feeTierStructure, badRecords],
      ['10.0', '1.00', []],
    );
    const half = wire(anAccount()).replace('"leverage":5', '"leverage":2.5');
    assert.equal(decode(answers.accounts, parseJson(half)).badRecords.length, 1);
    const id = wire([anOrder()]).replace('"orderId":9007199254740993', '"orderId":7.0');
    assert.equal(decode(answers.orders, parseJson(page(id))).badRecords.length, 1);
  });

  it('creates no error objects: 100,000 of them would take a second', () => {
    const readers: Decoder<unknown>[] = [
      answers.accounts,
      answers.exchangeInfo,
      answers.orders,
      answers.cancelAll,
    ];
    for (const text of ['7', 'null', '"a"', '{"content":7}', '{"upl":{}}', '{"rateLimits":7}'])
      for (const read of readers)
        assert.ok(read(parseJson(text), '$', []) instanceof DecodeFailure);
    const bad: BadRecord[] = [];
    assert.deepEqual(answers.cancelAll(parseJson('[7,null,{},{"symbol":7}]'), '$', bad), []);
    assert.equal(bad.length, 4);
  });

  const wireAccount = parseJson(wire(anAccount())) as JsonObject;
  const names = Object.keys(wireAccount) as (keyof Account)[];
  const without = (name: string) =>
    Object.fromEntries(Object.entries(wireAccount).filter(([field]) => field !== name));

  for (const name of names)
    it(`reads an account whose ${name} is missing, null or of another type without it`, () => {
      const others = without(name);
      for (const [answer, problem] of [
        [others, 'is missing'],
        [{ ...others, [name]: null }, 'is null'],
        [{ ...others, [name]: true }, 'is true'],
        [{ ...others, [name]: { upl: '1' } }, 'is an object'],
      ] as const) {
        const { value, badRecords } = decode(answers.accounts, answer);
        assert.deepEqual(value, { ...anAccount(), [name]: null });
        const [bad = assert.fail(), ...more] = badRecords;
        assert.deepEqual([bad.path, more], [`$.${name}`, []]);
        assert.match(
          english(bad.problem),
          new RegExp(`^\\$\\.${name} should be an? .+ and ${problem}$`),
        );
      }
    });

  it('reads an account with one readable field, and rejects one without', () => {
    for (const name of names) {
      const { value, badRecords } = decode(answers.accounts, { [name]: wireAccount[name] ?? null });
      assert.deepEqual(value[name], anAccount()[name]);
      assert.equal(badRecords.length, names.length - 1);
    }
    for (const answer of ['{}', '{"upl":null,"orders":{}}', '{"message":"no","code":7}'])
      assert.throws(() => decode(answers.accounts, parseJson(answer)), {
        name: DecodeError.name,
        message: /^\$\.upl should be a number and is (?:missing|null)$/,
      });
  });

  it('fails on an invalid envelope and names the field', () => {
    const problems: [string, RegExp][] = [
      ['null', /^\$ should be an object and is null$/],
      ['"content"', /^\$ should be an object and is "content"$/],
      ['{"content":{}}', /^\$\.content should be a list and is an object$/],
      ['{"data":[]}', /^\$\.content should be a list and is missing$/],
    ];
    for (const [text, message] of problems)
      assert.throws(() => decode(answers.orders, parseJson(text)), {
        name: DecodeError.name,
        message,
      });
  });

  it('is not fooled by __proto__ or inherited names', () => {
    const text = wire([anOrder()]).replace('{', '{"__proto__":{"symbol":"evil"},"constructor":1,');
    const [order] = decode(answers.orders, parseJson(page(text))).value.content;
    assert.equal(order?.symbol, 'btc_usdt');
    assert.equal(Object.getPrototypeOf(order), Object.prototype);
    assert.deepEqual(Object.keys(order.extra), ['__proto__', 'constructor']);
  });

  it('reads an order without a field that may be missing, and reports nothing', () => {
    const { filled: _, ...others } = anOrder();
    const { value, badRecords } = decode(answers.orders, parseJson(page(wire([others]))));
    assert.deepEqual([value.content, badRecords], [[{ ...anOrder(), filled: null }], []]);
  });

  it('reports a canceled order with several unreadable fields once, as received', () => {
    const { time: updatedAt, ...fields } = anOrder();
    const received = { ...fields, filled: true, amount: true, updatedAt };
    const { badRecords } = decode(answers.cancelAll, parseJson(JSON.stringify([received])));
    const found = badRecords.map(({ path, record }) => [path, JSON.stringify(record)]);
    assert.deepEqual(found, [['$[0].amount', JSON.stringify(received)]]);
  });

  it('repeats no digit of what it could not read', () => {
    const figure = fc.stringMatching(/^-?\d{1,20}(\.\d{1,20})?$/);
    const unreadable = fc.oneof(
      figure.map((text) => new JsonNumber(text)),
      fc.tuple(fc.string(), figure).map(([before, text]) => before + text),
    );
    fc.assert(
      fc.property(unreadable, (orders) => {
        const { badRecords } = decode(answers.accounts, { ...wireAccount, orders });
        assert.equal(badRecords.length, 1);
        for (const { problem } of badRecords) assert.doesNotMatch(english(problem), /\d/);
      }),
    );
  });

  it('reads no other text as a number, and no number as text', () => {
    const filled = ['" 1"', '"+1"', '"01"', '"0x10"', '"1,5"', '"NaN"', '"1e9999"', 'true', 'NaN'];
    const swaps = [
      ...filled.map((text) => ['"filled":1', `"filled":${text}`, '$.content[0].filled'] as const),
      ['"filled":1', '"filled":""', undefined] as const,
      ['"filled":1', '"filled":null', undefined] as const,
      ['"orderId":9007199254740993', '"orderId":"1.5"', '$.content[0]'] as const,
      ['"orderId":9007199254740993', '"orderId":1e3', '$.content[0]'] as const,
      ['"symbol":"btc_usdt"', '"symbol":5', '$.content[0]'] as const,
    ];
    for (const [from, to, path] of swaps) {
      const swapped = wire(anOrder()).replace(from, to);
      const answer = decode(answers.orders, parseJson(page(`[${swapped},${wire(anOrder())}]`)));
      const [first] = answer.value.content;
      const isKept = path !== '$.content[0]';
      assert.equal(answer.value.content.length, isKept ? 2 : 1, to);
      assert.equal(isKept ? first?.filled : first?.orderId, isKept ? null : anOrder().orderId, to);
      assert.equal(answer.badRecords[0]?.path, path, to);
    }
  });

  it('keeps the rows if a count is invalid; the count is unknown', () => {
    const counted = (counts: string) => {
      const text = `{"content":${wire([anOrder()])}${counts}}`;
      const { value, badRecords } = decode(answers.orders, parseJson(text));
      assert.equal(value.content.length, 1, counts);
      assert.deepEqual(badRecords, [], counts);
      return [value.size, value.totalPages, value.totalElements];
    };
    assert.deepEqual(counted(''), [null, null, null]);
    for (const bad of ['-1', 'null', '"many"', '1.5', '1e3', '[]', '9999999999999999', '"-1"'])
      assert.deepEqual(counted(`,"size":${bad},"totalPages":${bad},"totalElements":${bad}`), [
        null,
        null,
        null,
      ]);
    assert.deepEqual(counted(',"size":"20","totalPages":0,"totalElements":7'), ['20', '0', '7']);
  });

  it('rejects each invalid row of a page with its index, for any JSON', () => {
    const anything = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value));
    const rows = fc.array(fc.option(anything), { maxLength: 12 });
    fc.assert(
      fc.property(rows, (bad) => {
        const content = bad.map((text) => text ?? wire(anOrder()));
        const { value, badRecords } = decode(
          answers.orders,
          parseJson(page(`[${content.join()}]`)),
        );
        const good = bad.filter((text) => text === null);
        assert.equal(value.content.length, good.length);
        const places = bad.flatMap((text, index) => (text === null ? [] : `$.content[${index}]`));
        const paths = badRecords.map(({ path }) => path);
        assert.deepEqual(paths, places);
      }),
    );
  });

  it('throws only DecodeError, for any JSON', () => {
    const readers = [
      answers.orders,
      answers.accounts,
      answers.cancelAll,
      answers.exchangeInfo,
    ] as const;
    const someFields = fc.constantFrom(
      'content',
      'size',
      'assets',
      'orders',
      'symbols',
      '__proto__',
      'toString',
    );
    const objects = fc.dictionary(someFields, fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(
        fc.oneof(fc.jsonValue(), objects),
        fc.constantFrom(...readers),
        (value, reader) => {
          const answer: JsonValue = parseJson(JSON.stringify(value));
          try {
            decode<unknown>(reader, answer);
          } catch (error) {
            assert.ok(error instanceof DecodeError, String(error));
          }
        },
      ),
    );
  });

  it('keeps the text of every number that it accepts', () => {
    const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,40})(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?$/);
    fc.assert(
      fc.property(digits, fc.boolean(), (price, isQuoted) => {
        const order = wire(anOrder()).replace(
          '"price":50000',
          `"price":${isQuoted ? `"${price}"` : price}`,
        );
        const { value } = decode(answers.orders, parseJson(page(`[${order}]`)));
        assert.equal(value.content[0]?.price, price);
      }),
    );
  });
});

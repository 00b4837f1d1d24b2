import assert from 'node:assert/strict';
import { clientFor } from '../support/exchangeClient.ts';
import { rowsOf, type Row } from '../support/hostileExchange/rows.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { english } from '../support/english.ts';
import { readHistory } from '../support/historyRequest.ts';

const digits = '123456789012345678901234567890';

/** Each with fields that an exchange may send, by name, and where it goes wrong if anywhere; `!` loses the row. */
const oddRows: [what: string, json: Row['json'], wrongField?: string][] = [
  ['an unknown enum value', { side: '"HEDGE"', type: '"BLOCK"' }],
  ['fields that the API does not document', { liquidity: '{"a":[1.10]}', note: '"x"' }],
  ['a name that objects inherit', { constructor: 'null', toString: '1' }],
  ['a number that is written as a text', { amount: '"1.50"' }],
  ['a time in seconds', { time: '1700000000' }],
  ['a time in microseconds', { time: '1700000000123456' }],
  ['a time without a zone', { time: '"2023-11-14T22:13:20"' }, '!time'],
  ['a number where a text should be', { symbol: '7' }, '!symbol'],
  ['null where a number should be', { fee: 'null' }],
  ['a list where a number should be', { rpnl: '[1]' }, 'rpnl'],
  ['a number that is no decimal', { amount: '"12,5"' }, 'amount'],
  ['an id with an exponent', { orderId: '1e3' }, 'orderId'],
  ['a text that runs code elsewhere', { feeAsset: '"javascript:alert(1)"' }],
];

describe('what the exchange writes', () => {
  const start = exchangesOfEachTest();

  it('keeps the text of every number, of any size and notation', async () => {
    const json = {
      amount: digits,
      price: `0.${digits}`,
      fee: '-0.000000000000000001',
      rpnl: '-0',
      orderId: digits,
    };
    const small = { amount: '1E-7', price: '1.10', fee: '2.5e+3', rpnl: '0.00' };
    const firstId = 9007199254740993n;
    const rows = rowsOf('trades', 2, { firstId, fields: (index) => (index ? small : json) });
    const exchange = await start({ rows: { trades: rows } });
    const { value, badRecords } = await readHistory(clientFor(exchange), 'trades');
    assert.deepEqual(badRecords, []);
    const seen = value.content.map(({ tradeId, amount, price, fee, rpnl }) => {
      return { tradeId, amount, price, fee, rpnl };
    });
    const { orderId, ...numbers } = json;
    assert.deepEqual(seen, [
      { tradeId: '9007199254740994', ...numbers },
      { tradeId: '9007199254740993', ...small },
    ]);
    assert.equal(value.content[0]?.orderId, orderId);
  });

  for (const [what, json, wrongField] of oddRows)
    it(`leaves the rest of a page readable with ${what}`, async () => {
      const fields = (index: number) => (index === 1 ? json : ({} as Row['json']));
      const exchange = await start({ rows: { trades: rowsOf('trades', 3, { fields }) } });
      const { value, badRecords } = await readHistory(clientFor(exchange), 'trades');
      const ids = value.content.map(({ tradeId }) => tradeId);
      const isLost = wrongField?.startsWith('!');
      assert.deepEqual(ids, isLost ? ['3', '1'] : ['3', '2', '1']);
      const paths = badRecords.map(({ path }) => path);
      const place = isLost ? '$.content[1]' : `$.content[1].${wrongField}`;
      assert.deepEqual(paths, wrongField ? [place] : []);
      assert.match(
        english(badRecords[0]?.problem),
        new RegExp(wrongField?.replace('!', '') ?? '^$'),
      );
      assert.ok(english(badRecords[0]?.problem).length <= 300);
      for (const { price } of value.content) assert.equal(price, '50000');
    });
});

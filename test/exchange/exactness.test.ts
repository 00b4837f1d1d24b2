import assert from 'node:assert/strict';
import { clientFor } from '../support/exchangeClient.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { readHistory } from '../support/historyRequest.ts';

const digits = '123456789012345678901234567890';

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
});

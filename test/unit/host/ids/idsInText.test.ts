import assert from 'node:assert/strict';
import { idsInText } from '../../../../src/host/ids/storedIds.ts';

const uuid = '0b7c1e64-9f2a-4b53-8d1e-7a6f5c4b3a29';

/** What a text may name, as `kind id`; the offsets have to be those of the id. */
function named(text: string): string[] {
  return idsInText(text).map(({ id, kind, start, end }) => {
    assert.equal(text.slice(start, end), id);
    return `${kind} ${id}`;
  });
}

describe('ids in a text', () => {
  it('are numbers of at least 12 digits', () => {
    assert.deepEqual(named('filled 123456789012, not 12345678901'), ['any 123456789012']);
    assert.deepEqual(named('[123456789012]/(9999999999999999999)'), [
      'any 123456789012',
      'any 9999999999999999999',
    ]);
    assert.deepEqual(named(`1${'0'.repeat(39)} 1${'0'.repeat(40)}`), [`any 1${'0'.repeat(39)}`]);
  });

  it('are shorter numbers directly after the word of their kind', () => {
    const texts = ['order 7', 'Order #7', 'ORDER: 7', 'order id 7', 'order_id=7', '"orderId": "7"'];
    for (const text of texts) assert.deepEqual(named(text), ['order 7'], text);
    assert.deepEqual(named('trade 8 of order 0'), ['trade 8', 'order 0']);
    assert.deepEqual(named("transactionId: '9'"), ['transaction 9']);
    assert.deepEqual(named('orders 7, order of 7, order\n7, reorder 7, tradeoff 7'), []);
  });

  it('are UUIDs, in any case', () => {
    assert.deepEqual(named(`client order ${uuid}.`), [`uuid ${uuid}`]);
    assert.deepEqual(named(uuid.toUpperCase()), [`uuid ${uuid.toUpperCase()}`]);
    assert.deepEqual(named('0b7c1e64-9f2a-4b53-8d1e-123456789012'), [
      'uuid 0b7c1e64-9f2a-4b53-8d1e-123456789012',
    ]);
    assert.deepEqual(named(`${uuid}0 a${uuid} ${uuid}-1`), []);
  });

  it('are no part of another number or word', () => {
    for (const text of [
      ...[
        '0.123456789012',
        '123456789012.5',
        '123,456789012345',
        '1,123456789012',
        '0123456789012',
      ],
      ...['a123456789012', '123456789012b', 'ä123456789012', '1234567890123e5', 'order 5x'],
      ...['order 1.5', 'order 007', 'trade 5_a'],
      ...['recordId: 7', 'reorder 7', 'stop_orders=7', 'order_type=2', 'coordId=7', 'order_id=7a'],
      ...['订单12.5', '客户12345', 'ä123456789012345', '123456789012345ä', 'm123456789012345'],
      ...['traded 7', '订单数量7'],
    ])
      assert.deepEqual(named(text), [], text);
  });
});

import assert from 'node:assert/strict';
import { idsInText } from '../../../src/host/ids/storedIds.ts';
import { testHabits } from '../../support/habits.ts';

const uuid = '12345678-9f2a-4b53-8d1e-7a6f5c4b3a29';
const long = '123456789012345';
const escape = '\u001b';
const [green, bold, off] = [`${escape}[32m`, `${escape}[1;32m`, `${escape}[0m`];

/** Every text has one id, as `kind id`. */
const cases: readonly [habit: string, ...(readonly [named: string, ...texts: string[]])[]][] = [
  [
    'the name of an order id has a word before it, as in exchange_order_id=…',
    ['order 7', 'exchange_order_id=7', 'venue_order_id: 7', 'EXCHANGE_ORDER_ID=7'],
  ],
  [
    'the name of an id is one word in capitals and small letters',
    ['order 7', '"exchangeOrderId":"7"', 'venueOrderID=7', 'ordId: 7', 'ORD_ID=7'],
    ['trade 7', 'trade-id: 7', 'lastTradeId=7', '{\\"tradeId\\":\\"7\\"}'],
    ['transaction 7', 'transaction-id: 7', 'fundingTransactionId=7'],
  ],
  [
    'the id of an order is the client’s own, never that of another order',
    ['uuid 7', 'cl_ord_id=7', 'ClOrdID=7', 'client_order_id: 7', 'origClientOrderId=7'],
    [`uuid ${uuid}`, `cl_ord_id=${uuid}`, `order ${uuid}`],
  ],
  [
    'an id is coloured',
    [`any ${long}`, `${green}${long}${off}`, `^[[m${long}`, `\\u001b[32m${long}\\u001b`],
    ['order 7', `order ${bold}7${off}`, `order_id=${green}7${off}`],
    ['trade 7', `${green}trade 7${off}`],
    [`uuid ${uuid}`, `${green}${uuid}${off}`],
  ],
  [
    'an id is beside text in Chinese, Japanese or Korean',
    [`any ${long}`, `编号${long}已完成`, `ご注文の${long}`, `번호${long}`],
    ['order 12345', '订单号12345', '訂單編號：12345', '注文番号: 12345', '주문 12345'],
    ['trade 12345', '成交编号：12345', '約定12345', '체결번호 12345'],
    [`uuid ${uuid}`, `客户${uuid}。`],
    ['order 7', '新order_id：7', 'order：7'],
  ],
];

testHabits(
  'ids in logs',
  cases.map(([habit, ...named]) => ({
    habit,
    source: 'logs of bots',
    sees: 'a link of its kind',
    check: () => {
      for (const [expected, ...texts] of named)
        for (const text of texts)
          assert.deepEqual(
            idsInText(text).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`),
            [expected],
            text,
          );
    },
  })),
);

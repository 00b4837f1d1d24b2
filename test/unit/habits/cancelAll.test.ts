import assert from 'node:assert/strict';
import { phrase } from '../../../src/base/phrase.ts';
import { outcomeLook, outcomeText } from '../../../src/host/cancelAll/outcomeText.ts';
import { someLocked } from '../../support/builders.ts';
import {
  aCanceledOrder,
  cancelAllUnderTest,
  failed,
  type Script,
} from '../../support/cancelAllUnderTest.ts';
import { aDisplay } from '../../support/display.ts';
import { testHabits, type Habit } from '../../support/habits.ts';

const open = [someLocked()];

/** What a person reads after one press at an exchange that answers so. */
async function pressed(script: Script): Promise<string> {
  const { cancelAll, report, seen } = cancelAllUnderTest(script);
  await cancelAll.run();
  cancelAll.dispose();
  assert.equal(seen.deletes, 1);
  return `${outcomeLook(report()).tone}: ${outcomeText(report(), aDisplay())}`;
}

type Seen = readonly [sees: string, text: RegExp];

/** Orders come back with a status, and nothing is locked. */
const returned = (status: string, source: string, [sees, text]: Seen): Habit => ({
  habit: `cancel-all returns an order that is ${status}`,
  source,
  sees,
  check: async () => {
    const canceled = [aCanceledOrder(), aCanceledOrder({ status })];
    assert.match(await pressed({ canceled, locked: [open, []] }), text);
  },
});

/** The DELETE fails; nothing is locked afterwards in one case, and all in the other. */
function unknown(
  habit: string,
  source: string,
  failure: Omit<NonNullable<Parameters<typeof failed>[0]>, 'sent'>,
): Habit {
  const canceled = failed({ kind: 'refused', sent: 'yes', ...failure });
  return {
    habit,
    source,
    sees: 'the result is unknown, and what is locked',
    check: async () => {
      const gone = await pressed({ canceled, locked: [open, []] });
      assert.match(gone, /^warning: Result unknown\..* Nothing is locked now/);
      const left = await pressed({ canceled, locked: [open] });
      assert.match(left, /^error: Result unknown\..* Still locked: /);
      assert.doesNotMatch(gone + left, /refused/i);
    },
  };
}

/** The exchange refuses in words; `locked` is what is found before and after. */
const refused = (
  locked: NonNullable<Script['locked']>,
  what: string,
  [sees, text]: Seen,
  words = 'no',
): Habit => ({
  habit: `a 4xx that says “${words}”, and ${what}`,
  source: 'an attack on cancel-all from outside the project',
  sees,
  check: async () => {
    const canceled = failed({ kind: 'refused', sent: 'yes', status: 400, serverWords: words });
    assert.match(await pressed({ canceled, locked }), text);
  },
});

/** The exchange answers with no order; `locked` is what is found before and after. */
const noOrder = (locked: NonNullable<Script['locked']>, what: string, text: RegExp): Habit => ({
  habit: `a 200 with [], and ${what}`,
  source: 'an attack on cancel-all from outside the project',
  sees: 'no word of cancelled orders, and what is proven',
  check: async () => assert.match(await pressed({ canceled: [], locked }), text),
});

/** One returned record cannot be read, but its status can. */
const unreadable = (status: string, sees: string, text: RegExp): Habit => ({
  habit: `cancel-all returns a record without an id that is ${status}`,
  source: 'sibling of the orders that are not cancelled',
  sees,
  check: async () => {
    const { cancelAll, report } = cancelAllUnderTest({
      canceled: [aCanceledOrder()],
      badRecords: [{ path: '$[1]', problem: phrase('no id'), record: { status } }],
      locked: [open, []],
    });
    await cancelAll.run();
    cancelAll.dispose();
    assert.equal(report().outcome, status === 'CANCELED' ? 'done' : 'partly');
    assert.match(`${outcomeLook(report()).tone}: ${outcomeText(report(), aDisplay())}`, text);
  },
});

const doubts = [
  ...['EXECUTION_STATUS_UNKNOWN', 'RequestTimeout', 'requestTimedOut', 'orderStatusUnknown'],
  ...['unknown_result', 'ORDER_STATE_UNCERTAIN', 'ETIMEDOUT', 'REQUEST_IN_PROGRESS'],
  'The request may have been executed',
  'Your orders may or may not have been cancelled.',
  'It is not known whether the order was cancelled',
  'We could not determine if the orders were cancelled.',
  'Execution status uncertain',
  'The result could not be confirmed',
  'The order is being processed',
  'The status is unknown for symbol BTC',
  'An unknown error occurred while processing the request.',
];
const certain = [
  ...['unknown parameter: status', 'UNKNOWN_PARAMETER order_status', 'Invalid parameter: timeout'],
  ...['Unknown field "result"', 'Parameter status is unknown', 'unknown symbol: STATUS_USDT'],
  ...['API key may have been revoked', 'Only open orders may be cancelled'],
];

const partial: Seen = [
  'partial, as a warning',
  /^warning: 1 order cancelled\. 1 returned with another status: .*Nothing is locked/,
];
const done: Seen = ['done', /^success: 2 orders cancelled\. Nothing is locked now\.$/];
const nothingDone: Seen = ['no order was cancelled', /^error: Refused: no order was cancelled\. /];
const isUnknown: Seen = ['the result is unknown', /^(?:error|warning): Result unknown\. /];
const onlyRefused = (locked: string): Seen => [
  `refused, and no word of what was cancelled: ${locked}`,
  new RegExp(`^error: Refused\\. .* ${locked}`),
];

testHabits('cancel-all', [
  returned('REJECTED', 'Binance spot API, order status', partial),
  returned('NEW', 'Binance spot API, order status', partial),
  returned('PARTIALLY_EXECUTED', 'sibling of NEW', partial),
  returned('pending_cancel', 'BitMEX and Alpaca, order status', partial),
  returned('EXECUTED', 'sibling of NEW: executed before it was cancelled', partial),
  returned('', 'a status that the exchange left empty', [
    'partial, and that the status is unknown',
    /1 returned with another status: unknown\. Nothing is locked now\.$/,
  ]),
  returned('canceled', 'OKX API v5, order state', done),
  returned('Cancelled', 'Bybit API v5, orderStatus', done),
  unknown('a 400 with -1007', 'Binance spot API, errors', {
    status: 400,
    serverCode: '-1007',
    serverWords:
      'Timeout waiting for response from backend server. Send status unknown; execution status unknown.',
  }),
  unknown('a 400 with -1006', 'Binance spot API, errors', {
    status: 400,
    serverCode: '-1006',
    serverWords:
      'An unexpected response was received from the message bus. Execution status unknown.',
  }),
  unknown('a 400 with 50004', 'OKX API v5, errors', {
    status: 400,
    serverCode: '50004',
    serverWords:
      'API endpoint request timeout (does not mean that the request was successful or failed, please check the request result)',
  }),
  unknown('a 400 that timed out, in a code', 'Kraken REST API, errors', {
    status: 400,
    serverCode: 'EService:Timeout',
  }),
  ...doubts.flatMap((words) => [
    unknown(`a 400 that says “${words}”`, 'an attack from outside the project', {
      status: 400,
      serverWords: words,
    }),
    unknown(`a 400 with the code “${words}”`, 'sibling of the words', {
      status: 400,
      serverCode: words,
      serverWords: 'Try later',
    }),
  ]),
  ...certain.map((words) => refused([open], 'all is still locked', nothingDone, words)),
  unknown('a 403 with a page', 'a firewall in front of an exchange', {
    kind: 'auth',
    status: 403,
    isFromGateway: true,
  }),
  noOrder(
    [[]],
    'nothing was locked',
    /^success: According to the exchange, no order was open\. Nothing is locked now\.$/,
  ),
  noOrder(
    [open, []],
    'nothing is locked any more',
    /^success: The exchange returned no order\. Nothing is locked now \(cancelled or executed\)\.$/,
  ),
  noOrder(
    [failed({ kind: 'timeout', operation: 'accounts' }), []],
    'what was locked could not be read',
    /^success: The exchange returned no order\. Nothing is locked now \(cancelled or executed\)\.$/,
  ),
  noOrder(
    [open],
    'all is still locked',
    /^warning: The exchange returned no order\. Still locked \(not cancelled, or placed since\): /,
  ),
  unknown('a 409', 'Binance spot API, HTTP return codes', { status: 409, serverWords: 'partly' }),
  unknown('a 499', 'nginx, client closed request', { status: 499, serverWords: 'closed' }),
  unknown('a 408', 'RFC 9110, 15.5.9', { kind: 'timeout', status: 408, serverWords: 'late' }),
  unknown('a 421', 'RFC 9110, 15.5.20', { status: 421, serverWords: 'misdirected' }),
  unknown('a 425', 'RFC 8470, 5.2', { status: 425, serverWords: 'too early' }),
  refused([open], 'all is still locked', nothingDone),
  refused([open], 'all is still locked', nothingDone, 'Unknown order sent.'),
  refused([open], 'all is still locked', nothingDone, 'Request time out of recvWindow'),
  refused([open, []], 'nothing is locked any more', isUnknown),
  refused([[someLocked(), someLocked({ symbol: 'eth_usdt' })], open], 'less is locked', isUnknown),
  refused(
    [[someLocked({ lockedBid: '100' })], [someLocked({ lockedBid: '99.9' })]],
    'a part of it is locked',
    isUnknown,
  ),
  refused(
    [[someLocked({ sumSizeBid: '2' })], [someLocked({ sumSizeBid: '1.9' })]],
    'the same balance is locked for a smaller size',
    isUnknown,
  ),
  unreadable(
    'OPEN',
    'partial',
    /^warning: 1 order cancelled\. 1 record .*Nothing is locked now\.$/,
  ),
  unreadable('CANCELED', 'done, with a warning', /^warning: 1 order cancelled\. 1 record /),
  refused(
    [open, failed({ kind: 'timeout', operation: 'accounts' })],
    'what is locked cannot be read',
    onlyRefused('What is still locked could not be read'),
  ),
  refused(
    [failed({ kind: 'timeout', operation: 'accounts' }), open],
    'what was locked could not be read',
    onlyRefused('Still locked: '),
  ),
  refused([[]], 'nothing was locked', onlyRefused('Nothing is locked now')),
]);

import assert from 'node:assert/strict';
import {
  choice,
  choices,
  periodEnd,
  periodStart,
  readParameters,
  required,
  text,
  wholeNumber,
} from '../../../src/practice/parameters.ts';

const rules = {
  symbol: text,
  side: choice(['BUY', 'SELL']),
  statuses: choices(['EXECUTED', 'CANCELED']),
  dateFrom: periodStart,
  dateTo: periodEnd,
  page: required(wholeNumber(0)),
  size: wholeNumber(1),
};

const read = (query: string) => readParameters(new URLSearchParams(query), rules);
const refused = (query: string, name: string) =>
  assert.throws(() => read(query), {
    name: 'Refusal',
    status: 400,
    message: new RegExp(`\\b${name}\\b`),
  });

describe('query parameters of the practice exchange', () => {
  it('are read to their types', () => {
    const query =
      'symbol=btc_usdt&side=SELL&statuses=CANCELED&dateFrom=1700000000000&page=2&size=50';
    assert.deepEqual(read(query), {
      symbol: 'btc_usdt',
      side: 'SELL',
      statuses: ['CANCELED'],
      dateFrom: 1_700_000_000_000,
      dateTo: undefined,
      page: 2,
      size: 50,
    });
  });

  it('may be left out unless they are required', () => {
    assert.equal(read('page=0').symbol, undefined);
    refused('size=5', 'page');
  });

  it('take lists repeated, separated by commas, or both', () => {
    for (const list of [
      'statuses=EXECUTED&statuses=CANCELED',
      'statuses=CANCELED,EXECUTED',
      'statuses=EXECUTED%2CCANCELED&statuses=CANCELED',
    ]) {
      assert.deepEqual(read(`page=0&${list}`).statuses, ['EXECUTED', 'CANCELED']);
    }
    refused('page=0&statuses=EXECUTED,DONE', 'statuses');
    refused('page=0&statuses=', 'statuses');
    refused('page=0&statuses=EXECUTED,', 'statuses');
  });

  it('take a day from its first millisecond to its last', () => {
    const { dateFrom, dateTo } = read('page=0&dateFrom=2026-11-20&dateTo=2026-11-20');
    assert.equal(dateFrom, Date.UTC(2026, 10, 20));
    assert.equal(dateTo, Date.UTC(2026, 10, 21) - 1);
    refused('page=0&dateFrom=yesterday', 'dateFrom');
    refused('page=0&dateTo=2026-11-31', 'dateTo');
  });

  it('take a whole number of any size', () => {
    for (const [size, value] of [
      ['7', 7],
      ['0007', 7],
      ['123456789012', 123_456_789_012],
    ] as const) {
      assert.equal(read(`page=0&size=${size}`).size, value);
    }
  });

  it('are refused by name when malformed, unknown or repeated', () => {
    refused('page=-1', 'page');
    refused('page=1.0', 'page');
    refused('page=', 'page');
    refused('page=0&page=1', 'page');
    refused('page=0&size=0', 'size');
    refused('page=0&size=ten', 'size');
    refused('page=0&side=buy', 'side');
    refused('page=0&simbol=btc_usdt', 'simbol');
    refused('page=0&constructor=1', 'constructor');
  });

  it('let pass what belongs to the signature', () => {
    assert.equal(read('page=3&timestamp=1&recvWindow=5&signature=x').page, 3);
  });
});

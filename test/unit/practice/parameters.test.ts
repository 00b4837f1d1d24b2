import assert from 'node:assert/strict';
import {
  choice,
  choices,
  instant,
  readParameters,
  required,
  text,
  wholeNumber,
} from '../../../src/practice/parameters.ts';

const rules = {
  symbol: text,
  side: choice(['BUY', 'SELL']),
  statuses: choices(['EXECUTED', 'CANCELED']),
  dateFrom: instant,
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

  it('take times as epoch milliseconds or ISO 8601 instants', () => {
    const time = Date.UTC(2026, 10, 20, 10, 0, 0, 123);
    for (const written of [
      String(time),
      '2026-11-20T10:00:00.123Z',
      '2026-11-20T11:00:00.123%2B01:00',
    ]) {
      assert.equal(read(`page=0&dateFrom=${written}`).dateFrom, time);
    }
    for (const wrong of [
      'yesterday',
      '2026-11-20',
      '2026-11-20T10:00:00',
      '2026-13-20T10:00:00Z',
      '1.5',
      '-1',
      '',
    ]) {
      refused(`page=0&dateFrom=${wrong}`, 'dateFrom');
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

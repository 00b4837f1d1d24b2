import assert from 'node:assert/strict';
import {
  connectionFailure,
  isRefusedForTime,
  statusFailure,
} from '../../../src/exchange/failures.ts';

const now = Date.UTC(2026, 10, 20, 10);

function failure(status: number, headers: Record<string, string> = {}, text = '') {
  const get = (name: string) => headers[name] ?? null;
  return statusFailure({ status, headers: { get }, body: null }, text, now);
}

describe('an HTTP status', () => {
  it('is a kind of failure', () => {
    const kinds = [400, 401, 403, 404, 408, 418, 425, 429, 500, 503].map((s) => failure(s)?.kind);
    assert.deepEqual(kinds, [
      'refused',
      'auth',
      'auth',
      'refused',
      'timeout',
      'rateLimited',
      'server',
      'rateLimited',
      'server',
      'server',
    ]);
    assert.equal(failure(200), undefined);
  });

  it('names the host of a redirect', () => {
    assert.equal(failure(302, { location: 'https://evil.example/x' })?.detail, 'evil.example');
    assert.equal(failure(301, { location: '/elsewhere' })?.detail, 'another path');
  });

  it('takes Retry-After in seconds or as a date, between 0 and 15 minutes', () => {
    const waits = [
      '12',
      'Fri, 20 Nov 2026 10:00:30 GMT',
      'Fri, 20 Nov 2020 10:00:00 GMT',
      '999999',
    ].map((value) => failure(429, { 'retry-after': value })?.retryAfterMs);
    assert.deepEqual(waits, [12_000, 30_000, 0, 900_000]);
    assert.equal(failure(429, { 'retry-after': 'soon' })?.retryAfterMs, undefined);
  });

  it('gives the words of the usual error bodies as they are', () => {
    const bodies: [string, string | undefined][] = [
      [
        '{"timestamp":1,"status":401,"error":"Unauthorized","message":"bad key","path":"/"}',
        'bad key',
      ],
      ['{"code":-1121,"msg":"Invalid symbol."}', 'Invalid symbol.'],
      ['{"error":{"code":7,"message":"nested"}}', 'nested'],
      ['{"type":"about:blank","title":"Forbidden","detail":"no permission"}', 'no permission'],
      ['{"errors":[{"message":"first"}]}', 'first'],
      ['{"error":"Unauthorized"}', 'Unauthorized'],
      ['"words"', 'words'],
      ['Too many requests\r\n\u001b[31m', 'Too many requests\r\n\u001b[31m'],
      ['{}', undefined],
      ['', undefined],
      ['  <html>nginx</html>', undefined],
      ['{"message":null}', undefined],
    ];
    for (const [text, words] of bodies)
      assert.equal(failure(400, {}, text)?.serverWords, words, text);
  });
});

describe('a refusal', () => {
  const isForTime = (serverWords: string, kind: 'auth' | 'refused' | 'server' = 'auth') =>
    isRefusedForTime({ kind, sent: 'yes', operation: 'accounts', serverWords });

  it('is for the time where the server’s words are of it', () => {
    const words = [
      'Timestamp for this request is outside of the recvWindow.',
      'invalid request, please check your server timestamp or recv_window param',
      'Timestamp request expired',
      'Request Time expired',
      'your clock is wrong',
    ];
    for (const text of words) assert.ok(isForTime(text, 'refused'), text);
  });

  it('is for something else otherwise', () => {
    const words = [
      'Unknown key',
      'API key expired',
      'no GET /a?timestamp=1&recvWindow=5',
      "{ 'x-timestamp': '1' }",
    ];
    for (const text of words) assert.ok(!isForTime(text), text);
    assert.ok(!isForTime('timestamp', 'server'));
  });
});

describe('a broken connection', () => {
  it('was not sent when it was never made, and may have been otherwise', () => {
    const coded = (code: string, syscall?: string) =>
      Object.assign(new Error('secret words'), { code, ...(syscall ? { syscall } : {}) });
    const refused = new TypeError('fetch failed', { cause: coded('ECONNREFUSED', 'connect') });
    assert.deepEqual(connectionFailure(refused), {
      kind: 'network',
      sent: 'no',
      detail: 'ECONNREFUSED',
    });
    assert.equal(connectionFailure(coded('ENOTFOUND', 'getaddrinfo')).sent, 'no');
    assert.equal(connectionFailure(coded('EHOSTUNREACH', 'connect')).sent, 'no');
    assert.equal(connectionFailure(coded('CERT_HAS_EXPIRED')).sent, 'no');
    assert.equal(connectionFailure(coded('EHOSTUNREACH', 'read')).sent, 'maybe');
    assert.equal(connectionFailure(coded('ECONNRESET', 'write')).sent, 'maybe');
    assert.equal(connectionFailure(coded('ETIMEDOUT')).sent, 'maybe');
    assert.deepEqual(connectionFailure(new Error('secret words')), {
      kind: 'network',
      sent: 'maybe',
      detail: 'connection lost',
    });
  });

  it('is looked up in every address that was tried', () => {
    const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED', syscall: 'connect' });
    const all = new TypeError('fetch failed', {
      cause: Object.assign(new AggregateError([refused]), { code: 'ECONNREFUSED' }),
    });
    assert.equal(connectionFailure(all).sent, 'no');
  });
});

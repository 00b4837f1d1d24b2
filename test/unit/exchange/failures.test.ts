import assert from 'node:assert/strict';
import {
  answerFailure,
  isRefusedForTime,
  isSuccess,
  pauseAsked,
  statusFailure,
} from '../../../src/exchange/failures.ts';
import { defaultDialect } from '../../../src/exchange/dialect/dialect.ts';
import { parseJson } from '../../../src/exchange/json.ts';
import { english } from '../../support/english.ts';

const { overLimitStatuses } = defaultDialect;
const now = Date.UTC(2026, 10, 20, 10);

function head(status: number, headers: Record<string, string> = {}) {
  return { status, headers: { get: (name: string) => headers[name] ?? null } };
}

function failure(status: number, headers: Record<string, string> = {}, text = '') {
  return statusFailure(head(status, headers), text, overLimitStatuses, now);
}

describe('an HTTP status', () => {
  it('is a kind of failure', () => {
    const kinds = [400, 401, 403, 404, 408, 418, 425, 429, 500, 503].map((s) => failure(s).kind);
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
    assert.deepEqual(
      [199, 200, 204, 299, 300].map((s) => isSuccess(head(s))),
      [false, true, true, true, false],
    );
  });

  it('names the host of a redirect', () => {
    assert.equal(
      english(failure(302, { location: 'https://evil.example/x' }).detail),
      'evil.example',
    );
    assert.equal(english(failure(301, { location: '/elsewhere' }).detail), 'another path');
  });

  it('takes Retry-After in seconds or as a date, between 0 and 15 minutes', () => {
    const waits = [
      '12',
      'Fri, 20 Nov 2026 10:00:30 GMT',
      'Fri, 20 Nov 2020 10:00:00 GMT',
      '999999',
    ].map((value) => failure(429, { 'retry-after': value }).retryAfterMs);
    assert.deepEqual(waits, [12_000, 30_000, 0, 900_000]);
    for (const value of ['soon', '-1', '', '1.5', '2026-11-20'])
      assert.equal(failure(429, { 'retry-after': value }).retryAfterMs, undefined, value);
  });

  it('is over the limit where the dialect says so, and only there', () => {
    const kindOf = (status: number, statuses: readonly number[]) =>
      statusFailure(head(status), '', statuses, now).kind;
    assert.equal(kindOf(403, [403]), 'rateLimited');
    assert.equal(kindOf(503, [503]), 'rateLimited');
    assert.equal(kindOf(429, [418]), 'refused');
    assert.deepEqual(pauseAsked(head(420), [420], now), { retryAfterMs: undefined });
    assert.equal(pauseAsked(head(429), [420], now), undefined);
  });

  it('asks for a pause when over the limit, and as 503 that says how long', () => {
    const asked = (status: number, headers = {}) =>
      pauseAsked(head(status, headers), overLimitStatuses, now);
    assert.deepEqual(asked(418), { retryAfterMs: undefined });
    assert.deepEqual(asked(503, { 'retry-after': '7' }), { retryAfterMs: 7000 });
    assert.equal(asked(503), undefined);
    assert.equal(asked(500, { 'retry-after': '7' }), undefined);
  });
});

const tooMany = [
  'Too many requests',
  'Too many API requests; current limit is 6000 request weight per 1 MINUTE.',
  'access too frequent',
  'Requests are too frequent. Please try again later.',
  'API rate limit exceeded',
  'You have been rate-limited',
  'RATE_LIMIT_EXCEEDED',
  'Request weight exceeded',
  'request limit reached',
];
const otherLimits = [
  'Too many open orders',
  'The funding rate limit of this symbol is 0.75 %',
  'The limit price is too low',
  'order limit exceeded',
  'withdrawal limit exceeded: try again tomorrow',
  'fee rate limited to 1',
  'IP address not whitelisted',
  'Invalid API key',
];

describe('words of too many requests', () => {
  const kind403 = (message: string) => failure(403, {}, JSON.stringify({ message })).kind;

  it('make a 403 a matter of the limit', () => {
    for (const words of tooMany) assert.equal(kind403(words), 'rateLimited', words);
    assert.equal(failure(403, {}, 'access too frequent').kind, 'rateLimited');
    assert.equal(failure(403, {}, '{"code":"TooManyRequests"}').kind, 'auth');
    assert.equal(failure(403, {}, '{"code":"RATE_LIMITED"}').kind, 'rateLimited');
    assert.equal(failure(403, { 'retry-after': '9' }, 'rate limited').retryAfterMs, 9000);
  });

  it('make every refusal one, and no status that tells of something else', () => {
    for (const words of tooMany) {
      const kinds = [400, 401, 422, 408, 500].map((status) => failure(status, {}, words).kind);
      const limited = ['rateLimited', 'rateLimited', 'rateLimited'];
      assert.deepEqual(kinds, [...limited, 'timeout', 'server'], words);
    }
  });

  it('are told from words of other limits', () => {
    for (const words of otherLimits) assert.equal(kind403(words), 'auth', words);
    assert.equal(failure(403, {}, '<html>Too many requests</html>').kind, 'auth');
  });
});

describe('an answer with the status of a success', () => {
  const told = (text: string, headers = {}) =>
    answerFailure(head(200, headers), parseJson(text), now);

  it('is a failure where it is an error in words or by its code', () => {
    assert.deepEqual(told('{"code":-1121,"msg":"Invalid symbol."}'), {
      kind: 'refused',
      serverWords: 'Invalid symbol.',
      serverCode: '-1121',
    });
    assert.deepEqual(told('{"retCode":10006,"retMsg":"Too many visits!","result":{}}'), {
      kind: 'rateLimited',
      serverWords: 'Too many visits!',
      serverCode: '10006',
    });
    assert.deepEqual(told('{"error":{"code":"E7","message":"Invalid API key"}}'), {
      kind: 'auth',
      serverWords: 'Invalid API key',
      serverCode: 'E7',
    });
    assert.equal(told('{"code":"50011","msg":"hm","content":null}')?.kind, 'refused');
    assert.equal(
      told('{"message":"rate limit exceeded"}', { 'retry-after': '3' })?.retryAfterMs,
      3000,
    );
  });

  it('is for the credentials only where it says so', () => {
    const kindOf = (words: string) => told(JSON.stringify({ code: 1, msg: words }))?.kind;
    for (const words of [
      'Invalid signature',
      'Signature for this request is not valid.',
      'api key expired',
      'Unauthorized',
      'Permission denied',
    ])
      assert.equal(kindOf(words), 'auth', words);
    for (const words of ['Invalid symbol', 'unknown parameter', 'the key figure is missing'])
      assert.equal(kindOf(words), 'refused', words);
  });

  it('is a failure where it keeps the shape of an answer and leaves it empty', () => {
    for (const shape of [
      '"content":[]',
      '"content":[],"size":50,"totalPages":0,"totalElements":0',
      '"content":[],"totalElements":"0"',
      '"content":{},"totalElements":0.0',
      '"upl":0,"assets":[],"positions":[],"orders":[],"equity":0',
      '"rateLimits":[],"symbols":[],"serverTime":0',
    ]) {
      assert.equal(told(`{"code":7,"message":"hm",${shape}}`)?.kind, 'refused', shape);
      assert.equal(told(`{"success":false,"error":"hm",${shape}}`)?.serverWords, 'hm', shape);
      assert.deepEqual(told(`{"success":false,${shape}}`), { kind: 'refused' }, shape);
    }
    const limited = '{"code":-1003,"msg":"Too many requests","content":[],"totalElements":0}';
    assert.equal(told(limited)?.kind, 'rateLimited');
  });

  it('is none where it is an empty page that tells of success, or not fully of an error', () => {
    for (const saying of [
      '"code":0,"message":"hm"',
      '"code":"200","msg":"hm"',
      '"code":20000,"msg":"hm"',
      '"code":"SUCCESS","message":"hm"',
      '"retCode":0,"retMsg":"OK"',
      '"success":true',
      '"success":true,"code":1,"message":"hm"',
      '"code":1,"message":"success"',
      '"code":1,"message":"Request successful."',
      '"code":404,"message":"No data found"',
      '"code":"E204","msg":"No content"',
      '"message":"OK"',
      '"message":"hm"',
      '"code":7',
      '"code":7,"message":""',
      '"error":null,"errors":[],"code":null',
    ])
      assert.equal(told(`{${saying},"content":[],"totalElements":0}`), undefined, saying);
    for (const no of ['Unsuccessful', 'not successful', 'no content allowed', 'No, OK'])
      assert.ok(told(`{"code":1,"message":"${no}","content":[]}`), no);
  });

  it('is none where it keeps a promised field, is a list, tells of success, or tells nothing', () => {
    for (const text of [
      '{"content":[7],"code":7,"message":"hm","success":false}',
      '{"content":[],"totalElements":7,"code":7,"message":"hm"}',
      '{"equity":1,"code":7,"msg":"hm"}',
      '{"equity":1,"msg":"hm"}',
      '{"symbols":[],"error":"hm"}',
      '[{"error":"hm"}]',
      '"hm"',
      'null',
      '{}',
      '{"code":0,"msg":"success","data":{}}',
      '{"code":"00000","msg":"success"}',
      '{"retCode":"OK","retMsg":"fine"}',
    ])
      assert.equal(told(text), undefined, text);
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

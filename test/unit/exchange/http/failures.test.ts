import assert from 'node:assert/strict';
import { parseJson } from '../../../../src/base/exactJson.ts';
import { defaultConventions } from '../../../../src/exchange/history/apiConventions.ts';
import {
  failureFromBody,
  isTimestampRejected,
  isSuccess,
  requestedPause,
  failureFromStatus,
} from '../../../../src/exchange/http/failures.ts';
import { english } from '../../../support/english.ts';

const { overLimitStatuses } = defaultConventions;
const now = Date.UTC(2026, 10, 20, 10);

function head(status: number, headers: Record<string, string> = {}) {
  return { status, headers: { get: (name: string) => headers[name] ?? null } };
}

function failure(status: number, headers: Record<string, string> = {}, text = '') {
  return failureFromStatus(head(status, headers), text, overLimitStatuses, now);
}

describe('an HTTP status', () => {
  it('is a kind of failure', () => {
    for (const [kind, ...statuses] of [
      ['refused', 400, 404],
      ['auth', 401, 403],
      ['timeout', 408],
      ['rateLimited', 418, 429],
      ['server', 425, 500, 503],
      ['redirected', 301, 302, 303, 307, 308],
      ['malformed', 300, 304, 305, 306],
    ] as const)
      for (const status of statuses) assert.equal(failure(status).kind, kind, String(status));
    const found = [199, 200, 204, 299, 300].map((s) => isSuccess(head(s)));
    assert.deepEqual(found, [false, true, true, true, false]);
  });

  it('names the host of a redirect', () => {
    const detailOf = (location: string) => english(failure(302, { location }).detail);
    assert.equal(detailOf('https://evil.example/x'), 'evil.example');
    assert.equal(detailOf('/elsewhere'), 'another path');
    for (const location of ['javascript:alert(1)', 'mailto:me@host.example', 'file:///etc/hosts'])
      assert.equal(detailOf(location), 'an unnamed place');
  });

  it('accepts Retry-After in seconds or as a date, between 0 and a day', () => {
    const waitOf = (value: string) => failure(429, { 'retry-after': value }).retryAfterMs;
    const dates = ['Fri, 20 Nov 2026 10:00:30 GMT', 'Fri, 20 Nov 2020 10:00:00 GMT'];
    assert.deepEqual(['12', ...dates, '999999'].map(waitOf), [12_000, 30_000, 0, 86_400_000]);
    for (const value of ['soon', '-1', '', '2026-11-20'])
      assert.equal(waitOf(value), undefined, value);
  });

  it('asks for the longer one of two pauses', () => {
    for (const [header, words] of [
      ['9', 'Too many requests, retry in 30 seconds'],
      ['30', 'Too many requests, retry in 9 seconds'],
    ] as const)
      assert.equal(failure(429, { 'retry-after': header }, words).retryAfterMs, 30_000, header);
  });

  it('is over the limit only if the profile’s conventions list it', () => {
    const kindOf = (status: number, statuses: readonly number[]) =>
      failureFromStatus(head(status), '', statuses, now).kind;
    assert.equal(kindOf(403, [403]), 'rateLimited');
    assert.equal(kindOf(503, [503]), 'rateLimited');
    assert.equal(kindOf(429, [418]), 'refused');
    assert.deepEqual(requestedPause(head(420), [420], now), { retryAfterMs: undefined });
    assert.equal(requestedPause(head(429), [420], now), undefined);
  });

  it('asks for a pause if it is over the limit, or a 503 with Retry-After', () => {
    const asked = (status: number, headers = {}) =>
      requestedPause(head(status, headers), overLimitStatuses, now);
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

  it('make a 403 a rate limit', () => {
    assert.equal(failure(403, {}, 'access too frequent').kind, 'rateLimited');
    assert.equal(failure(403, {}, '{"code":"TooManyRequests"}').kind, 'rateLimited');
    assert.equal(failure(403, {}, '{"code":"RATE_LIMITED"}').kind, 'rateLimited');
    assert.equal(failure(403, { 'retry-after': '9' }, 'rate limited').retryAfterMs, 9000);
  });

  it('make every refusal a rate limit, but not a timeout or server error', () => {
    for (const words of tooMany) {
      const kinds = [400, 401, 422, 408, 500].map((status) => failure(status, {}, words).kind);
      const limited = ['rateLimited', 'rateLimited', 'rateLimited'];
      assert.deepEqual(kinds, [...limited, 'timeout', 'server'], words);
    }
  });

  it('differ from words about other limits', () => {
    for (const words of otherLimits) assert.equal(kind403(words), 'auth', words);
    assert.equal(failure(403, {}, '<html>Too many requests</html>').kind, 'auth');
  });
});

describe('an answer with the status of a success', () => {
  const failureIn = (text: string, headers = {}) =>
    failureFromBody(head(200, headers), parseJson(text), now);

  it('is a failure if its words or its code are an error', () => {
    assert.deepEqual(failureIn('{"code":-1121,"msg":"Invalid symbol."}'), {
      kind: 'refused',
      serverWords: 'Invalid symbol.',
      serverCode: '-1121',
    });
    assert.deepEqual(failureIn('{"retCode":10006,"retMsg":"Too many visits!","result":{}}'), {
      kind: 'rateLimited',
      serverWords: 'Too many visits!',
      serverCode: '10006',
    });
    assert.deepEqual(failureIn('{"error":{"code":"E7","message":"Invalid API key"}}'), {
      kind: 'auth',
      serverWords: 'Invalid API key',
      serverCode: 'E7',
    });
    assert.equal(failureIn('{"code":"50011","msg":"hm","content":null}')?.kind, 'refused');
    assert.equal(
      failureIn('{"message":"rate limit exceeded"}', { 'retry-after': '3' })?.retryAfterMs,
      3000,
    );
  });

  it('is a credentials failure only if it says so', () => {
    const kindOf = (words: string) => failureIn(JSON.stringify({ code: 1, msg: words }))?.kind;
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

  it('is a failure if it has the shape of an answer, but is empty', () => {
    for (const shape of [
      '"content":[]',
      '"content":[],"size":50,"totalPages":0,"totalElements":0',
      '"content":[],"totalElements":"0"',
      '"content":{},"totalElements":0.0',
      '"upl":0,"assets":[],"positions":[],"orders":[],"equity":0',
      '"rateLimits":[],"symbols":[],"serverTime":0',
    ]) {
      assert.equal(failureIn(`{"code":7,"message":"hm",${shape}}`)?.kind, 'refused', shape);
      assert.equal(failureIn(`{"success":false,"error":"hm",${shape}}`)?.serverWords, 'hm', shape);
      assert.deepEqual(failureIn(`{"success":false,${shape}}`), { kind: 'refused' }, shape);
    }
    const limited = '{"code":-1003,"msg":"Too many requests","content":[],"totalElements":0}';
    assert.equal(failureIn(limited)?.kind, 'rateLimited');
  });

  it('is a success if it is an empty page with a success or an incomplete error', () => {
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
      assert.equal(failureIn(`{${saying},"content":[],"totalElements":0}`), undefined, saying);
    for (const no of ['Unsuccessful', 'not successful', 'no content allowed', 'No, OK'])
      assert.ok(failureIn(`{"code":1,"message":"${no}","content":[]}`), no);
  });

  it('is a success if it has a required field, is a list, reports success or reports nothing', () => {
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
      assert.equal(failureIn(text), undefined, text);
  });
});

describe('a refusal', () => {
  const isForTime = (serverWords: string, kind: 'auth' | 'refused' | 'server' = 'auth') =>
    isTimestampRejected({ kind, sent: 'yes', operation: 'accounts', serverWords });

  it('is about the time if the server’s words are', () => {
    const words = [
      'Timestamp for this request is outside of the recvWindow.',
      'invalid request, please check your server timestamp or recv_window param',
      'Timestamp request expired',
      'Request Time expired',
      'your clock is wrong',
    ];
    for (const text of words) assert.ok(isForTime(text, 'refused'), text);
    const byCode = { serverWords: 'Bad request', serverCode: 'INVALID_TIMESTAMP' };
    const failed = { kind: 'refused', sent: 'yes', operation: 'accounts' } as const;
    assert.ok(isTimestampRejected({ ...failed, ...byCode }));
  });

  it('is otherwise about something else', () => {
    const words = ['Unknown key', 'API key expired', "{ 'x-timestamp': '1' }"];
    for (const text of [...words, 'no GET /a?timestamp=1&recvWindow=5'])
      assert.ok(!isForTime(text), text);
    assert.ok(!isForTime('timestamp', 'server'));
  });
});

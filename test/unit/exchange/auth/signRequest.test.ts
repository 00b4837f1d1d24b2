import fc from 'fast-check';
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import {
  accountFingerprint,
  credentialProblem,
  credentialsProblem,
  type Credentials,
} from '../../../../src/exchange/auth/credentials.ts';
import { defaultHmacQuery, presetScheme } from '../../../../src/exchange/auth/scheme.ts';
import { encodeQuery, type UnsignedRequest } from '../../../../src/exchange/auth/signRequest.ts';
import type { QueryPairs } from '../../../../src/exchange/auth/signRequest.ts';
import { english } from '../../../support/english.ts';
import { sign } from '../../../support/sign.ts';

const credentials = {
  apiKey: 'key',
  apiSecret: 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j',
};

/** A read of an operation with these parameters. */
function get(pairs: QueryPairs): UnsignedRequest {
  return { method: 'GET', url: 'https://host.example/api/v1/orders', pairs };
}

describe('the signer', () => {
  it('puts recvWindow before the timestamp and the signature last, under the profile’s names', () => {
    const names = { timestampParam: 'ts', signatureParam: 'sig', recvWindowMs: 5000 };
    const { query } = sign(presetScheme('hmacQuery', names), credentials, get([['page', '0']]), 7);
    assert.match(query, /^page=0&recvWindow=5000&ts=7&sig=[0-9a-f]{64}$/);
  });

  it('writes what needs no signature into a header', () => {
    const held = { ...credentials, token: 'the-token', user: 'Aladdin', password: 'open sesame' };
    for (const [scheme, headers] of [
      ['none', {}],
      ['bearer', { authorization: 'Bearer the-token' }],
      ['basic', { authorization: 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==' }],
      ['apiKeyHeader', { 'X-API-KEY': 'key' }],
    ] as const)
      assert.deepEqual(sign(presetScheme(scheme), held, get([]), 7), { query: '', headers });
  });

  it('signs exactly the text that the URL carries', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }))),
        (pairs) => {
          const { query } = sign(defaultHmacQuery, credentials, get(pairs), 1);
          assert.equal(new URL(`http://host/path?${query}`).search, `?${query}`);
          const [signed = '', signature] = query.split('&signature=');
          assert.equal(
            signature,
            createHmac('sha256', credentials.apiSecret).update(signed).digest('hex'),
          );
        },
      ),
    );
  });

  it("encodes what URL parsers treat apart: ' ( ) * ! and space", () => {
    assert.equal(encodeQuery([['a b', "it's (*)!+"]]), 'a%20b=it%27s%20%28%2A%29%21%2B');
  });
});

describe('credentials', () => {
  const wrong: [string, RegExp][] = [
    ['', /is empty: enter it/],
    ['MARKED\r\nHost: other', /line break/],
    ['MARKED\n', /line break/],
    ['MARKED\u0000', /line break or a character/],
    ['MARKED\u007f', /line break or a character/],
    ['MARKED\u0085', /line break or a character/],
    ['MARKED\u20ac', /character that no header can carry/],
    ['MARKED\u{1f600}', /character that no header can carry/],
    [' MARKED', /begins or ends with a space/],
    ['MARKED\u00a0', /begins or ends with a space/],
    ['M'.repeat(4097), /longer than 4096/],
  ];
  for (const field of ['apiKey', 'apiSecret', 'token'] as const)
    for (const [value, sentence] of wrong)
      it(`${field} must not be ${JSON.stringify(value.slice(0, 20))}`, () => {
        const problem = english(credentialProblem(field, value));
        assert.match(problem, sentence);
        assert.match(problem, /^The (?:API key|API secret|token) [^:]*(?:: |\. )[^:]*\.$/);
        assert.doesNotMatch(problem, /MARKED/);
      });

  it('may contain any text that headers can carry', () => {
    for (const value of ['k', 'a b', 'ÿ=+/', '$&#;', 'M'.repeat(4096)])
      assert.equal(credentialProblem('apiSecret', value), undefined);
    assert.match(english(credentialProblem('token', 'Bearer abc')), /without “Bearer”/);
  });

  it('fit a scheme when every field that it needs is there', () => {
    assert.equal(credentialsProblem(presetScheme('none'), {}), undefined);
    assert.equal(credentialsProblem(defaultHmacQuery, credentials), undefined);
    assert.ok(credentialsProblem(presetScheme('bearer'), credentials));
    assert.match(
      english(credentialsProblem(defaultHmacQuery, { apiKey: 'k' })),
      /The API secret is/,
    );
  });

  it('identify an account by what it signs in with, and by no secret', () => {
    const idOf = (held: Credentials): string => accountFingerprint('https://host.example', held);
    for (const name of ['apiKey', 'token', 'user'] as const)
      assert.notEqual(idOf({ [name]: 'one' }), idOf({ [name]: 'other' }), name);
    for (const name of ['apiSecret', 'passphrase', 'privateKey'] as const)
      assert.equal(idOf({ apiKey: 'k', [name]: 'one' }), idOf({ apiKey: 'k' }), name);
    assert.equal(idOf({ user: 'u', password: 'one' }), idOf({ user: 'u', password: 'other' }));
    assert.notEqual(
      idOf({ user: 'u' }),
      accountFingerprint('https://other.example', { user: 'u' }),
    );
  });
});

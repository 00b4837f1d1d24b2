import fc from 'fast-check';
import assert from 'node:assert/strict';
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { credentialProblem, credentialFields } from '../../../../src/exchange/auth/credentials.ts';
import {
  defaultHmacQuery,
  defaultSigningSpec,
  presetScheme,
  type AuthScheme,
  type SigningSpec,
} from '../../../../src/exchange/auth/scheme.ts';
import {
  allowedNames,
  schemeProblem,
  sendsTimestamp,
  templateProblem,
} from '../../../../src/exchange/auth/templates.ts';
import { english } from '../../../support/english.ts';
import { sign } from '../../../support/sign.ts';

const now = Date.UTC(2026, 10, 20, 12, 34, 56, 789);
const url = 'https://host.example:8443/prefix/api/v1/orders';
const request = { method: 'GET', url, pairs: [['a', 'b c']] } as const;
const credentials = {
  apiKey: 'the-key',
  apiSecret: 'c2VjcmV0',
  token: 'the-token',
  user: 'Aladdin',
  password: 'open sesame',
  passphrase: 'the phrase',
};

const custom = (recipe: Partial<SigningSpec>): AuthScheme => ({
  ...defaultSigningSpec,
  ...recipe,
  scheme: 'custom',
});
const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const ed25519 = pemOf(generateKeyPairSync('ed25519').privateKey);
const rsa = pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
const ec = pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);

/** What one header says when it is this template. */
function headerOf(template: string, recipe: Partial<SigningSpec> = {}): string | undefined {
  const scheme = custom({ ...recipe, headers: { 'X-Out': template } });
  return sign(scheme, credentials, request, now).headers['X-Out'];
}

describe('the presets', () => {
  it('ask for the credentials that they name', () => {
    const cases: [AuthScheme, string[]][] = [
      [presetScheme('none'), []],
      [presetScheme('bearer'), ['token']],
      [presetScheme('apiKeyHeader', { keyHeader: 'X' }), ['apiKey']],
      [presetScheme('basic'), ['user', 'password']],
      [defaultHmacQuery, ['apiKey', 'apiSecret']],
      [presetScheme('hmacHeaders'), ['apiKey', 'apiSecret']],
      [presetScheme('hmacIsoPassphrase'), ['apiKey', 'apiSecret', 'passphrase']],
      [presetScheme('ed25519Query'), ['apiKey', 'privateKey']],
      [custom({}), ['apiKey', 'apiSecret']],
      [custom({ algorithm: 'ed25519' }), ['apiKey', 'privateKey']],
      [custom({ algorithm: 'rsaSha256' }), ['apiKey', 'privateKey']],
      [custom({ headers: { A: '{passphraseSignature}' } }), ['apiSecret', 'passphrase']],
      [custom({ headers: { A: '{token}' }, stringToSign: '' }), ['token']],
    ];
    for (const [scheme, fields] of cases)
      assert.deepEqual(credentialFields(scheme).toSorted(), fields.toSorted());
  });

  it('say whether they carry the time', () => {
    for (const scheme of ['hmacQuery', 'hmacHeaders', 'hmacIsoPassphrase'] as const)
      assert.ok(sendsTimestamp(presetScheme(scheme)));
    assert.ok(sendsTimestamp(custom({})));
    for (const scheme of ['none', 'bearer', 'basic'] as const)
      assert.ok(!sendsTimestamp(presetScheme(scheme)));
  });
});

describe('a template', () => {
  it('writes every name', () => {
    const expected = {
      timestamp: String(now),
      recvWindow: '7',
      apiKey: 'the-key',
      passphrase: 'the phrase',
      token: 'the-token',
      basic: 'QWxhZGRpbjpvcGVuIHNlc2FtZQ==',
      method: 'GET',
      host: 'host.example:8443',
      path: '/prefix/api/v1/orders',
      query: 'a=b%20c',
      rawQuery: 'a=b c',
      target: '/prefix/api/v1/orders?a=b%20c',
      rawTarget: '/prefix/api/v1/orders?a=b c',
      bodySha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      bodySha512:
        'cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce' +
        '47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e',
      signature: createHmac('sha256', credentials.apiSecret).update('x').digest('hex'),
      passphraseSignature: createHmac('sha256', credentials.apiSecret)
        .update('the phrase')
        .digest('hex'),
    };
    assert.deepEqual(Object.keys(expected).sort(), [...allowedNames.header].sort());
    for (const [name, value] of Object.entries(expected))
      assert.equal(headerOf(`<{${name}}>`, { recvWindowMs: 7, stringToSign: 'x' }), `<${value}>`);
  });

  it('writes the time in every form, also ahead of now', () => {
    const forms = { ms: String(now), us: `${now}000`, s: '1795178096' } as const;
    for (const timestamp of ['ms', 'us', 's'] as const)
      assert.equal(headerOf('{timestamp}', { timestamp }), forms[timestamp]);
    assert.equal(headerOf('{timestamp}', { timestamp: 'iso' }), '2026-11-20T12:34:56.789Z');
    assert.equal(headerOf('{timestamp}', { timestamp: 's', aheadMs: 60_000 }), '1795178156');
  });

  it('evaluates no expression, and no placeholder inside a value', () => {
    const scheme = custom({ headers: { A: '${1+1}{apiKey}{signature}' }, stringToSign: '{query}' });
    assert.equal(
      english(schemeProblem(custom({ headers: { A: '${1+1}' } }))).startsWith('A: {1+1}'),
      true,
    );
    const hostile = { apiKey: '{passphrase}$&', apiSecret: 's', passphrase: 'MARKED' };
    const { headers } = sign(
      custom({ ...scheme, headers: { A: '{apiKey}' } }),
      hostile,
      request,
      1,
    );
    assert.equal(headers.A, '{passphrase}$&');
  });

  it('with an unknown name, or a secret’s, is a problem that names it', () => {
    for (const name of ['nonce', 'apiSecret', 'privateKey', 'password', 'constructor', '', 'a b'])
      for (const place of ['stringToSign', 'header', 'parameter'] as const) {
        const problem = english(templateProblem(place, `{timestamp}{${name}}`));
        assert.ok(problem.startsWith(`{${name}} is not a valid name here. Use one of `));
      }
    assert.match(
      english(templateProblem('stringToSign', '{signature}')),
      /^\{signature\} is not a valid name here/,
    );
    assert.match(
      english(templateProblem('parameter', '{query}')),
      /^\{query\} is not a valid name here/,
    );
    for (const broken of ['{timestamp', 'timestamp}', '{{timestamp}}', '}{'])
      assert.match(english(templateProblem('header', broken)), /^A brace is not closed\. /);
    assert.equal(
      english(schemeProblem(custom({ stringToSign: '{nonce}' }))).startsWith(
        'stringToSign: {nonce} is no',
      ),
      true,
    );
    assert.equal(schemeProblem(custom({})), undefined);
  });

  it('that passes the check can always be written', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...allowedNames.stringToSign), (text, name) => {
        const template = `${text}{${name}}`;
        if (templateProblem('stringToSign', template) !== undefined) return;
        const written = headerOf('{signature}', { stringToSign: template, recvWindowMs: 1 });
        assert.match(written ?? '', /^[0-9a-f]{64}$/);
      }),
    );
  });
});

describe('a signature', () => {
  for (const [algorithm, hash] of [
    ['hmacSha256', 'sha256'],
    ['hmacSha384', 'sha384'],
    ['hmacSha512', 'sha512'],
  ] as const)
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      for (const secretEncoding of ['text', 'base64', 'hex'] as const)
        it(`is ${algorithm} in ${encoding} of a secret in ${secretEncoding}`, () => {
          const secret = Buffer.from('a secret');
          const bytes = secretEncoding === 'text' ? 'utf8' : secretEncoding;
          const scheme = custom({ algorithm, encoding, secretEncoding, stringToSign: '{query}' });
          const held = { apiKey: 'k', apiSecret: secret.toString(bytes) };
          assert.equal(
            sign(scheme, held, request, now).headers['X-SIGNATURE'],
            createHmac(hash, secret).update('a=b%20c').digest(encoding),
          );
        });
});

describe('a private key', () => {
  const ofEd25519 = custom({ algorithm: 'ed25519' });
  const ofRsa = custom({ algorithm: 'rsaSha256' });
  const problem = (pem: string, scheme = ofEd25519) => credentialProblem('privateKey', pem, scheme);

  it('is the one that the algorithm needs', () => {
    assert.equal(problem(ed25519), undefined);
    assert.equal(problem(rsa, ofRsa), undefined);
    assert.match(
      english(problem(rsa)),
      /is not an Ed25519 key, which .* ed25519 needs\. Choose another/,
    );
    assert.match(
      english(problem(ed25519, ofRsa)),
      /is not an RSA key, which .* rsaSha256 needs\. Choose/,
    );
    assert.match(english(problem(ec, ofRsa)), /is not an RSA key/);
  });

  it('is rejected if invalid, in one sentence that does not quote it', () => {
    const publicKey = createPublicKey(ed25519).export({ type: 'spki', format: 'pem' }).toString();
    const wrong = ['', 'MARKED', ed25519.replace(/\n\w{9}/, '\nMARKED'), publicKey];
    for (const pem of wrong) {
      const sentence = english(problem(pem));
      assert.match(sentence, /^The private key cannot be read: choose a PEM file that begins/);
      assert.doesNotMatch(sentence, /MARKED|\n/);
    }
    const encrypted = generateKeyPairSync('ed25519', {
      privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    assert.match(english(problem(encrypted.privateKey)), /is encrypted: choose/);
    assert.match(english(problem('x'.repeat(16_385))), /longer than 16384 characters/);
  });
});

describe('a secret', () => {
  it('is what its encoding says', () => {
    const problem = (secretEncoding: SigningSpec['secretEncoding'], secret: string) =>
      credentialProblem('apiSecret', secret, custom({ secretEncoding }));
    assert.equal(problem('text', '!'), undefined);
    assert.equal(problem('base64', 'ab+/=='), undefined);
    assert.equal(problem('hex', '00fF'), undefined);
    assert.match(english(problem('base64', 'a b')), /^The API secret is not base64: copy it again/);
    assert.match(english(problem('hex', '00f')), /^The API secret is not hex: copy it again/);
  });

  it('of a user name has no colon before it', () => {
    assert.match(english(credentialProblem('user', 'a:b')), /^The user name contains a colon: /);
    assert.equal(credentialProblem('password', 'a:b'), undefined);
  });
});

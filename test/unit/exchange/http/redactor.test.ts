import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import {
  algorithms,
  defaultSigningSpec,
  signatureEncodings,
} from '../../../../src/exchange/auth/scheme.ts';
import { createTextSigner } from '../../../../src/exchange/auth/signRequest.ts';
import { Redactor } from '../../../../src/exchange/http/redactor.ts';
import type { Credentials } from '../../../../src/exchange/auth/credentials.ts';

const credentials = { apiKey: 'MARKED-key-1f3a', apiSecret: 'MARKED-secret-9c2e' };

const redacted = (text: string, held: Credentials): string => new Redactor(held).redact(text);

describe('the redacted text of a server', () => {
  it('contains no invisible character and no markup, and ends after 300 characters', () => {
    const words =
      'bad\u202e \u200b<b class="x">key</b><img src=x onerror=alert(1)>\u0007 a<b and c>d';
    assert.equal(redacted(words, credentials), 'bad   key  a<b and c>d');
    assert.equal(redacted('word '.repeat(1000), credentials).length, 300);
  });

  it('contains no credential, even if markup divides it or is part of it', () => {
    for (const text of ['key MARKED-key-1f3a', 'key MARKED-<b>key</b>-1f3a'])
      assert.doesNotMatch(redacted(text, credentials), /MARKED-key|key-1f3a/);
    const tagged = { passphrase: 'before<b>after' };
    assert.doesNotMatch(redacted('it was before<b>after', tagged), /before|after/);
  });

  it('keeps the words around a long redaction', () => {
    for (const gone of ['\u200b', '\u3164', '\u3164\u034f', '<b></b>', '\u0000 ', 'aB3/'])
      for (const length of [20_000, 100_000]) {
        const text = `${gone.repeat(length / gone.length)} No margin`;
        assert.match(redacted(text, credentials), /No margin$/, gone);
        assert.match(redacted(`No margin ${text}`, credentials), /^No margin/, gone);
      }
  });

  it('is bounded for every text of a failure, the code shorter than the words', () => {
    const long = 'word '.repeat(1000);
    const { failure } = new Redactor(credentials).toError({
      kind: 'refused',
      sent: 'yes',
      operation: 'accounts',
      serverWords: long,
      serverCode: long,
    });
    assert.equal(failure.serverWords?.length, 300);
    assert.equal(failure.serverCode?.length, 60);
    assert.ok(!('detail' in failure));
  });
});

const urlEncodedCredentials = { apiKey: 'key+/with=signs', apiSecret: 'another-secret' };

const removeSecrets = (text: string, held: Credentials) => new Redactor(held).removeSecrets(text);

describe('removing secrets', () => {
  it('removes what was URL-encoded repeatedly', () => {
    const held = { apiSecret: "Tr0ub 4dor!('x)*~é", apiKey: 'k'.repeat(30), passphrase: 'p+/=&q' };
    const signature = `${'aB3+/'.repeat(17)}w==`;
    const formed = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
    for (const encode of [encodeURIComponent, formed])
      for (const text of [held.apiSecret, held.passphrase, btoa('k'.repeat(30)), signature]) {
        let form = text;
        for (let times = 1; times <= 4; times += 1) {
          form = encode(form);
          assert.equal(removeSecrets(`pass=${form}&a`, held), 'pass=•••&a', form);
        }
      }
  });

  it('removes a secret whose characters are escaped in any way, also several times', () => {
    const held = { apiKey: 'abcDEF123ghi', apiSecret: 'p@ss w/rd+é="secret"&<1>%41' };
    const each = (escape: (code: number) => string) => (text: string) =>
      Array.from(text, (character) => escape(character.codePointAt(0) ?? 0)).join('');
    const hex = (code: number, length: number): string => code.toString(16).padStart(length, '0');
    const ways = [
      each((code) =>
        [...Buffer.from(String.fromCodePoint(code))].map((byte) => `%${hex(byte, 2)}`).join(''),
      ),
      each((code) => `%${hex(code, 2)}`),
      each((code) => `\\u${hex(code, 4)}`),
      each((code) => `\\x${hex(code, 2)}`),
      each((code) => `&#${code};`),
      each((code) => `&#x${hex(code, 4)};`),
      (text: string) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
      (text: string) =>
        text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
      encodeURIComponent,
      (text: string) => text.replaceAll('/', '%2F').replaceAll('E', '%45'),
    ];
    for (const secret of Object.values(held))
      for (const one of ways)
        for (const other of ways)
          for (const form of [one(secret), other(one(secret))])
            assert.equal(removeSecrets(`<pass ${form}>`, held), '<pass •••>', form);
  });

  it('keeps escapes in a text without secrets', () => {
    const text = String.raw`50%25 &amp; a\u0026b &#1114112; %zz \q 100%`;
    assert.equal(removeSecrets(text, urlEncodedCredentials), text);
  });

  it('removes the longer of two secrets with the same prefix completely, in each encoding', () => {
    const alike = { apiKey: 'abc/def', apiSecret: 'abc/defREST' };
    assert.equal(removeSecrets('abc/defREST', alike), '•••');
    assert.equal(removeSecrets('abc%2fdefREST and abc%2Fdef', alike), '••• and •••');
  });

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ed25519 = generateKeyPairSync('ed25519');
  const pemOf = ({ privateKey }: typeof rsa) =>
    privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  for (const algorithm of algorithms)
    for (const encoding of signatureEncodings)
      it(`removes a ${algorithm} signature in ${encoding}, regardless of the text around it`, () => {
        const privateKey = pemOf(algorithm === 'rsaSha256' ? rsa : ed25519);
        const held = { ...urlEncodedCredentials, privateKey };
        const signature = createTextSigner(
          { ...defaultSigningSpec, algorithm, encoding },
          held,
        )('a text');
        const forms = [signature, encodeURIComponent(signature)];
        if (encoding === 'hex') forms.push(signature.toUpperCase());
        for (const form of forms)
          for (const before of ['', 'signature=', 'sig_', '"', 'xyz', '%22', '/'])
            for (const after of ['', '_', '&b=1', '"', 'xyz', '%22']) {
              const clean = removeSecrets(`sent ${before}${form}${after}.`, held);
              assert.match(clean, /^sent .*•••.*\.$/);
              assert.ok(clean.length <= `sent ${before}•••${after}.`.length, clean);
            }
      });

  it('removes credentials from four characters on, as sent and in each encoding', () => {
    for (const secret of ['ab1c', 'a"/c', 'ü+ 4'])
      for (const form of [
        secret,
        encodeURIComponent(secret),
        encodeURIComponent(encodeURIComponent(secret)),
        JSON.stringify(secret).slice(1, -1),
        Buffer.from(secret).toString('base64'),
      ])
        assert.equal(removeSecrets(`key ${form}!`, { passphrase: secret }), 'key •••!', form);
  });

  it('removes base64 without its padding, and base64 that is escaped several times', () => {
    const secret = '~~>?~~>?10';
    const base64 = btoa(secret);
    assert.match(base64, /[+/].*==$/);
    const twice = (encode: (text: string) => string) => encode(encode(base64));
    for (const form of [
      base64.replace(/=+$/, ''),
      twice(encodeURIComponent),
      twice((text) => JSON.stringify(text.replaceAll('/', '\\/')).slice(1, -1)),
    ])
      assert.equal(removeSecrets(`key ${form}!`, { apiKey: secret }), 'key •••!', form);
  });

  it('removes a base64 signature without a digit, and no long word', () => {
    const removed = (text: string) => removeSecrets(text, urlEncodedCredentials);
    const signature = `${'abXYcdZWefQ'.repeat(4)}=`.slice(-44);
    assert.equal(removed(`sent ${signature}.`), 'sent •••.');
    for (const word of [
      'InsufficientMarginBalanceForTheRequestedOrderAmount',
      'MARGIN_ACCOUNT_HAS_INSUFFICIENT_BALANCE_FOR_THE_ORDER',
      'insufficient-margin-balance-for-the-requested-order-amount',
    ])
      assert.equal(removed(word), word);
  });

  it('leaves other words alone, and does not mangle a text for a secret of a few letters', () => {
    assert.equal(removeSecrets('a key', { apiKey: 'a', apiSecret: '' }), 'a key');
  });
});

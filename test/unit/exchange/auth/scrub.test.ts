import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import {
  algorithms,
  defaultRecipe,
  signatureEncodings,
  type Credentials,
} from '../../../../src/exchange/auth/scheme.ts';
import { scrubberOf } from '../../../../src/exchange/auth/scrub.ts';
import { encodeQuery } from '../../../../src/exchange/auth/sign.ts';
import { signatureOf } from '../../../../src/exchange/auth/signature.ts';

const credentials = { apiKey: 'key+/with=signs', apiSecret: 'another-secret' };

const scrub = (text: string, held: Credentials) => scrubberOf(held)(text);

describe('scrub', () => {
  it('takes out the credentials as they are, URL-encoded and in base64', () => {
    for (const secret of Object.values(credentials))
      for (const form of [secret, encodeURIComponent(secret), btoa(secret)])
        assert.equal(scrub(`unknown key ${form}!`, credentials), 'unknown key •••!');
  });

  it('takes out a secret however much of it is URL-encoded, as we send it or as a form would', () => {
    const held = { apiKey: 'k', passphrase: "Tr0ub 4dor!('x)*~é" };
    const formed = new URLSearchParams({ '': held.passphrase }).toString().slice(1);
    const sent = encodeQuery([['', held.passphrase]]).slice(1);
    for (const form of [sent, sent.toLowerCase(), formed, encodeURI(held.passphrase)])
      assert.equal(scrub(`pass=${form}&a`, held), 'pass=•••&a', form);
  });

  it('takes out the whole of the longer one of two that begin alike, however it is encoded', () => {
    const alike = { apiKey: 'abc/def', apiSecret: 'abc/defREST' };
    assert.equal(scrub('abc/defREST', alike), '•••');
    assert.equal(scrub('abc%2fdefREST and abc%2Fdef', alike), '••• and •••');
  });

  it('takes out signatures', () => {
    assert.equal(scrub(`?a=1&signature=${'0aF9'.repeat(16)}`, credentials), '?a=1&signature=•••');
  });

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ed25519 = generateKeyPairSync('ed25519');
  const pemOf = ({ privateKey }: typeof rsa) =>
    privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  for (const algorithm of algorithms)
    for (const encoding of signatureEncodings)
      it(`takes out a signature by ${algorithm} in ${encoding}, whatever stands around it`, () => {
        const privateKey = pemOf(algorithm === 'rsaSha256' ? rsa : ed25519);
        const held = { ...credentials, privateKey };
        const signature = signatureOf({ ...defaultRecipe, algorithm, encoding }, held)('a text');
        const forms = [signature, encodeURIComponent(signature)];
        if (encoding === 'hex') forms.push(signature.toUpperCase());
        for (const form of forms)
          for (const before of ['', 'signature=', 'sig_', '"', 'xyz', '%22', '/'])
            for (const after of ['', '_', '&b=1', '"', 'xyz', '%22']) {
              const clean = scrub(`sent ${before}${form}${after}.`, held);
              assert.match(clean, /^sent .*•••.*\.$/);
              assert.ok(clean.length <= `sent ${before}•••${after}.`.length, clean);
            }
      });

  it('leaves other words alone, and does not mangle a text for a secret of a few letters', () => {
    assert.equal(scrub('a key', { apiKey: 'a', apiSecret: '' }), 'a key');
  });
});

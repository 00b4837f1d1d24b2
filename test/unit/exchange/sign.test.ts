import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { defaultHmacQuery } from '../../../src/exchange/auth/scheme.ts';
import { encodeQuery, sign } from '../../../src/exchange/auth/sign.ts';

const credentials = {
  apiKey: 'key',
  apiSecret: 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j',
};

describe('the signer', () => {
  it('matches a published HMAC-SHA256 example of a signed query', () => {
    // Binance's documented example for its signed endpoints, request by query string.
    const pairs = [
      ['symbol', 'LTCBTC'],
      ['side', 'BUY'],
      ['type', 'LIMIT'],
      ['timeInForce', 'GTC'],
      ['quantity', '1'],
      ['price', '0.1'],
      ['recvWindow', '5000'],
    ] as const;
    const { query } = sign(defaultHmacQuery, credentials, pairs, 1499827319559);
    assert.equal(
      query,
      'symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1&recvWindow=5000' +
        '&timestamp=1499827319559' +
        '&signature=c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71',
    );
  });

  it('sends the key in the header, and never the secret', () => {
    const signed = sign(
      { ...defaultHmacQuery, keyHeader: 'X-OTHER' } as typeof defaultHmacQuery,
      credentials,
      [],
      1,
    );
    assert.deepEqual(signed.headers, { 'X-OTHER': 'key' });
    assert.ok(!JSON.stringify(signed).includes(credentials.apiSecret));
  });

  it('adds nothing for the scheme none', () => {
    assert.deepEqual(sign({ scheme: 'none' }, credentials, [['a', 'b']], 1), {
      query: 'a=b',
      headers: {},
    });
  });

  it('signs the very text that a URL keeps', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }))),
        (pairs) => {
          const { query } = sign(defaultHmacQuery, credentials, pairs, 1);
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

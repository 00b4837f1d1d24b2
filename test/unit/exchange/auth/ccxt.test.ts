import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import {
  defaultSigningSpec,
  presetScheme,
  type AuthScheme,
  type SigningSpec,
} from '../../../../src/exchange/auth/scheme.ts';
import type { QueryPairs } from '../../../../src/exchange/auth/signRequest.ts';
import { sign } from '../../../support/sign.ts';

const now = Date.UTC(2026, 10, 20, 12, 34, 56, 789);
const apiKey = 'k3y-for-tests';
const apiSecret = 'bm90LWEtcmVhbC1zZWNyZXQ';
const passphrase = 'not a real passphrase';

/** The part of an exchange of ccxt that is used here. */
type Peer = {
  readonly options: Record<string, unknown>;
  milliseconds: () => number;
  seconds: () => number;
  sign(
    path: string,
    api: string | readonly string[],
    method: string,
    params: Record<string, string>,
  ): { readonly url: string; readonly headers: Record<string, string> };
};
type PeerClass = new (options: object) => Peer;

/** One exchange by its own file, which ccxt does not export by name. Its time stands at `now`. */
async function peer(name: string, secret: string): Promise<Peer> {
  const file = new URL(`src/${name}.js`, import.meta.resolve('ccxt'));
  const { default: Exchange } = (await import(file.href)) as { default: PeerClass };
  const exchange = new Exchange({ apiKey, secret, password: passphrase });
  exchange.milliseconds = () => now;
  exchange.seconds = () => Math.floor(now / 1000);
  return exchange;
}

type Case = {
  readonly exchange: string;
  readonly scheme: AuthScheme;
  /** Path, API section and method, as in ccxt's tables. */
  readonly call: readonly [path: string, api: string | readonly string[], method: string];
  readonly pairs?: QueryPairs;
  /** The headers that ccxt sends beside those of authentication. */
  readonly others?: readonly string[];
  /** PEM of a private key; an HMAC secret otherwise. */
  readonly privateKey?: string;
};

const custom = (recipe: Partial<SigningSpec>): AuthScheme => ({
  ...defaultSigningSpec,
  ...recipe,
  scheme: 'custom',
});

const pemOf = (key: ReturnType<typeof generateKeyPairSync>['privateKey']): string =>
  key.export({ type: 'pkcs8', format: 'pem' }).toString().trim();
const ed25519 = pemOf(generateKeyPairSync('ed25519').privateKey);
const rsa = pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);

/** The pairs of a query that is not encoded. */
const pairsOf = (query: string): QueryPairs =>
  query.split('&').map((pair) => pair.split('=') as [string, string]);

const binance = {
  stringToSign: '{query}',
  encoding: 'base64',
  headers: { 'X-MBX-APIKEY': '{apiKey}' },
  query: { signature: '{signature}' },
} as const;
const binancePairs = pairsOf(`timestamp=${now}&symbol=BTCUSDT&note=a b/c+dé`);
const twoPairs = pairsOf('symbol=BTC_USDT&after=1763632800123');
const bybit = presetScheme('hmacHeaders', {
  keyHeader: 'X-BAPI-API-KEY',
  timestampHeader: 'X-BAPI-TIMESTAMP',
  signatureHeader: 'X-BAPI-SIGN',
  recvWindowHeader: 'X-BAPI-RECV-WINDOW',
  recvWindowMs: 5000,
});

const cases: readonly Case[] = [
  {
    exchange: 'binance',
    scheme: presetScheme('hmacQuery', { keyHeader: 'X-MBX-APIKEY' }),
    call: ['account', 'private', 'GET'],
  },
  {
    exchange: 'binance',
    scheme: presetScheme('ed25519Query', { keyHeader: 'X-MBX-APIKEY' }),
    call: ['account', 'private', 'GET'],
    privateKey: ed25519,
  },
  {
    exchange: 'binance',
    scheme: custom({ ...binance, algorithm: 'rsaSha256' }),
    call: ['openOrders', 'private', 'DELETE'],
    pairs: binancePairs,
    privateKey: rsa,
  },
  {
    exchange: 'mexc',
    scheme: presetScheme('hmacQuery', { keyHeader: 'X-MEXC-APIKEY' }),
    call: ['openOrders', ['spot', 'private'], 'DELETE'],
    pairs: pairsOf('symbol=BTCUSDT&recvWindow=5000'),
    others: ['Content-Type', 'source'],
  },
  {
    exchange: 'mexc',
    scheme: presetScheme('hmacHeaders', {
      keyHeader: 'ApiKey',
      timestampHeader: 'Request-Time',
      signatureHeader: 'Signature',
      stringToSign: '{apiKey}{timestamp}{query}',
    }),
    call: ['account/assets', ['contract', 'private'], 'GET'],
    pairs: pairsOf('currency=USDT'),
    others: ['Content-Type', 'source'],
  },
  {
    exchange: 'bybit',
    scheme: bybit,
    call: ['v5/order/history', 'private', 'GET'],
    pairs: twoPairs,
    others: ['Content-Type'],
  },
  {
    exchange: 'okx',
    scheme: presetScheme('hmacIsoPassphrase', {
      keyHeader: 'OK-ACCESS-KEY',
      timestampHeader: 'OK-ACCESS-TIMESTAMP',
      signatureHeader: 'OK-ACCESS-SIGN',
      passphraseHeader: 'OK-ACCESS-PASSPHRASE',
    }),
    call: ['trade/orders-history', 'private', 'GET'],
    pairs: pairsOf('instType=SPOT&note=a b/c+dé'),
  },
  {
    exchange: 'bitget',
    scheme: custom({
      sortQuery: true,
      stringToSign: '{timestamp}{method}{rawTarget}',
      encoding: 'base64',
      headers: {
        'ACCESS-KEY': '{apiKey}',
        'ACCESS-SIGN': '{signature}',
        'ACCESS-TIMESTAMP': '{timestamp}',
        'ACCESS-PASSPHRASE': '{passphrase}',
      },
    }),
    call: ['v2/spot/trade/history-orders', ['private', 'spot'], 'GET'],
    pairs: pairsOf('symbol=BTC/USDT é&after=1'),
    others: ['X-CHANNEL-API-CODE'],
  },
  {
    exchange: 'gate',
    scheme: custom({
      timestamp: 's',
      algorithm: 'hmacSha512',
      stringToSign: '{method}\n{path}\n{rawQuery}\n{bodySha512}\n{timestamp}',
      headers: { KEY: '{apiKey}', Timestamp: '{timestamp}', SIGN: '{signature}' },
    }),
    call: ['my_trades', ['private', 'spot'], 'GET'],
    pairs: pairsOf('currency_pair=BTC_USDT&text=a/b'),
    others: ['Content-Type'],
  },
  {
    exchange: 'kucoin',
    scheme: custom({
      stringToSign: '{timestamp}{method}{rawTarget}',
      encoding: 'base64',
      headers: {
        'KC-API-KEY': '{apiKey}',
        'KC-API-SIGN': '{signature}',
        'KC-API-TIMESTAMP': '{timestamp}',
        'KC-API-PASSPHRASE': '{passphraseSignature}',
        'KC-API-KEY-VERSION': '2',
      },
    }),
    call: ['fills', 'private', 'GET'],
    pairs: twoPairs,
    others: ['KC-API-PARTNER', 'KC-API-PARTNER-SIGN', 'KC-API-PARTNER-VERIFY'],
  },
];

describe('the signer and ccxt', () => {
  for (const { exchange, scheme, call, pairs = [], others = [], privateKey } of cases)
    it(`make the same request for ${exchange} by ${nameOf(scheme)}`, async () => {
      const theirs = await peer(exchange, privateKey ?? apiSecret);
      if (exchange === 'binance') theirs.options.recvWindow = undefined;
      const { url, headers } = theirs.sign(...call, Object.fromEntries(pairs));
      const [address = '', query = ''] = url.split('?');
      const credentials = { apiKey, apiSecret, passphrase, ...(privateKey && { privateKey }) };
      const ours = sign(scheme, credentials, { method: call[2], url: address, pairs }, now);
      assert.equal(ours.query, query);
      const expected = Object.entries(headers).filter(([name]) => !others.includes(name));
      assert.deepEqual(ours.headers, Object.fromEntries(expected));
      assert.ok(/sign/i.test(ours.query + Object.keys(ours.headers).join()));
    });
});

function nameOf(scheme: AuthScheme): string {
  return scheme.scheme === 'custom' ? `custom ${scheme.algorithm}` : scheme.scheme;
}

import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import {
  defaultHmacHeaders,
  defaultHmacIsoPassphrase,
  defaultHmacQuery,
  defaultRecipe,
  type Credentials,
} from '../../src/exchange/auth/scheme.ts';
import { operationNames } from '../../src/exchange/auth/signedOperations.ts';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import type { ExchangeError } from '../../src/exchange/errors.ts';
import type { FetcherName } from '../../src/exchange/fetch.ts';
import { operations, type OperationName } from '../../src/exchange/operations.ts';
import type { RequestRecord } from '../../src/exchange/requestRecord.ts';
import { serveExchange } from '../../src/practice/serve.ts';
import { clientFor, markedCredentials } from '../support/exchangeClient.ts';
import { errorOf, failureOf } from '../support/failureOf.ts';
import { serversOfEachTest, type SeenRequest } from '../support/hostileServer.ts';
import { signedSession } from '../support/signedSession.ts';
import { english } from '../support/english.ts';

const calls: Record<OperationName, (client: ExchangeClient) => Promise<unknown>> = {
  orders: (client) => client.orders({ page: 0 }),
  trades: (client) => client.trades({ page: 0 }),
  lots: (client) => client.lots({ page: 0 }),
  transactions: (client) => client.transactions({ accountType: 'SPOT', page: 0 }),
  accounts: (client) => client.accounts(),
  cancelAll: (client) => client.cancelAll(),
  exchangeInfo: (client) => client.exchangeInfo(),
  leverage: (client) => client.leverage(),
  feeTiers: (client) => client.feeTiers(),
};

const token = 'MARKED-token/+=77aa';

describe('authentication', () => {
  const serve = serversOfEachTest();
  const refuse = () => serve((_request, response) => response.writeHead(401).end());

  /** Calls every operation once; gives the operations whose request `isSigned`. */
  async function signedBy(
    wishes: Parameters<typeof clientFor>[1],
    isSigned: (request: SeenRequest) => boolean,
  ): Promise<OperationName[]> {
    const server = await refuse();
    const client = clientFor(server, wishes);
    for (const name of operationNames) await errorOf(calls[name](client));
    assert.equal(server.requests.length, operationNames.length);
    return operationNames.filter((_name, index) => {
      const request = server.requests[index];
      return request !== undefined && isSigned(request);
    });
  }

  const hasKey = ({ headers }: SeenRequest) => headers['x-api-key'] === markedCredentials.apiKey;
  const hasSignature = ({ path }: SeenRequest) => /[?&]signature=[0-9a-f]{64}$/.test(path);

  it('signs by default what the table of operations says', async () => {
    const signed = await signedBy({}, (request) => {
      assert.equal(hasKey(request), hasSignature(request));
      return hasSignature(request);
    });
    assert.deepEqual(
      signed,
      operationNames.filter((name) => operations[name].signed),
    );
  });

  for (const only of operationNames)
    it(`signs ${only} alone when the profile lists nothing else`, async () => {
      assert.deepEqual(await signedBy({ signedOperations: [only] }, hasSignature), [only]);
    });

  it('signs nothing for an empty list, and sends no key', async () => {
    assert.deepEqual(await signedBy({ signedOperations: [] }, hasKey), []);
  });

  it('sends a bearer token with what is signed, and nothing else', async () => {
    const wishes = { auth: { scheme: 'bearer' }, credentials: { token } } as const;
    const signed = await signedBy(wishes, ({ headers, path }) => {
      assert.doesNotMatch(path, /signature|timestamp/);
      assert.ok(headers.authorization === undefined || headers.authorization === `Bearer ${token}`);
      return headers.authorization !== undefined;
    });
    assert.equal(signed.length, 5);
  });

  it('sends an API key in the header that the profile names', async () => {
    const auth = { scheme: 'apiKeyHeader', keyHeader: 'X-Other' } as const;
    const wishes = { auth, credentials: { apiKey: 'MARKED-key' } };
    const signed = await signedBy(wishes, ({ headers, path }) => {
      assert.doesNotMatch(path, /signature|timestamp/);
      return headers['x-other'] === 'MARKED-key';
    });
    assert.equal(signed.length, 5);
  });

  it('sends no credential for the scheme none, whatever is listed', async () => {
    const wishes = { auth: { scheme: 'none' }, signedOperations: operationNames } as const;
    const signed = await signedBy(wishes, (request) => /MARKED|signature/.test(inspect(request)));
    assert.deepEqual(signed, []);
  });

  it('puts recvWindow before the timestamp and signs both', async () => {
    const server = await refuse();
    const auth = { ...defaultHmacQuery, recvWindowMs: 5000, timestampParam: 'ts' };
    await errorOf(clientFor(server, { auth }).orders({ page: 0 }));
    const query = server.requests[0]?.path.split('?')[1] ?? '';
    const [, signed = '', signature] =
      /^(page=0&recvWindow=5000&ts=\d{13})&signature=(\w+)$/.exec(query) ?? [];
    const { apiSecret } = markedCredentials;
    assert.equal(signature, createHmac('sha256', apiSecret).update(signed).digest('hex'));
  });

  it('is accepted by a venue that checks it, with and without a window', async () => {
    const exchange = await serveExchange({ seed: 1 });
    try {
      for (const recvWindowMs of [null, 5000]) {
        const client = clientFor(exchange, { auth: { ...defaultHmacQuery, recvWindowMs } });
        assert.ok((await client.accounts()).value.equity);
      }
    } finally {
      await exchange.close();
    }
  });

  it('sends nothing in place of a request whose credentials are missing or cannot be sent', async () => {
    const server = await refuse();
    const broken: Credentials[] = [
      {},
      { apiKey: 'MARKED-key' },
      { apiKey: '', apiSecret: 'MARKED-secret' },
      { apiKey: 'MARKED\r\nx-evil: 1', apiSecret: 'MARKED-secret' },
      { apiKey: 'MARKED\n', apiSecret: 'MARKED-secret' },
      { apiKey: 'MARKED\u0000', apiSecret: 'MARKED-secret' },
      { apiKey: 'MARKED\u20ac', apiSecret: 'MARKED-secret' },
    ];
    for (const credentials of broken) {
      const error = await errorOf(clientFor(server, { credentials }).cancelAll());
      assert.deepEqual([error.failure.kind, error.failure.sent], ['configuration', 'no']);
      assert.match(english(error.failure.detail), /^The API (?:key|secret) /);
      assert.doesNotMatch(inspect(error, { depth: 20, showHidden: true }), /MARKED/);
    }
    assert.deepEqual(server.requests, []);
  });

  it('lets public operations through without credentials', async () => {
    const server = await refuse();
    await errorOf(clientFor(server, { credentials: {} }).exchangeInfo());
    assert.equal(server.requests.length, 1);
  });
});

describe('a read-only profile', () => {
  const serve = serversOfEachTest();

  it('refuses to cancel and sends nothing, and still reads', async () => {
    const server = await serve((_request, response) => response.writeHead(401).end());
    const session = signedSession(server, { readOnly: true });
    const failure = await failureOf(session.client.cancelAll());
    assert.deepEqual([failure.kind, failure.sent], ['configuration', 'no']);
    assert.match(english(failure.detail), /read-only/);
    assert.deepEqual(server.requests, []);
    await errorOf(session.client.accounts());
    assert.deepEqual(
      server.requests.map(({ method }) => method),
      ['GET'],
    );
    session.dispose();
  });

  it('is told before its credentials are looked at', async () => {
    const server = await serve(() => undefined);
    const client = clientFor(server, { readOnly: true, credentials: {} });
    assert.match(english((await failureOf(client.cancelAll())).detail), /read-only/);
  });
});

describe('a secret in a parameter', () => {
  const serve = serversOfEachTest();

  it('is not told where the server repeats the query, as it came or as it writes one', async () => {
    const byPassphrase = {
      ...defaultRecipe,
      scheme: 'custom',
      ...{ stringToSign: '', headers: {}, query: { pass: '{passphrase}' } },
    } as const;
    const credentials = { passphrase: "MARKED! (it's)*" };
    for (const again of [String, (query: string) => new URLSearchParams(query).toString()]) {
      const server = await serve((request, response) => {
        const query = request.url?.split('?')[1] ?? '';
        response.writeHead(400).end(`Unknown parameter in ${again(query)}`);
      });
      const client = clientFor(server, { auth: byPassphrase, credentials });
      const { failure } = await errorOf(client.accounts());
      assert.equal(failure.serverWords, 'Unknown parameter in pass=•••');
    }
  });
});

const privateKey = generateKeyPairSync('ed25519')
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const byEd25519 = {
  ...defaultRecipe,
  scheme: 'custom',
  algorithm: 'ed25519',
  encoding: 'base64',
} as const;

describe('a private key', () => {
  const serve = serversOfEachTest();

  it('is read no more once a request was signed with it', async () => {
    const server = await serve((_request, response) => response.end('[]'));
    let reads = 0;
    const credentials = {
      apiKey: markedCredentials.apiKey,
      get privateKey() {
        reads += 1;
        return privateKey;
      },
    };
    const client = clientFor(server, { auth: byEd25519, credentials });
    await client.cancelAll();
    const readsBefore = reads;
    await client.cancelAll();
    assert.equal(reads, readsBefore);
    const [one, other] = server.requests.map(({ headers }) => headers['x-signature']);
    assert.ok(one !== undefined && other !== undefined);
  });
});

for (const fetcher of ['node-fetch', 'vscode'] as const satisfies readonly FetcherName[])
  describe(`a marked secret over ${fetcher}`, () => {
    const serve = serversOfEachTest();
    const schemes = [
      [defaultHmacQuery, markedCredentials],
      [{ scheme: 'bearer' }, { token }],
      [{ scheme: 'apiKeyHeader', keyHeader: 'X-API-KEY' }, { apiKey: markedCredentials.apiKey }],
      [{ scheme: 'basic' }, { user: 'MARKED-user', password: 'MARKED pass/word' }],
      [defaultHmacHeaders, markedCredentials],
      [defaultHmacIsoPassphrase, { ...markedCredentials, passphrase: 'MARKED phrase' }],
      [byEd25519, { apiKey: markedCredentials.apiKey, privateKey }],
    ] as const;

    for (const [auth, credentials] of schemes)
      it(`of ${auth.scheme} appears in no error and no record of any failure`, async () => {
        const signatures: string[] = [];
        let call = 0;
        const elsewhere = await serve((_request, response) => response.end('{}'));
        const server = await serve((request, response) => {
          const sent = `${inspect(request.headers)} ${request.url}`;
          signatures.push(...(sent.match(/(?<=signature(?:=|': '))[^']+/g) ?? []));
          switch (call) {
            case 1:
              return response.writeHead(401).end(sent);
            case 2:
              return response.writeHead(500).end(JSON.stringify({ message: sent }));
            case 3:
              return response.writeHead(302, { location: `${elsewhere.url}/?x=MARKED` }).end();
            case 4:
              return response.end(`<html>${sent}`);
            case 5:
              return response.end(JSON.stringify({ upl: sent }));
            case 6:
              return request.socket.destroy();
            default:
              return undefined;
          }
        });
        const records: RequestRecord[] = [];
        const options = { auth, credentials, fetcher, deadlineMs: 300 };
        const client = clientFor(server, {
          ...options,
          onRequest: (record) => records.push(record),
        });
        const errors: ExchangeError[] = [];
        for (call = 1; call <= 7; call += 1) errors.push(await errorOf(client.accounts()));
        await server.close();
        errors.push(await errorOf(client.accounts()));
        assert.deepEqual(
          errors.map(({ failure }) => failure.kind),
          [
            'auth',
            'server',
            'redirected',
            'malformed',
            'malformed',
            'network',
            'timeout',
            'network',
          ],
        );
        // Three times each: the 500, the cut connection, and the server that is gone.
        assert.equal(records.length, 14);
        assert.deepEqual(elsewhere.requests, []);
        const told = inspect([errors, records], { depth: 20, showHidden: true });
        const [, keyText = ''] = privateKey.split('\n');
        const isSigned = 'apiSecret' in credentials || 'privateKey' in credentials;
        assert.equal(signatures.length, isSigned ? 11 : 0);
        for (const secret of [...Object.values(credentials), ...signatures, keyText])
          for (const form of [secret, encodeURIComponent(secret), btoa(secret)])
            assert.ok(!told.includes(form), form.slice(0, 8));
      });
  });

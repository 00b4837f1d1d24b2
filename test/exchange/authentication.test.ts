import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import {
  defaultHmacQuery,
  defaultSigningSpec,
  presetScheme,
} from '../../src/exchange/auth/scheme.ts';
import { clientKey, type ExchangeClient } from '../../src/exchange/client.ts';
import type { ExchangeError } from '../../src/exchange/exchangeError.ts';
import type { RequestLogEntry } from '../../src/exchange/http/requestLog.ts';
import { operationNames, operations, type OperationName } from '../../src/api/operations.ts';
import { english } from '../support/english.ts';
import { cancelAllOf, clientFor, markedCredentials } from '../support/exchangeClient.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { sign } from '../support/sign.ts';
import { errorOf, failureOf } from '../support/failureOf.ts';
import { serversOfEachTest, type SeenRequest } from '../support/hostileServer.ts';
import { signedSession } from '../support/signedSession.ts';
import { readHistory } from '../support/historyRequest.ts';
import type { Credentials } from '../../src/exchange/auth/credentials.ts';

const calls: Record<OperationName, (client: ExchangeClient) => Promise<unknown>> = {
  orders: (client) => readHistory(client, 'orders'),
  trades: (client) => readHistory(client, 'trades'),
  lots: (client) => readHistory(client, 'lots'),
  transactions: (client) => readHistory(client, 'transactions', { accountType: 'SPOT' }),
  accounts: (client) => client.accounts(),
  cancelAll: (client) => cancelAllOf(client),
  exchangeInfo: (client) => client.exchangeInfo(),
  leverage: (client) => client.list('leverage'),
  feeTiers: (client) => client.list('feeTiers'),
};

const token = 'MARKED-token/+=77aa';

describe('authentication', () => {
  const serve = serversOfEachTest();
  const refuse = () => serve((_request, response) => response.writeHead(403).end());

  /** Calls every operation once; gives the operations whose request `isSigned`. */
  async function signedBy(
    options: Parameters<typeof clientFor>[1],
    isSigned: (request: SeenRequest) => boolean,
  ): Promise<OperationName[]> {
    const server = await refuse();
    const client = clientFor(server, options);
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
    assert.deepEqual(signed, ['orders', 'trades', 'transactions', 'accounts', 'cancelAll']);
    assert.ok(operationNames.every((name) => operations[name].signed === signed.includes(name)));
  });

  for (const only of operationNames)
    it(`signs ${only} alone when the profile lists nothing else`, async () => {
      assert.deepEqual(await signedBy({ signedOperations: [only] }, hasSignature), [only]);
    });

  it('signs nothing for an empty list, and sends no key', async () => {
    assert.deepEqual(await signedBy({ signedOperations: [] }, hasKey), []);
  });

  const unsigned = [
    [presetScheme('bearer'), { token }, 'authorization', `Bearer ${token}`],
    [presetScheme('apiKeyHeader', { keyHeader: 'X-Other' }), { apiKey: 'k' }, 'x-other', 'k'],
  ] as const;
  for (const [auth, credentials, header, value] of unsigned)
    it(`sends the credential of ${auth.scheme} with protected operations only`, async () => {
      const sent = await signedBy({ auth, credentials }, ({ headers, path }) => {
        assert.doesNotMatch(path, /signature|timestamp/);
        assert.ok(headers[header] === undefined || headers[header] === value);
        return headers[header] !== undefined;
      });
      assert.equal(sent.length, 5);
    });

  it('sends no credential for the scheme none, whatever operations are listed', async () => {
    const options = { auth: presetScheme('none'), signedOperations: operationNames } as const;
    const signed = await signedBy(options, (request) => /MARKED|signature/.test(inspect(request)));
    assert.deepEqual(signed, []);
  });

  it('does not send a request whose credentials are missing or cannot be encoded', async () => {
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
      const error = await errorOf(cancelAllOf(clientFor(server, { credentials })));
      assert.deepEqual([error.failure.kind, error.failure.sent], ['configuration', 'no']);
      assert.match(english(error.failure.detail), /^The API (?:key|secret) /);
      assert.doesNotMatch(inspect(error, { depth: 20, showHidden: true }), /MARKED/);
    }
    assert.deepEqual(server.requests, []);
  });
});

/** With every character that is written in another way in a query, or that two writers encode differently. */
const symbol = `btc usdt+é€&size=1='(*)!~/?#%5B"\u{1f4b1}`;
const held = { ...markedCredentials, user: 'someone', password: 'päss: word' };

describe('a signed request', () => {
  const serve = serversOfEachTest();

  for (const fetcher of ['node-fetch', 'vscode'] as const)
    for (const scheme of ['hmacQuery', 'hmacHeaders', 'basic'] as const)
      it(`arrives over ${fetcher} as ${scheme} wrote it, character for character`, async () => {
        const server = await serve((_request, response) => response.writeHead(403).end());
        const auth = presetScheme(scheme, { recvWindowMs: 5000 });
        const clock = new FakeClock();
        const client = clientFor(server, { auth, credentials: held, fetcher, clock });
        const pairs = [
          ['symbol', symbol],
          ['page', '0'],
        ] as const;
        await errorOf(readHistory(client, 'orders', { symbol }));
        await errorOf(cancelAllOf(client));
        for (const [nth, [operation, sentPairs]] of [
          ['orders', pairs] as const,
          ['cancelAll', []] as const,
        ].entries()) {
          const { method, path } = operations[operation];
          const url = `${server.url}${path}`;
          const { query, headers } = sign(
            auth,
            held,
            { method, url, pairs: sentPairs },
            clock.now(),
          );
          const seen = server.requests[nth];
          assert.equal(seen?.path, query === '' ? path : `${path}?${query}`);
          for (const [name, value] of Object.entries(headers))
            assert.equal(seen.headers[name.toLowerCase()], value);
        }
      });
});

describe('a read-only profile', () => {
  const serve = serversOfEachTest();

  it('refuses to cancel and sends nothing, and still reads', async () => {
    const server = await serve((_request, response) => response.writeHead(403).end());
    const session = signedSession(server, { readOnly: true });
    const failure = await failureOf(cancelAllOf(session[clientKey]));
    assert.deepEqual([failure.kind, failure.sent], ['configuration', 'no']);
    assert.match(english(failure.detail), /read-only/);
    assert.deepEqual(server.requests, []);
    await errorOf(session[clientKey].accounts());
    const methods = server.requests.map(({ method }) => method);
    assert.deepEqual(methods, ['GET']);
    session.dispose();
  });

  it('is reported before its credentials are checked', async () => {
    const server = await serve(() => undefined);
    const client = clientFor(server, { readOnly: true, credentials: {} });
    assert.match(english((await failureOf(cancelAllOf(client))).detail), /read-only/);
  });
});

const privateKey = generateKeyPairSync('ed25519')
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const ed25519 = { scheme: 'custom', algorithm: 'ed25519', encoding: 'base64' } as const;
const byEd25519 = { ...defaultSigningSpec, ...ed25519 };

describe('a marked secret', () => {
  const serve = serversOfEachTest();
  const schemes = [
    [defaultHmacQuery, markedCredentials],
    [presetScheme('bearer'), { token }],
    [
      presetScheme('apiKeyHeader', { keyHeader: 'X-API-KEY' }),
      { apiKey: markedCredentials.apiKey },
    ],
    // In base64, neither the user nor the password stands alone in what is sent.
    [presetScheme('basic'), { user: 'MARKED-users', password: 'MARKED pass/word' }],
    [presetScheme('hmacHeaders'), markedCredentials],
    [presetScheme('hmacIsoPassphrase'), { ...markedCredentials, passphrase: 'MARKED phrase' }],
    [byEd25519, { apiKey: markedCredentials.apiKey, privateKey }],
    [presetScheme('bearer'), { token }, 'node-fetch'],
  ] as const;

  for (const [auth, credentials, fetcher = 'vscode' as const] of schemes)
    it(`of ${auth.scheme} over ${fetcher} appears in no error and no record of any failure`, async () => {
      const signatures: string[] = [];
      const authorizations = new Set<string>();
      let call = 0;
      const elsewhere = await serve((_request, response) => response.end('{}'));
      const server = await serve((request, response) => {
        const sent = `${inspect(request.headers)} ${request.url}`;
        signatures.push(...(sent.match(/(?<=signature(?:=|': '))[^']+/g) ?? []));
        const [, authorization] = request.headers.authorization?.split(' ') ?? [];
        // The password is at its end.
        if (authorization !== undefined) authorizations.add(authorization.slice(-12));
        const elsewhereUrl = `${elsewhere.url}/?x=MARKED`;
        const answers = [
          () => response.writeHead(403).end(sent),
          () => response.writeHead(500).end(JSON.stringify({ message: sent })),
          () => response.writeHead(302, { location: elsewhereUrl }).end(),
          () => response.end(`<html>${sent}`),
          () => response.end(JSON.stringify({ upl: sent })),
          () => request.socket.destroy(),
        ];
        answers[call - 1]?.();
      });
      const records: RequestLogEntry[] = [];
      const onRequest = (record: RequestLogEntry) => records.push(record);
      const options = { auth, credentials, fetcher, onRequest };
      const client = clientFor(server, options);
      const errors: ExchangeError[] = [];
      for (call = 1; call <= 6; call += 1) errors.push(await errorOf(client.accounts()));
      const impatient = clientFor(server, { ...options, deadlineMs: 300 });
      errors.push(await errorOf(impatient.accounts()));
      await server.close();
      errors.push(await errorOf(client.accounts()));
      assert.deepEqual(
        errors.map(({ failure }) => failure.kind),
        'auth server redirected malformed malformed network timeout network'.split(' '),
      );
      // Three times each: the 500, the cut connection, and the server that is gone.
      assert.equal(records.length, 14);
      assert.deepEqual(elsewhere.requests, []);
      const shown = inspect([errors, records], { depth: 20, showHidden: true });
      const [, keyText = ''] = privateKey.split('\n');
      const isSigned = 'apiSecret' in credentials || 'privateKey' in credentials;
      assert.equal(signatures.length, isSigned ? 11 : 0);
      for (const secret of [
        ...Object.values(credentials),
        ...authorizations,
        ...signatures,
        keyText,
      ])
        for (const form of [secret, encodeURIComponent(secret), btoa(secret)])
          assert.ok(!shown.includes(form), form.slice(0, 8));
    });
});

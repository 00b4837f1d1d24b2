import assert from 'node:assert/strict';
import type { Credentials } from '../../src/exchange/auth/credentials.ts';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import { fetchers, type Fetch, type FetcherName } from '../../src/exchange/http/fetch.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { failureOf } from '../support/failureOf.ts';
import { serversOfEachTest, type HostileServer } from '../support/hostileServer.ts';
import { verifyingSchemes, type VerifyingScheme } from '../support/verifyingSchemes.ts';
import { readHistory } from '../support/historyRequest.ts';

/** Filters with every character that is written in another way in a query, or that two writers encode differently. */
const symbol = `btc usdt+é€&size=1='(*)!~/?#%5B"\u{1f4b1}`;
const asked = {
  symbol,
  statuses: 'CANCELED,EXECUTED',
  dateFrom: '2026-11-20T10:00:00.000Z',
  page: '0',
  size: '50',
};
const emptyPage = '{"content":[],"size":50,"totalPages":0,"totalElements":0}';

const calls = {
  'a GET with filters': (client: ExchangeClient) =>
    readHistory(client, 'orders', {
      symbol,
      statuses: ['CANCELED', 'EXECUTED'],
      page: 0,
      size: 50,
      dateFrom: Date.parse(asked.dateFrom),
    }),
  'the DELETE': (client: ExchangeClient) => client.cancelAll(),
} as const;

/** What happens to a request between the client and the exchange. */
type Change = (url: string, headers: Record<string, string>) => [string, Record<string, string>];

/** The last digit becomes the next one. */
const other = (text: string): string =>
  text.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));

const changes: Record<'query' | 'header' | 'parameters', Change> = {
  query: (url, headers) => [url.replace(/(?<=timestamp=)\d+/, other), headers],
  header: (url, headers) => [
    url,
    { ...headers, 'X-TIMESTAMP': other(headers['X-TIMESTAMP'] ?? '') },
  ],
  parameters: (url, headers) =>
    url.includes('size=50')
      ? [url.replace('size=50', 'size=51'), headers]
      : [`${url}${url.includes('?') ? '&' : '?'}x`, headers],
};

const changed =
  (fetcher: FetcherName, change: Change): Fetch =>
  (url, request) => {
    const [sentUrl, headers] = change(url, request.headers);
    assert.notDeepEqual([sentUrl, headers], [url, request.headers]);
    return fetchers[fetcher](sentUrl, { ...request, headers });
  };

for (const fetcher of ['node-fetch', 'vscode'] as const)
  for (const scheme of verifyingSchemes)
    describe(`an exchange that checks ${scheme.name}, over ${fetcher}`, () => {
      const serve = serversOfEachTest();
      const start = (): Promise<HostileServer> =>
        serve(({ method = '', url: path = '', headers }, response) => {
          if (path.startsWith('/api/v1/system')) response.writeHead(404).end();
          else if (!scheme.isRight({ method, path, headers }))
            response.writeHead(401).end('{"message":"We do not know you."}');
          else response.end(method === 'DELETE' ? '[]' : emptyPage);
        });

      for (const [what, call] of Object.entries(calls)) {
        async function ask({ credentials = scheme.credentials, fetch = fetchers[fetcher] } = {}) {
          const server = await start();
          const dialect = { dates: 'isoInstant', lists: 'comma' } as const;
          const client = clientFor(server, { auth: scheme.auth, credentials, fetch, dialect });
          return { server, call: call(client) };
        }

        async function isRefused(wish: Parameters<typeof ask>[0]): Promise<void> {
          const { server, call } = await ask(wish);
          const { kind, sent, status, serverWords } = await failureOf(call);
          assert.deepEqual([kind, sent, status], ['auth', 'yes', 401]);
          assert.equal(serverWords, 'We do not know you.');
          const others = server.requests.filter(({ path }) => !path.includes('exchangeInfo'));
          assert.equal(others.length, 1);
        }

        it(`lets ${what} in, and reads it as it was meant`, async () => {
          const { server, call } = await ask();
          await call;
          const [request, ...more] = server.requests;
          const query = new URLSearchParams(request?.path.split('?')[1]);
          const read = Object.entries(asked).map(([name]) => [name, query.get(name)]);
          if (request?.method === 'GET') assert.deepEqual(Object.fromEntries(read), asked);
          assert.deepEqual(more, []);
        });

        for (const [field, credentials] of wrongOnes(scheme))
          it(`refuses ${what} with another ${field}`, () => isRefused({ credentials }));

        const { timeIn } = scheme;
        if (timeIn === undefined) continue;
        it(`refuses ${what} whose time was changed on the way`, () =>
          isRefused({ fetch: changed(fetcher, changes[timeIn]) }));

        // What `hmacHeaders` and the others sign holds the whole query.
        it(`refuses ${what} whose query was changed on the way`, () =>
          isRefused({ fetch: changed(fetcher, changes.parameters) }));
      }
    });

/** The credentials with one character of one of them changed; somebody else's if that cannot be. */
function wrongOnes({ credentials, others }: VerifyingScheme): [string, Credentials][] {
  const fields = Object.entries(credentials).filter(([field]) => field !== 'privateKey');
  const wrong = fields.map(([field, value]): [string, Credentials] => [
    field,
    { ...credentials, [field]: value.replace(/[a-z]/i, (letter) => (letter === 'A' ? 'B' : 'A')) },
  ]);
  return others ? [...wrong, ['privateKey', others]] : wrong;
}

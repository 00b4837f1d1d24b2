import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createGzip, gzipSync } from 'node:zlib';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import type { FetcherName } from '../../src/exchange/http/fetch.ts';
import type { ReadMemoryReport } from '../support/readMemoryProcess.ts';
import { anAccount, anOrder, wire } from '../support/builders.ts';
import { runToEnd } from '../support/childProcess.ts';
import { english } from '../support/english.ts';
import { eventually } from '../support/eventually.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { failureOf } from '../support/failureOf.ts';
import { serversOfEachTest } from '../support/hostileServer.ts';
import { readHistory } from '../support/historyRequest.ts';

/** Far more than any of these takes, and far less than what grows with the square of its length. */
const boundedMs = 10_000;

describe('an answer made to exhaust its reader', () => {
  const serve = serversOfEachTest();

  async function answering(body: string | Buffer): Promise<ExchangeClient> {
    const server = await serve((_request, response) => response.end(body));
    return clientFor(server);
  }
  const ordersPage = (...orders: string[]): string =>
    `{"content":[${orders.join()}],"size":20,"totalPages":1,"totalElements":1}`;
  const order = wire(anOrder());
  const long = 'x'.repeat(7_000_000);
  const digits = '9'.repeat(7_000_000);

  const malformed: [string, string, RegExp][] = [
    ['three million values', `[${'0,'.repeat(3_000_000)}0]`, /more than 250000 values/],
    ['text of 7 MB that is not JSON', long, /not JSON/],
  ];
  for (const [name, body, detail] of malformed)
    it(`is refused in one sentence and in bounded time: ${name}`, async () => {
      const client = await answering(body);
      const startedAt = performance.now();
      const failure = await failureOf(readHistory(client, 'orders'));
      assert.ok(performance.now() - startedAt < boundedMs);
      assert.equal(failure.kind, 'malformed');
      assert.match(english(failure.detail), detail);
      assert.ok(english(failure.detail).length <= 300);
    });

  const swaps: [string, string, string][] = [
    ['a price of seven million digits', '"price":50000', `"price":${digits}`],
    ['a quoted price of seven million digits', '"price":50000', `"price":"${digits}"`],
  ];
  for (const [name, from, to] of swaps)
    it(`leaves one figure unknown, names it, and keeps the page: ${name}`, async () => {
      const client = await answering(ordersPage(order, order.replace(from, to), order));
      const startedAt = performance.now();
      const { value, badRecords } = await readHistory(client, 'orders');
      assert.ok(performance.now() - startedAt < boundedMs);
      assert.equal(value.content.length, 3);
      assert.equal(badRecords.length, 1);
      const field = from.slice(1, from.lastIndexOf('"'));
      assert.equal(badRecords[0]?.path, `$.content[1].${field}`);
      assert.ok(
        english(badRecords[0].problem).startsWith(
          `$.content[1].${field} should be a number and is`,
        ),
      );
      assert.ok(english(badRecords[0].problem).length <= 300);
    });

  it('may begin with a byte order mark', async () => {
    const text = `\ufeff${ordersPage(order)}`;
    assert.equal((await readHistory(await answering(text), 'orders')).value.content.length, 1);
  });

  it('is counted when none of its rows can be read, with details of the first 100', async () => {
    const client = await answering(ordersPage(...Array<string>(100_000).fill('{}')));
    const { value, badRecords } = await readHistory(client, 'orders');
    assert.deepEqual(value.content, []);
    assert.equal(badRecords.length, 100_000);
    assert.ok(badRecords.every(({ path }, index) => path === `$.content[${index}]`));
    const problemAt = (index: number): string => english(badRecords[index]?.problem);
    assert.equal(problemAt(99), '$.content[99].symbol should be a string and is missing');
    for (const index of [100, 99_999])
      assert.equal(
        problemAt(index),
        `$.content[${index}] could not be read either (one of 99900 that are counted but not listed)`,
      );
  });

  for (const fetcher of ['node-fetch', 'vscode'] as const satisfies readonly FetcherName[])
    it(`costs less than 40 MB as 200 MB of zeros in gzip, over ${fetcher}`, async () => {
      let open = 0;
      const zeros = Buffer.alloc(1024 * 1024);
      const server = await serve((request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        if (!request.url?.startsWith('/api/v1/accounts')) return response.end(gzipSync('[]'));
        open += 1;
        request.socket.once('close', () => (open -= 1));
        const gzip = createGzip();
        gzip.pipe(response);
        for (let sent = 0; sent < 200; sent += 1) gzip.write(zeros);
        return gzip.end();
      });
      const child = join(import.meta.dirname, '../support/readMemoryProcess.ts');
      const { output } = await runToEnd(process.execPath, [child, server.url, fetcher]);
      const { kind, grownBytes } = JSON.parse(output) as ReadMemoryReport;
      assert.equal(kind, 'tooLarge');
      assert.ok(grownBytes < 40 * 1024 * 1024, `${grownBytes} bytes`);
      await eventually('the connection to end', () => open === 0);
    });

  it('releases its connection immediately if it is too large', async () => {
    let open = 0;
    const server = await serve((request, response) => {
      open += 1;
      request.socket.once('close', () => (open -= 1));
      response.writeHead(200).write(wire(anAccount()) + ' '.repeat(64 * 1024));
    });
    for (const fetcher of ['node-fetch', 'vscode'] as const) {
      const client = clientFor(server, { fetcher, maxBodyBytes: 1024 });
      assert.equal((await failureOf(client.accounts())).kind, 'tooLarge');
      await eventually('the connection to end', () => open === 0);
    }
  });
});

import assert from 'node:assert/strict';
import { needsRecheck, type Receipt, receiptField } from '../../src/account/cancelAll/receipts.ts';
import { cancelAllOverHttp } from '../support/cancelAllOverHttp.ts';
import { eventually } from '../support/eventually.ts';
import { ampleRateLimiter, clientFor } from '../support/exchangeClient.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { hostileServer, type HostileServer } from '../support/hostileServer.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { CancelReport } from '../../src/account/cancelAll/cancelAll.ts';
import { cancelReportText } from '../../src/host/cancelAll/cancelAllCommand.ts';
import { outcomeText } from '../../src/host/cancelAll/outcomeText.ts';
import { anAccount, someLocked, wire } from '../support/builders.ts';
import { aDisplay } from '../support/display.ts';
import { canceledText, rowsOf } from '../support/hostileExchange/rows.ts';

/** What an exchange does when the DELETE arrives: with which of two orders, and when. */
const deeds = ['cancels all', 'cancels one', 'cancels none', 'cancels all later'] as const;
type Deed = (typeof deeds)[number];

/** How it answers the DELETE; `body` lists the orders that it cancelled. */
type DeleteAnswer = (socket: Socket, body: string) => unknown;

/** An HTTP answer as bytes, the last of its connection. */
function http(
  status: number | string,
  body: string | Buffer,
  headers: Readonly<Record<string, string | number>> = {},
): Buffer {
  const all = {
    'content-type': 'application/json',
    connection: 'close',
    'content-length': Buffer.byteLength(body),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}

const gzipped = (text: string): Buffer => gzipSync(text);

const symbols = ['btc_usdt', 'eth_usdt'] as const;
const rows = rowsOf('orders', 2, { fields: (index) => ({ symbol: `"${symbols[index]}"` }) });

/** An account with two open orders at an exchange that does one thing and says another. */
class CancelAllWorld {
  deletes = 0;
  private open: readonly string[] = symbols;
  private reads = 0;
  private readonly deed: Deed;
  private readonly deleteAnswer: DeleteAnswer;

  constructor(deed: Deed, deleteAnswer: DeleteAnswer) {
    this.deed = deed;
    this.deleteAnswer = deleteAnswer;
  }

  answer({ method, socket }: IncomingMessage, response: ServerResponse): void {
    if (method === 'DELETE') this.cancel(socket);
    else response.end(this.account());
  }

  /** Fails if anything that is said now is not so. */
  assertTruth(report: CancelReport): void {
    const { open } = this;
    const canceled = symbols.length - open.length;
    const { outcome, canceled: returned, unread } = report.receipt;
    const records = [...returned, ...unread.map(({ record = [] }) => record)];
    const others = records.filter((record) => receiptField(record, 'status') !== 'CANCELED');
    const texts = [cancelReportText(report, aDisplay()), outcomeText(report.receipt, aDisplay())];
    for (const said of texts) {
      const context = `${outcome}: ${said} (open: ${open.join() || 'none'})`;
      assert.doesNotMatch(said, /not sent/i, context);
      if (outcome === 'done') assert.deepEqual([open.length, others], [0, []], context);
      if (said.includes('no order was cancelled')) assert.equal(canceled, 0, context);
      if (/nothing is locked/i.test(said)) assert.equal(open.length, 0, context);
      if (/still locked/i.test(said) && !/could not|reading/i.test(said))
        assert.notEqual(open.length, 0, context);
      if (canceled > 0) assert.notEqual(outcome, 'refused', context);
      if (records.length === 0) assert.doesNotMatch(said, /0 orders|no order was open/, context);
    }
  }

  private cancel(socket: Socket): void {
    this.deletes += 1;
    const left = { 'cancels all': [], 'cancels one': symbols.slice(1) } as const;
    this.open = this.deed in left ? left[this.deed as keyof typeof left] : symbols;
    const gone = rows.filter((_row, index) => !this.open.includes(symbols[index] ?? ''));
    const body = gone.map((row) => canceledText(row, '1763632800123')).join();
    this.deleteAnswer(socket, `[${body}]`);
  }

  private account(): string {
    this.reads += 1;
    const isLater = this.deed === 'cancels all later' && this.reads > 2;
    if (isLater) this.open = [];
    return wire(anAccount({ orders: this.open.map((symbol) => someLocked({ symbol })) }));
  }
}

const says = (message: string, code?: number | string): string =>
  JSON.stringify({ message, ...(code !== undefined && { code }) });
/** An order with another status in the place of the first that the exchange cancelled, or of one that it did not. */
const listed = (status: string): string =>
  `[{"symbol":"btc_usdt","amount":2,"side":"BUY","orderId":1,"price":1,"clientOrderId":"c","averageExecutionPrice":0,"filled":0,"updatedAt":1763632800123,"type":"LIMIT","status":"${status}"}]`;
const end =
  (...answer: Parameters<typeof http>): DeleteAnswer =>
  (socket) =>
    socket.end(http(...answer));
const cutAfter =
  (part: (whole: Buffer) => Buffer): DeleteAnswer =>
  (socket, body) =>
    socket.end(part(http(200, body)));
const timeout1007 =
  'Timeout waiting for response from backend server. Send status unknown; execution status unknown.';

/** What may become of the answer to a DELETE. */
const answers: Readonly<Record<string, DeleteAnswer>> = {
  'the right answer': (socket, body) => socket.end(http(200, body)),
  'the right answer, compressed': (socket, body) =>
    socket.end(http(200, gzipped(body), { 'content-encoding': 'gzip' })),
  'a reset before the answer': (socket) => socket.resetAndDestroy(),
  'an end before the answer': (socket) => socket.end(),
  'half of the status line': cutAfter((whole) => whole.subarray(0, 9)),
  'half of the head': cutAfter((whole) => whole.subarray(0, 40)),
  'a head alone': cutAfter((whole) => whole.subarray(0, whole.indexOf('\r\n\r\n') + 4)),
  'a body without its end': cutAfter((whole) => whole.subarray(0, -1)),
  garbage: (socket) => socket.end('\u0000\u0001 garbage \r\n\r\n'),
  'garbage before the answer': (socket, body) =>
    socket.end(Buffer.concat([Buffer.from('###'), http(200, body)])),
  silence: () => undefined,
  'half of the answer, then silence': (socket, body) =>
    socket.write(http(200, `${body} `).subarray(0, -1)),
  'a length that is too long': (socket, body) =>
    socket.end(http(200, body, { 'content-length': body.length + 9 })),
  'a length that is too short': (socket, body) =>
    socket.end(http(200, body, { 'content-length': body.length - 1 })),
  'two lengths': (socket, body) =>
    socket.end(http(200, body, { 'content-length': 3, 'Content-Length': body.length })),
  'broken compression': end(200, 'not gzip', { 'content-encoding': 'gzip' }),
  'cut compression': (socket, body) =>
    socket.end(http(200, gzipped(body).subarray(0, -9), { 'content-encoding': 'gzip' })),
  'broken chunks': (socket, body) =>
    socket.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n${body}`),
  'text that is not UTF-8': end(200, Buffer.from([0x5b, 0xff, 0x5d])),
  'an empty 200': end(200, ''),
  'a 200 with a page': end(200, '<html>OK</html>', { 'content-type': 'text/html' }),
  'a 200 with half of the JSON': end(200, '[{"symbol":"btc_'),
  'a 200 with null': end(200, 'null'),
  'a 200 with an object': end(200, '{"result":true}'),
  'a 200 with an error': end(200, says('no', -1)),
  'a 200 with -1007': end(200, says(timeout1007, -1007)),
  'a 200 with numbers': end(200, '[1,2]'),
  'a 200 with errors': end(200, '[{"code":-2011,"msg":"Unknown order"}]'),
  'a 200 with no order': end(200, '[]'),
  ...Object.fromEntries(
    ['CANCELED', 'REJECTED', 'NEW', 'PARTIALLY_EXECUTED', 'new', '?', ''].map((status) => [
      `a 200 with an order that is ${status}`,
      end(200, listed(status)),
    ]),
  ),
  'a 200 with an unreadable order that is NEW': end(
    200,
    `[${listed('CANCELED').slice(1, -1)},${listed('NEW').slice(1, -1).replace('"amount":2', '"amount":[]')}]`,
  ),
  'a 201 with orders': (socket, body) => socket.end(http(201, body)),
  'a 202': end(202, '[]'),
  'a 204': (socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'),
  'a 206': (socket, body) => socket.end(http(206, body)),
  'a redirect': end(307, '', { location: 'http://127.0.0.1:9/elsewhere' }),
  'a redirect to itself': end(302, '', { location: '/' }),
  ...Object.fromEntries(
    [
      ...[400, 401, 403, 404, 405, 407, 408, 409, 410, 418, 421, 422, 423, 425, 429, 451, 499],
      ...[500, 502, 503, 504, 520, 524, 599],
    ].flatMap((status) => [
      [`a ${status} in words`, end(status, says('not now'))],
      [`a ${status} with a page`, end(status, '<html>no</html>', { 'content-type': 'text/html' })],
    ]),
  ),
  'a 429 without a pause': end(429, '', { 'retry-after': 0 }),
  'a 400 with -1007': end(400, says(timeout1007, -1007)),
  'a 400 with the code alone': end(400, says('no', -1006)),
  'a 400 with a timeout': end(400, says('API endpoint request timed out', '50004')),
  'a 400 that was cut': (socket) => socket.end(http(400, says('no')).subarray(0, -3)),
};

/** The default. A DELETE is sent in the same way by both. */
const fetcher = 'vscode';

describe('what is said of a cancel-all is true', () => {
  let server: HostileServer;
  const worlds = new Map<string, CancelAllWorld>();

  before(async () => {
    server = await hostileServer((request, response) => {
      const world = worlds.get(request.url?.split('/')[1] ?? '');
      (world ?? assert.fail('of no test')).answer(request, response);
    });
  });
  after(() => server.close());

  /** Presses once, and waits for all reads that follow. */
  async function pressAt(world: CancelAllWorld, deadlineMs: number): Promise<readonly Receipt[]> {
    const name = `world-${worlds.size}`;
    worlds.set(name, world);
    const url = `${server.url}/${name}`;
    const rateLimiter = ampleRateLimiter();
    const client = clientFor({ url }, { rateLimiter, deadlineMs, fetcher });
    const clock = new FakeClock();
    const onReport = world.assertTruth.bind(world);
    const runner = cancelAllOverHttp({ client, url, rateLimiter, clock, onReport });
    await runner.cancelAll.run();
    for (let reads = 2; needsRecheck(runner.receipts.kept.at(-1) ?? assert.fail()); reads += 1) {
      if (reads > 4 || rateLimiter.usage.pausedUntil !== undefined) break;
      await clock.advance(10_000);
      await eventually('a re-check', () => runner.receipts.kept.at(-1)?.after.length === reads, {
        everyMs: 1,
      });
    }
    runner.dispose();
    return runner.reports;
  }

  for (const [name, answer] of Object.entries(answers))
    it(`after ${name}, whatever the exchange did, and one DELETE arrived`, async () => {
      // Only silence is waited for: a busy machine may take long to answer.
      const deadlineMs = name.includes('silence') ? 300 : 10_000;
      const run = async (deed: (typeof deeds)[number]): Promise<void> => {
        const world = new CancelAllWorld(deed, answer);
        const reports = await pressAt(world, deadlineMs);
        assert.ok(reports.length > 0, deed);
        assert.equal(world.deletes, 1, deed);
      };
      await Promise.all(deeds.map(run));
    });
});

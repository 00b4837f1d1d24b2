import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { eventually } from '../../support/eventually.ts';

const entry = new URL('../../../src/practice/main.ts', import.meta.url);

type Connection = { url: string; apiKey: string; apiSecret: string };

const start = Date.UTC(2027, 2, 28, 0, 59, 59);

async function serverTime({ url }: Connection): Promise<number> {
  const response = await fetch(`${url}/api/v1/system/exchangeInfo`);
  return ((await response.json()) as { serverTime: number }).serverTime;
}

/** A server of another program. */
async function listen() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** Asserts that the exchange's clock started at `start`, and runs. */
async function assertStartedAt(connection: Connection): Promise<void> {
  const first = await serverTime(connection);
  assert.ok(first >= start && first < start + 60_000, String(first));
  await eventually('a later time', async () => (await serverTime(connection)) > first);
}

function assertConnection(value: unknown): asserts value is Connection {
  assert.deepEqual(Object.keys(value as object), ['url', 'apiKey', 'apiSecret']);
}

describe('the practice exchange from the command line', () => {
  let child: ChildProcess | undefined;
  afterEach(() => child?.kill('SIGKILL'));

  function run(args: readonly string[], environment = {}) {
    const started = spawn(process.execPath, [fileURLToPath(entry), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    });
    child = started;
    return started;
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`prints its connection as one line of JSON and serves until ${signal}`, async () => {
      const started = run(['--port', '0', '--seed', '7']);
      const output = text(started.stdout);
      const [line] = (await once(started.stdout, 'data')) as [Buffer];
      const connection: unknown = JSON.parse(line.toString());
      assertConnection(connection);
      // The connection of this response stays open, and must not delay the end.
      await serverTime(connection);
      const signaledAt = performance.now();
      started.kill(signal);
      const [code] = (await once(started, 'exit')) as [number | null];
      assert.equal(code, 0);
      assert.ok(performance.now() - signaledAt < 2000);
      assert.match(await output, /^[^\n]+\n$/);
    });
  }

  for (const [name, args, environment] of [
    ['--now', ['--now', new Date(start).toISOString()], {}],
    ['the environment', [], { MARGIN_DESK_PRACTICE_NOW: new Date(start).toISOString() }],
  ] as const) {
    it(`starts its clock at the date of ${name}`, async () => {
      const started = run(args, environment);
      const [line] = (await once(started.stdout, 'data')) as [Buffer];
      await assertStartedAt(JSON.parse(line.toString()) as Connection);
    });
  }

  for (const [args, sentence] of [
    [['--port', '70000'], /^--port must be a whole number from 0 to 65535, not "70000"\.\n$/],
    [['--sed', '1'], /^Use only --port N, --seed N and --now DATE, not "--sed 1"\.\n$/],
    [['--now', 'soon'], /^--now must be a date such as 2026-11-20T12:00:00Z, not "soon"\.\n$/],
  ] as const) {
    it(`rejects ${args.join(' ')} with one sentence`, async () => {
      await assertFails(args, sentence);
    });
  }

  it('prints one sentence when the port is in use', async () => {
    const { server, port } = await listen();
    const inUse = /^Port \d+ of 127\.0\.0\.1 is already in use\. [^.\n]+\.\n$/;
    await assertFails(['--port', String(port)], inUse);
    server.close();
  });

  async function assertFails(args: readonly string[], sentence: RegExp): Promise<void> {
    const started = run(args);
    const exited = once(started, 'exit') as Promise<[number]>;
    const [error, [code]] = await Promise.all([text(started.stderr), exited]);
    assert.match(error, sentence);
    assert.equal(code, 1);
  }
});

describe('the practice exchange as a worker', () => {
  it('posts its connection to its parent and serves until it is terminated', async () => {
    const worker = new Worker(entry, { workerData: { port: 0, seed: 7 } });
    const [connection] = (await once(worker, 'message')) as [unknown];
    assertConnection(connection);
    await serverTime(connection);
    await worker.terminate();
    await assert.rejects(serverTime(connection));
  });

  it('has an error that says why it cannot start', async () => {
    const { server, port } = await listen();
    const worker = new Worker(entry, { workerData: { port, seed: 7 } });
    const [error] = (await once(worker, 'error')) as [Error];
    server.close();
    assert.match(error.message, /already in use/);
  });
});

import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

const entry = new URL('../../../src/practice/main.ts', import.meta.url);

type Introduction = { url: string; apiKey: string; apiSecret: string };

const isServing = async ({ url }: Introduction) =>
  (await fetch(`${url}/api/v1/system/exchangeInfo`)).ok;

function assertIntroduces(value: unknown): asserts value is Introduction {
  assert.deepEqual(Object.keys(value as object), ['url', 'apiKey', 'apiSecret']);
}

describe('the practice exchange from the command line', () => {
  let child: ChildProcess | undefined;
  afterEach(() => child?.kill('SIGKILL'));

  function run(...args: string[]) {
    const started = spawn(process.execPath, [fileURLToPath(entry), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    return started;
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`introduces itself in one line of JSON and serves until ${signal}`, async () => {
      const started = run('--port', '0', '--seed', '7');
      const output = text(started.stdout);
      const [line] = (await once(started.stdout, 'data')) as [Buffer];
      const introduction: unknown = JSON.parse(line.toString());
      assertIntroduces(introduction);
      // The connection of this answer is kept alive, and must not hold up the end.
      assert.ok(await isServing(introduction));
      const signaledAt = performance.now();
      started.kill(signal);
      const [code] = (await once(started, 'exit')) as [number | null];
      assert.equal(code, 0);
      assert.ok(performance.now() - signaledAt < 2000);
      assert.match(await output, /^[^\n]+\n$/);
    });
  }

  for (const [args, sentence] of [
    [['--port', '70000'], /^--port must be a whole number from 0 to 65535, not "70000"\.\n$/],
    [['--seed', 'x'], /^--seed must be a whole number .*, not "x"\.\n$/],
    [['--sed', '1'], /^Only --port N and --seed N are understood, not "--sed 1"\.\n$/],
    [['more'], /^Only --port N and --seed N are understood, not "more"\.\n$/],
  ] as const) {
    it(`refuses ${args.join(' ')} in one sentence`, async () => {
      const started = run(...args);
      const [error, [code]] = await Promise.all([
        text(started.stderr),
        once(started, 'exit') as Promise<[number]>,
      ]);
      assert.match(error, sentence);
      assert.equal(code, 1);
    });
  }

  it('says in one sentence that a port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const started = run('--port', String(port));
    const [error, [code]] = await Promise.all([
      text(started.stderr),
      once(started, 'exit') as Promise<[number]>,
    ]);
    server.close();
    assert.match(error, /^Port \d+ of 127\.0\.0\.1 is already in use; [^.\n]+\.\n$/);
    assert.equal(code, 1);
  });
}).timeout(10_000);

describe('the practice exchange as a worker', () => {
  it('introduces itself to its parent and serves until it is terminated', async () => {
    const worker = new Worker(entry, { workerData: { port: 0, seed: 7 } });
    const [introduction] = (await once(worker, 'message')) as [unknown];
    assertIntroduces(introduction);
    assert.ok(await isServing(introduction));
    await worker.terminate();
    await assert.rejects(isServing(introduction));
  });

  it('tells its parent why it cannot start', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const worker = new Worker(entry, { workerData: { port, seed: 7 } });
    const [error] = (await once(worker, 'error')) as [Error];
    server.close();
    assert.match(error.message, /already in use/);
  });
}).timeout(10_000);

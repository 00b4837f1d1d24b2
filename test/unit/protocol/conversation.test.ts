import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { Emitter } from '../../../src/base/emitter.ts';
import { Answerer, type Handlers } from '../../../src/protocol/answerer.ts';
import { Asker } from '../../../src/protocol/asker.ts';
import { RpcError, type Events, type Port } from '../../../src/protocol/messages.ts';
import { FakeClock } from '../../support/fakeClock.ts';

type Wait = { params: null; result: null };
type Answers = { double: { params: number; result: number }; wait: Wait; last: Wait };
type Told = { news: string };

/** Two ports that carry structured clones, as postMessage does. */
function ports(): [Port, Port] {
  const [left, right] = [new Emitter<unknown>(), new Emitter<unknown>()];
  const port = (out: Emitter<unknown>, into: Emitter<unknown>): Port => ({
    post: (message) => queueMicrotask(() => out.fire(structuredClone(message))),
    onMessage: into.event,
  });
  return [port(left, right), port(right, left)];
}

describe('the conversation between host and page', () => {
  let clock: FakeClock;
  let host: Answerer<Answers, Told>;
  let page: Asker<Answers, Told>;
  let pagePort: Port;
  let heard: string[];
  let waiting: AbortSignal[];
  let failures: number;

  const handlers: Handlers<Answers> = {
    double: {
      parse: (params) => {
        if (typeof params !== 'number')
          throw new RpcError({ kind: 'params', sentence: 'a number' });
        return params;
      },
      run: (value) =>
        value < 0 ? Promise.reject(new Error('secret')) : Promise.resolve(value * 2),
    },
    wait: { parse: () => null, run: (_params, signal) => untilAborted(signal) },
    last: { parse: () => null, run: (_params, signal) => untilAborted(signal) },
  };

  function untilAborted(signal: AbortSignal): Promise<never> {
    waiting.push(signal);
    return new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    );
  }

  beforeEach(() => {
    clock = new FakeClock();
    heard = [];
    waiting = [];
    failures = 0;
    const [hostPort, other] = ports();
    pagePort = other;
    const toFailure = () => {
      failures += 1;
      return { kind: 'failed', sentence: 'It failed.' };
    };
    host = new Answerer<Answers, Told>({ port: hostPort, handlers, toFailure });
    page = new Asker<Answers, Told>({
      port: pagePort,
      clock,
      epoch: 'page',
      deadlineMs: (name) => (name === 'last' ? null : 1000),
      listeners: { news: (value) => heard.push(value) },
    });
  });

  afterEach(() => {
    host.dispose();
    assert.equal(clock.waiting, 0, 'a deadline was left behind');
  });

  it('answers requests by their id, in whatever order', async () => {
    const [two, four] = [page.request('double', 1), page.request('double', 2)];
    assert.deepEqual(await Promise.all([four, two]), [4, 2]);
  });

  it('answers a failure with words, never with the error’s own text', async () => {
    await assert.rejects(page.request('double', -1), (error: RpcError) => {
      assert.deepEqual(error.failure, { kind: 'failed', sentence: 'It failed.' });
      return true;
    });
  });

  it('refuses parameters that the method does not take', async () => {
    await assert.rejects(page.request('double', 'x' as unknown as number), /a number/);
  });

  it('refuses a method that nobody answers, also one that every object inherits', async () => {
    for (const name of ['nothing', 'toString', '__proto__'])
      await assert.rejects(page.request(name as 'double', 1), /^RpcError: unknownMethod$/);
  });

  it('fails with a deadline, cancels the other end, and ignores the late answer', async () => {
    const asked = page.request('wait', null);
    const failed = assert.rejects(asked, /^RpcError: timeout$/);
    await setImmediate();
    await clock.advance(1000);
    await failed;
    await setImmediate();
    assert.deepEqual(
      waiting.map(({ aborted }) => aborted),
      [true],
    );
  });

  it('cancels at the other end when its asker aborts, and that is no failure', async () => {
    const asker = new AbortController();
    const asked = page.request('wait', null, asker.signal);
    await setImmediate();
    asker.abort();
    await assert.rejects(asked, { name: 'AbortError' });
    await setImmediate();
    assert.deepEqual(
      waiting.map(({ aborted }) => aborted),
      [true],
    );
    assert.equal(failures, 0);
  });

  it('does not ask at all when the asker has aborted already', async () => {
    await assert.rejects(async () => page.request('wait', null, AbortSignal.abort()));
    await setImmediate();
    assert.deepEqual(waiting, []);
  });

  it('passes events on, and none that nobody listens to', async () => {
    host.tell('news', 'a');
    (host as unknown as Answerer<Answers, Events>).tell('toString', 'b');
    await setImmediate();
    assert.deepEqual(heard, ['a']);
  });

  it('ignores what is no message of this version', async () => {
    for (const message of [null, 7, 'x', {}, { v: 2, kind: 'request' }, { v: 1, kind: 'reply' }])
      pagePort.post(message);
    assert.equal(await page.request('double', 4), 8);
  });

  it('waits without an end where the other end has deadlines of its own', async () => {
    const asker = new AbortController();
    const asked = page.request('last', null, asker.signal);
    await setImmediate();
    await clock.advance(3_600_000);
    assert.deepEqual([clock.waiting, waiting[0]?.aborted], [0, false]);
    asker.abort();
    await assert.rejects(asked, { name: 'AbortError' });
  });

  it('ends what runs for a page that is gone', async () => {
    void page.request('last', null);
    await setImmediate();
    host.dispose();
    assert.deepEqual(
      waiting.map(({ aborted }) => aborted),
      [true],
    );
  });
});

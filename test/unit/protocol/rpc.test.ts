import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import { Emitter } from '../../../src/base/emitter.ts';
import { RpcClient, type Events, type Port, type RpcServer } from '../../../src/base/rpc.ts';
import { RpcError, type Handlers, type RpcFailure } from '../../../src/protocol/messages.ts';
import { pageServer } from '../../../src/host/webview/pageServer.ts';
import { FakeClock } from '../../support/fakeClock.ts';

type Wait = { params: null; result: null };
type Served = {
  double: { params: number; result: number };
  count: { params: null; result: number };
  wait: Wait;
  last: Wait;
};
type Sent = { news: string };

/** Two connected ports that clone their messages, as `postMessage` does. */
function ports(): [Port, Port] {
  const [left, right] = [new Emitter<unknown>(), new Emitter<unknown>()];
  const port = (out: Emitter<unknown>, into: Emitter<unknown>): Port => ({
    postMessage: (message) => queueMicrotask(() => out.fire(structuredClone(message))),
    onMessage: into.event,
  });
  return [port(left, right), port(right, left)];
}

describe('RPC between host and page', () => {
  let clock: FakeClock;
  let host: RpcServer<Served, Sent>;
  let page: RpcClient<Served, Sent>;
  let pagePort: Port;
  let received: string[];
  let waiting: AbortSignal[];
  let failures: number;
  let counted: number;

  const params = { double: v.number(), count: v.null(), wait: v.null(), last: v.null() };
  const handlers: Handlers<Served> = {
    double: (value) => (value < 0 ? Promise.reject(new Error('secret')) : value * 2),
    count: () => (counted += 1),
    wait: (_params, signal) => untilAborted(signal),
    last: (_params, signal) => untilAborted(signal),
  };

  function untilAborted(signal: AbortSignal): Promise<never> {
    waiting.push(signal);
    return new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    );
  }

  beforeEach(() => {
    clock = new FakeClock();
    received = [];
    waiting = [];
    failures = 0;
    counted = 0;
    const [hostPort, other] = ports();
    pagePort = other;
    const toFailure = () => {
      failures += 1;
      return { kind: 'failed', sentence: 'It failed.' };
    };
    host = pageServer<Served, Sent>({ port: hostPort, params, handlers, toFailure });
    page = loadPage();
  });

  function loadPage(): RpcClient<Served, Sent> {
    return new RpcClient<Served, Sent>({
      port: pagePort,
      clock,
      idPrefix: 'page',
      deadlineMs: (name) => (name === 'last' ? null : 1000),
      toError: (failure) => new RpcError(failure as RpcFailure),
      listeners: { news: (value) => received.push(value) },
    });
  }

  afterEach(() => {
    host.dispose();
    assert.equal(clock.waiting, 0, 'a timer is left');
  });

  it('matches replies to requests by id', async () => {
    const [two, four] = [page.request('double', 1), page.request('double', 2)];
    assert.deepEqual(await Promise.all([four, two]), [4, 2]);
  });

  it('describes a failure to the page without the error’s own text', async () => {
    await assert.rejects(page.request('double', -1), (error: RpcError) => {
      assert.deepEqual(error.failure, { kind: 'failed', sentence: 'It failed.' });
      return true;
    });
  });

  it('answers the first request of a page with what was computed while that loaded', async () => {
    host.expect('page', 'count');
    await setImmediate();
    assert.deepEqual([counted, await page.request('count', null), counted], [1, 1, 1]);
  });

  it('computes nothing for a page that was closed at once', async () => {
    host.expect('page', 'count');
    host.dispose();
    await setImmediate();
    assert.equal(counted, 0);
  });

  it('computes it again if something changed before the page asked', async () => {
    host.expect('page', 'count');
    await setImmediate();
    host.notify('news', 'something');
    assert.equal(await page.request('count', null), 2);
  });

  it('computes it again for a page that is loaded a second time and asks with the same id', async () => {
    host.expect('page', 'count');
    assert.equal(await page.request('count', null), 1);
    assert.equal(await loadPage().request('count', null), 2);
  });

  it('rejects invalid parameters', async () => {
    await assert.rejects(page.request('double', 'x' as unknown as number), /It failed/);
  });

  it('rejects an unknown method, even one that every object inherits', async () => {
    for (const name of ['nothing', 'toString', '__proto__'])
      await assert.rejects(page.request(name as 'double', 1), /^RpcError: unknownMethod$/);
  });

  it('cancels a request at its deadline and ignores a late reply', async () => {
    const reply = page.request('wait', null);
    const failed = assert.rejects(reply, { name: 'DeadlineExceeded' });
    await setImmediate();
    await clock.advance(1000);
    await failed;
    await setImmediate();
    const found = waiting.map(({ aborted }) => aborted);
    assert.deepEqual(found, [true]);
  });

  it('cancels a request when the client aborts, which is not a failure', async () => {
    const controller = new AbortController();
    const reply = page.request('wait', null, controller.signal);
    await setImmediate();
    controller.abort();
    await assert.rejects(reply, { name: 'AbortError' });
    await setImmediate();
    const shown = waiting.map(({ aborted }) => aborted);
    assert.deepEqual(shown, [true]);
    assert.equal(failures, 0);
  });

  it('sends nothing if the signal is already aborted', async () => {
    await assert.rejects(async () => page.request('wait', null, AbortSignal.abort()));
    await setImmediate();
    assert.deepEqual(waiting, []);
  });

  it('delivers events to their listeners and ignores others', async () => {
    host.notify('news', 'a');
    (host as unknown as RpcServer<Served, Events>).notify('toString', 'b');
    await setImmediate();
    assert.deepEqual(received, ['a']);
  });

  it('ignores invalid messages', async () => {
    for (const message of [null, 7, 'x', {}, { kind: 'request' }, { kind: 'reply' }])
      pagePort.postMessage(message);
    assert.equal(await page.request('double', 4), 8);
  });

  it('waits forever without a deadline', async () => {
    const controller = new AbortController();
    const reply = page.request('last', null, controller.signal);
    await setImmediate();
    await clock.advance(3_600_000);
    assert.deepEqual([clock.waiting, waiting[0]?.aborted], [0, false]);
    controller.abort();
    await assert.rejects(reply, { name: 'AbortError' });
  });

  it('aborts running requests when the server is disposed', async () => {
    void page.request('last', null);
    await setImmediate();
    host.dispose();
    const seen = waiting.map(({ aborted }) => aborted);
    assert.deepEqual(seen, [true]);
  });
});

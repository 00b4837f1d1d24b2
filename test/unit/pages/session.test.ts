import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { RpcError, type RpcFailure } from '../../../src/protocol/messages.ts';
import type { TableState } from '../../../src/protocol/table.ts';
import { TableSession } from '../../../src/pages/table/session.ts';
import type { PageState } from '../../../src/pages/table/state.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { description, pageOf, words } from './builders.ts';

type Asked = {
  readonly name: string;
  readonly params: unknown;
  readonly signal: AbortSignal | undefined;
  answer(result: unknown): Promise<void>;
  fail(failure: RpcFailure): Promise<void>;
};

/** A session whose host answers when the test says so. */
function startSession(kept?: unknown) {
  const clock = new FakeClock();
  const asked: Asked[] = [];
  const saved: TableState[] = [];
  const drawn: PageState[] = [];
  const session = new TableSession({
    ask: (name, params, signal) =>
      new Promise((resolve, reject) => {
        asked.push({
          name,
          params,
          signal,
          answer: async (result) => {
            resolve(result as never);
            await setImmediate();
          },
          fail: async (failure) => {
            reject(new RpcError(failure));
            await setImmediate();
          },
        });
      }),
    words,
    clock,
    load: () => saved.at(-1) ?? kept,
    save: (state) => saved.push(state),
    draw: (state) => drawn.push(state),
  });
  session.start();
  const last = (): Asked => asked.at(-1) ?? assert.fail('Nothing was asked.');
  const body = (): string => {
    const state = drawn.at(-1);
    return state?.kind === 'open' ? state.body.kind : (state?.kind ?? 'nothing');
  };
  return { session, clock, asked, saved, drawn, last, body };
}

describe('a table page at work', () => {
  it('asks what the table is, then for its rows', async () => {
    const { asked, last, body } = startSession();
    await last().answer(description);
    await last().answer(pageOf(20));
    assert.deepEqual(
      asked.map(({ name, params }) => [name, params]),
      [
        ['table/open', null],
        ['table/page', { filters: {}, page: 0, size: 20 }],
      ],
    );
    assert.equal(body(), 'rows');
  });

  it('saves the query when it changes, and only the query', async () => {
    const { session, saved, last } = startSession();
    await last().answer(description);
    await last().answer(pageOf(20));
    session.dispatch({ kind: 'edited', parameter: 'side', value: 'BUY' });
    session.dispatch({ kind: 'wentTo', page: 1 });
    const query = { filters: {}, page: 0, size: 20 };
    assert.deepEqual(saved, [
      { v: 1, table: 'orders', query },
      { v: 1, table: 'orders', query: { ...query, page: 1 } },
    ]);
  });

  it('aborts the elder question and never shows its answer', async () => {
    const { session, last, asked, body } = startSession();
    await last().answer(description);
    const elder = last();
    session.dispatch({ kind: 'wentTo', page: 1 });
    assert.equal(elder.signal?.aborted, true);
    await elder.answer(pageOf(1));
    assert.equal(body(), 'loading');
    assert.equal(asked.length, 3);
    await last().answer(pageOf(20));
    assert.equal(body(), 'rows');
  });

  it('counts down and asks again by itself when the failure said when', async () => {
    const { clock, last, asked, body } = startSession();
    await last().answer(description);
    const retryAt = clock.now() + 2500;
    await last().fail({ kind: 'rateLimited', sentence: 'Too many.', retryAt });
    await clock.advance(2499);
    assert.equal(body(), 'failed');
    assert.equal(asked.length, 2);
    await clock.advance(1);
    assert.equal(body(), 'loading');
    assert.equal(asked.length, 3);
    assert.equal(clock.waiting, 0);
  });

  it('does not ask by itself when the time to retry has passed or is not told', async () => {
    const { clock, last, asked } = startSession();
    await last().answer(description);
    await last().fail({ kind: 'rateLimited', sentence: 'Too many.', retryAt: clock.now() });
    assert.equal(clock.waiting, 0);
    await clock.advance(60_000);
    assert.equal(asked.length, 2);
  });

  it('keeps the filters and starts from the first page on another account', async () => {
    const query = { filters: { side: 'BUY' }, page: 3, size: 50 };
    const { session, last } = startSession({ v: 1, table: 'orders', query });
    await last().answer(description);
    await last().answer(pageOf(20));
    const context = { profile: 'Other', environment: 'LIVE', session: 2 };
    session.dispatch({ kind: 'contextChanged', context });
    assert.equal(last().name, 'table/open');
    await last().answer({ ...description, context });
    assert.deepEqual(last().params, { ...query, page: 0 });
  });

  it('asks to open a link beside the rows, and shows why it was refused', async () => {
    const { session, asked, last, body, drawn } = startSession();
    await last().answer(description);
    const rows = last();
    session.dispatch({ kind: 'followedLink', link: 'http://host.example' });
    assert.deepEqual([last().name, last().params], ['table/openLink', 'http://host.example']);
    await last().fail({ kind: 'configuration', sentence: 'It is no https address.' });
    assert.equal(rows.signal?.aborted, false);
    await rows.answer(pageOf(20));
    assert.equal(body(), 'rows');
    const state = drawn.at(-1);
    assert.equal(state?.kind === 'open' && state.refusal, 'It is no https address.');
    assert.equal(asked.length, 3);
  });
});

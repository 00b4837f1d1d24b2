import assert from 'node:assert/strict';
import { AccountSession } from '../../../src/account/session/accountSession.ts';
import type { Fetch } from '../../../src/exchange/http/fetch.ts';
import { assetsView, positionsView } from '../../../src/host/trees/accountViews.ts';
import { headsOf } from '../../../src/host/trees/accountHead.ts';
import { viewMessage } from '../../../src/host/trees/accountTree.ts';
import { aProfile } from '../../support/builders.ts';
import { aDisplay } from '../../support/display.ts';
import { ampleRateLimiter, markedCredentials } from '../../support/exchangeClient.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { testHabits, type Habit } from '../../support/habits.ts';
import { overviewOf } from '../../support/overviewUnderTest.ts';

const refusal = '{"message":"Invalid API key"}';

/** A session whose only read was answered with this status and body, read every 15 s. */
async function failedSession(clock: FakeClock, status: number, text: string) {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from(text));
  }
  const fetch: Fetch = () =>
    Promise.resolve({ status, headers: { get: () => null }, body: body() });
  const session = new AccountSession({
    profile: aProfile(),
    credentials: markedCredentials,
    fetch,
    clock,
    rateLimiter: ampleRateLimiter(),
  });
  await session.refresher.refresh().catch(() => undefined);
  return session;
}

type Seen = {
  readonly page: string;
  readonly buttons: readonly string[];
  /** Of the first view and of another. */
  readonly views: readonly (string | undefined)[];
  /** Below the message of the first view. */
  readonly heads: readonly string[];
};

async function seenAfter(waitedMs: number, status: number, text: string): Promise<Seen> {
  const clock = new FakeClock();
  const session = await failedSession(clock, status, text);
  try {
    let drawn = 0;
    session.onDidChange(() => (drawn += 1));
    await clock.advance(waitedMs);
    if (status === 401) assert.ok(drawn >= waitedMs / 1000, 'drawn each second');
    const state = { kind: 'open', session } as const;
    const { notes, buttons } = overviewOf({ state });
    return {
      page: notes.join(' '),
      buttons: buttons.map(({ label }) => label),
      views: [positionsView(), assetsView()].map((view) =>
        viewMessage(state, view, undefined, 0, aDisplay()),
      ),
      heads: headsOf(state, aDisplay()).map(({ title, description }) =>
        `${title} ${description}`.trim(),
      ),
    };
  } finally {
    session.dispose();
  }
}

const row = (habit: string, sees: string, check: () => Promise<void>): Habit => {
  return { habit, sees, source: 'a day of trading', check };
};

testHabits('a sign-in that is refused', [
  row('a wrong key', 'what to do, once, and the seconds until the next try', async () => {
    const { page, buttons, views, heads } = await seenAfter(7000, 401, refusal);
    assert.match(page, /rejected the credentials.*Next try in 23 s\.$/);
    assert.deepEqual(buttons, ['Set Credentials…', 'Test Connection', 'Retry']);
    assert.match(views[0] ?? '', /rejected the credentials/);
    assert.equal(views[1], 'Not read yet.');
    assert.deepEqual(heads.slice(1), [
      'Set Credentials…',
      'Test Connection',
      'Retry next try in 23 s',
    ]);
  }),
  row('a gateway’s 403', 'Retry alone', async () => {
    const { page, buttons, views, heads } = await seenAfter(1000, 403, '<html>');
    for (const text of [page, views[0]])
      assert.match(text ?? '', /a gateway seems to have answered/);
    assert.deepEqual(buttons, ['Retry']);
    assert.deepEqual(heads.slice(1), ['Retry next try in 29 s']);
  }),
]);

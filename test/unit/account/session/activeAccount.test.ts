import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { AccountSession } from '../../../../src/account/session/accountSession.ts';
import { ActiveAccount, NoAccountError } from '../../../../src/account/session/activeAccount.ts';
import type { Profile } from '../../../../src/account/session/profile.ts';
import { presetScheme } from '../../../../src/exchange/auth/scheme.ts';
import { autoConventions } from '../../../../src/exchange/history/apiConventions.ts';
import type { Fetch } from '../../../../src/exchange/http/fetch.ts';
import { anAccount, aProfile, wire } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import { ampleRateLimiter } from '../../../support/exchangeClient.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const answersAccount: Fetch = () => {
  const body = [new TextEncoder().encode(wire(anAccount()))];
  return Promise.resolve({ status: 200, headers: { get: () => null }, body: Readable.from(body) });
};

function session(fields: Partial<Profile> = {}): AccountSession {
  return new AccountSession({
    profile: aProfile({ auth: presetScheme('none'), dialect: autoConventions, ...fields }),
    credentials: { apiKey: '', apiSecret: '' },
    fetch: answersAccount,
    clock: new FakeClock(),
    rateLimiter: ampleRateLimiter(),
  });
}

describe('the active account', () => {
  let active: ActiveAccount;

  beforeEach(() => (active = new ActiveAccount()));
  afterEach(() => active.dispose());

  const open = ({ name = 'Mine', ...fields }: Partial<Profile> = {}) =>
    active.open(name, () => Promise.resolve(session({ name, ...fields })));

  it('is closed at first, and rejects calls that need an account', async () => {
    assert.equal(active.state.kind, 'closed');
    await assert.rejects(active.session(), NoAccountError);
  });

  it('opens, reads the account immediately, and fires at each step', async () => {
    const kinds: string[] = [];
    const switches: string[] = [];
    active.onDidChange(() => kinds.push(active.state.kind));
    active.onDidSwitch(() => switches.push(active.state.kind));
    const opened = await open();
    assert.equal(await active.session(), opened);
    await eventually('a snapshot', () => opened.store.state.snapshot);
    assert.deepEqual(kinds, ['opening', 'open', 'open']);
    active.close();
    assert.deepEqual(switches, ['opening', 'open', 'closed']);
  });

  it('fires when requests begin or cease to wait for weight', async () => {
    const opened = await open();
    await eventually('a snapshot', () => opened.store.state.snapshot);
    let changes = 0;
    active.onDidChange(() => (changes += 1));
    const request = { operation: 'orders', weight: 10, priority: 'interactive' } as const;
    const reservation = await opened.rateLimiter.acquire({ ...request, maxDurationMs: 20_000 });
    reservation.complete({ kind: 'limited', retryAfterMs: 1000 });
    assert.equal(changes, 1);
  });

  it('makes callers wait while it opens', async () => {
    const opening = open();
    assert.equal(await active.session(), await opening);
  });

  it('says why it could not open', async () => {
    const connect = () => Promise.resolve().then(() => session({ baseUrl: 'http://host.example' }));
    await assert.rejects(active.open('Mine', connect), /must begin with https/);
    assert.equal(active.state.kind, 'failed');
    await assert.rejects(active.session(), /must begin with https/);
  });

  it('ends the session that another one replaces', async () => {
    const first = await open({ name: 'A' });
    await open({ name: 'B' });
    await assert.rejects(async () => first.refresher.refresh(), { name: 'AbortError' });
  });

  it('lets the newest of two openings win, whichever is ready first', async () => {
    let ready: (session: AccountSession) => void = () => undefined;
    const slow = active.open('A', () => new Promise((resolve) => (ready = resolve)));
    const fast = await open({ name: 'B' });
    ready(session({ name: 'A' }));
    await assert.rejects(slow, { name: 'AbortError' });
    assert.equal(await active.session(), fast);
  });

  for (const [what, overtake] of [
    ['another', () => open({ name: 'B' })],
    ['a close', () => active.close()],
  ] as const)
    it(`hides the failure of an opening that ${what} overtook`, async () => {
      let fail: (error: Error) => void = () => undefined;
      const slow = active.open('A', () => new Promise((_resolve, reject) => (fail = reject)));
      await overtake();
      const { state } = active;
      fail(new Error('no key for A'));
      await assert.rejects(slow, { name: 'AbortError' });
      assert.equal(active.state, state);
    });
});

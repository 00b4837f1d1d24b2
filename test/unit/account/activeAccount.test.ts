import assert from 'node:assert/strict';
import { ActiveAccount, NoAccountError } from '../../../src/account/activeAccount.ts';
import type { Profile } from '../../../src/account/profile.ts';
import { Session } from '../../../src/account/session.ts';
import { autoDialect } from '../../../src/exchange/dialect/dialect.ts';
import type { Fetch } from '../../../src/exchange/fetch.ts';
import { eventually } from '../../support/eventually.ts';
import { anAccount, wire } from '../../support/builders.ts';
import { ampleLedger } from '../../support/exchangeClient.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const profile: Profile = {
  name: 'Mine',
  environment: 'test',
  baseUrl: 'https://host.example',
  readOnly: false,
  sign: [],
  auth: { scheme: 'none' },
  dialect: autoDialect,
};

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new TextEncoder().encode(text));
}

const answersAccount: Fetch = () =>
  Promise.resolve({
    status: 200,
    headers: { get: () => null },
    body: bytes(wire(anAccount())),
  });

function session(fields: Partial<Profile> = {}): Session {
  return new Session({
    profile: { ...profile, ...fields },
    credentials: { apiKey: '', apiSecret: '' },
    fetch: answersAccount,
    clock: new FakeClock(),
    ledger: ampleLedger(),
  });
}

describe('the active account', () => {
  let active: ActiveAccount;

  beforeEach(() => (active = new ActiveAccount()));
  afterEach(() => active.dispose());

  it('is closed at first, and says so to whoever needs it', async () => {
    assert.equal(active.state.kind, 'closed');
    await assert.rejects(active.session(), NoAccountError);
  });

  it('opens, reads the account at once, and tells of each step', async () => {
    const kinds: string[] = [];
    active.onDidChange(() => kinds.push(active.state.kind));
    const opened = await active.open('Mine', () => Promise.resolve(session()));
    assert.equal(await active.session(), opened);
    await eventually('a snapshot', () => opened.store.state.snapshot);
    assert.deepEqual(kinds, ['opening', 'open', 'open']);
  });

  it('tells of waits for weight apart: nothing but their number is new to anybody', async () => {
    const opened = await active.open('Mine', () => Promise.resolve(session()));
    await eventually('a snapshot', () => opened.store.state.snapshot);
    const told: string[] = [];
    active.onDidChange(() => told.push('change'));
    active.onDidWait(() => told.push('wait'));
    const request = { operation: 'orders', weight: 10, priority: 'interactive' } as const;
    const reservation = await opened.ledger.acquire({ ...request, longestMs: 20_000 });
    reservation.end({ kind: 'limited', retryAfterMs: 1000 });
    assert.deepEqual(told, ['wait']);
  });

  it('lets those who need it wait while it opens', async () => {
    const opening = active.open('Mine', () => Promise.resolve(session()));
    assert.equal(await active.session(), await opening);
  });

  it('says why it could not open', async () => {
    const connect = () => Promise.resolve().then(() => session({ baseUrl: 'http://host.example' }));
    await assert.rejects(active.open('Mine', connect), /must begin with https/);
    assert.equal(active.state.kind, 'failed');
    await assert.rejects(active.session(), /must begin with https/);
  });

  it('ends the session that another one replaces', async () => {
    const first = await active.open('A', () => Promise.resolve(session()));
    await active.open('B', () => Promise.resolve(session({ name: 'B' })));
    await assert.rejects(async () => first.refresher.refresh(), { name: 'AbortError' });
  });

  it('lets the newest of two openings win, whichever is ready first', async () => {
    let ready: (session: Session) => void = () => undefined;
    const slow = active.open('A', () => new Promise((resolve) => (ready = resolve)));
    const fast = await active.open('B', () => Promise.resolve(session({ name: 'B' })));
    ready(session({ name: 'A' }));
    await assert.rejects(slow, { name: 'AbortError' });
    assert.equal(await active.session(), fast);
  });

  for (const [what, overtake] of [
    ['another', () => active.open('B', () => Promise.resolve(session({ name: 'B' })))],
    ['a close', () => active.close()],
  ] as const)
    it(`keeps to itself why an opening failed that ${what} overtook`, async () => {
      let fail: (error: Error) => void = () => undefined;
      const slow = active.open('A', () => new Promise((_resolve, reject) => (fail = reject)));
      await overtake();
      const { state } = active;
      fail(new Error('no key for A'));
      await assert.rejects(slow, { name: 'AbortError' });
      assert.equal(active.state, state);
    });
});

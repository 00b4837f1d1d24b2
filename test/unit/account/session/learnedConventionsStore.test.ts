import assert from 'node:assert/strict';
import {
  LearnedConventionsByProfile,
  type KeyValueStore,
} from '../../../../src/account/session/learnedConventionsStore.ts';
import type { Profile } from '../../../../src/account/session/profile.ts';
import { autoConventions } from '../../../../src/exchange/conventions/apiConventions.ts';
import { ConventionResolver } from '../../../../src/exchange/conventions/conventionResolver.ts';
import type { Finding } from '../../../../src/exchange/conventions/learnedConventions.ts';
import { eventually } from '../../../support/eventually.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const dayMs = 86_400_000;
const keyOf = (baseUrl: string) => `marginDesk.exchangeFacts/2/${baseUrl}`;

describe('what was learned of an exchange', () => {
  let clock: FakeClock;
  let kept: Map<string, string>;
  let memory: KeyValueStore;
  let problems: unknown[];

  beforeEach(() => {
    clock = new FakeClock();
    kept = new Map();
    problems = [];
    memory = {
      keys: () => [...kept.keys()],
      get: (name) => JSON.parse(kept.get(name) ?? 'null') as unknown,
      update: (name, value) => {
        if (value === undefined) kept.delete(name);
        else kept.set(name, JSON.stringify(value));
        return Promise.resolve();
      },
    };
  });

  const at = (baseUrl: string, fields: Partial<Profile> = {}) =>
    ({ baseUrl, environment: 'live', ...fields }) as Profile;
  const store = () => {
    const onProblem = (error: unknown): void => void problems.push(error);
    return new LearnedConventionsByProfile({ storage: memory, clock, onProblem });
  };
  const learnedOf = (profile: Profile) => store().forProfile(profile);
  const conventionsOf = (profile: Profile) =>
    new ConventionResolver(autoConventions, learnedOf(profile));

  const pageOne = (): Finding<'firstPage'> => ({
    concluded: 1,
    reason: 'zeroRefused',
    evidence: [
      { operation: 'lots', asked: [['page', '0']], answer: { kind: 'refused', status: 400 } },
    ],
    seenAt: clock.now(),
  });

  it('is known in every window, of that base URL only', () => {
    conventionsOf(at('https://a.example')).recordFinding('firstPage', pageOne());
    assert.equal(conventionsOf(at('https://a.example')).current.firstPage, 1);
    assert.equal(conventionsOf(at('https://a.example/other')).current.firstPage, 0);
  });

  it('is checked once for each stored value, not at each read', () => {
    const profile = at('https://a.example');
    conventionsOf(profile).recordFinding('firstPage', pageOne());
    const key = keyOf('https://a.example');
    let checks = 0;
    const counted = (text: string): object => {
      const { facts, ...value } = JSON.parse(text) as { facts: unknown };
      return Object.defineProperty(value, 'facts', { get: () => ((checks += 1), facts) });
    };
    let value = counted(kept.get(key) ?? '');
    memory = { ...memory, get: () => value };
    const reader = conventionsOf(profile);
    for (let look = 0; look < 3; look += 1)
      assert.deepEqual([reader.current.firstPage, reader.sourceOf('firstPage')], [1, 'seen']);
    const once = checks;
    assert.ok(once <= 2, String(once));
    const other = (kept.get(key) ?? '').replace('"concluded":1', '"concluded":0');
    value = counted(other);
    assert.equal(reader.current.firstPage, 0);
    assert.equal(checks, once * 2);
  });

  it('is overridden by what the user sets', () => {
    const facts = learnedOf(at('https://a.example'));
    new ConventionResolver(autoConventions, facts).recordFinding('firstPage', pageOne());
    const set = new ConventionResolver({ ...autoConventions, firstPage: 0 }, facts);
    assert.deepEqual([set.current.firstPage, set.sourceOf('firstPage')], [0, 'set']);
  });

  it('is forgotten after 30 days, when it is contradicted, or when it is damaged', async () => {
    const profile = at('https://a.example');
    conventionsOf(profile).recordFinding('firstPage', pageOne());
    await clock.advance(30 * dayMs);
    assert.equal(conventionsOf(profile).sourceOf('firstPage'), 'seen');
    await clock.advance(1);
    assert.equal(conventionsOf(profile).sourceOf('firstPage'), 'assumed');
    conventionsOf(profile).recordFinding('firstPage', pageOne());
    const undecided = { ...pageOne(), concluded: 'undecided', reason: 'noRows' } as const;
    conventionsOf(profile).recordFinding('firstPage', undecided);
    assert.equal(conventionsOf(profile).sourceOf('firstPage'), 'seen');
    const contradiction = { concluded: 'undecided', reason: 'pageIgnored' } as const;
    conventionsOf(profile).recordFinding('firstPage', { ...pageOne(), ...contradiction });
    assert.equal(conventionsOf(profile).sourceOf('firstPage'), 'assumed');
    for (const damaged of [
      '[]',
      '7',
      '{"keptAt":0,"facts":{"findings":{"firstPage":{"concluded":2}}}}',
      '{"keptAt":0,"facts":[]}',
    ]) {
      kept.set(keyOf(profile.baseUrl), damaged);
      assert.equal(conventionsOf(profile).current.firstPage, 0, damaged);
      conventionsOf(profile).recordFinding('firstPage', pageOne());
      assert.equal(conventionsOf(profile).current.firstPage, 1, damaged);
    }
  });

  it('is kept of the latest 20 exchanges', async () => {
    for (let host = 0; host < 25; host += 1) {
      conventionsOf(at(`https://h${host}.example`)).recordFinding('firstPage', pageOne());
      await clock.advance(1);
    }
    assert.equal(kept.size, 20);
    assert.equal(conventionsOf(at('https://h4.example')).current.firstPage, 0);
    assert.equal(conventionsOf(at('https://h5.example')).current.firstPage, 1);
    assert.equal(conventionsOf(at('https://h24.example')).current.firstPage, 1);
  });

  it('is dropped when older code concluded it', () => {
    kept.set('marginDesk.exchangeFacts', '{"https://a.example":{"findings":{}}}');
    const profile = at('https://a.example');
    assert.equal(conventionsOf(profile).sourceOf('firstPage'), 'assumed');
    conventionsOf(profile).recordFinding('firstPage', pageOne());
    assert.deepEqual([...kept.keys()], [keyOf('https://a.example')]);
  });

  it('is kept while another window learns about another exchange', () => {
    const [one, other] = [at('https://a.example'), at('https://b.example')];
    const stale = new Map(kept);
    conventionsOf(one).recordFinding('firstPage', pageOne());
    const get: KeyValueStore['get'] = (name) => JSON.parse(stale.get(name) ?? 'null') as unknown;
    memory = { ...memory, get, keys: () => [...stale.keys()] };
    conventionsOf(other).recordFinding('firstPage', pageOne());
    assert.deepEqual([...kept.keys()], [keyOf(one.baseUrl), keyOf(other.baseUrl)]);
  });

  it('is kept by each window alone for the practice exchange', () => {
    const facts = store();
    const practice = at('http://127.0.0.1:1', { environment: 'practice' });
    const resolver = () => new ConventionResolver(autoConventions, facts.forProfile(practice));
    resolver().recordFinding('firstPage', pageOne());
    assert.equal(resolver().current.firstPage, 1);
    assert.equal(kept.size, 0);
  });

  it('is learned again when it cannot be kept, and that is reported', async () => {
    memory = { ...memory, update: () => Promise.reject(new Error('full')) };
    conventionsOf(at('https://a.example')).recordFinding('firstPage', pageOne());
    await eventually('the problem', () => problems.length === 1);
  });
});

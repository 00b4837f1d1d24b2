import assert from 'node:assert/strict';
import { LearnedConventionsByProfile } from '../../../../src/account/session/learnedConventionsStore.ts';
import type { Profile } from '../../../../src/account/session/profile.ts';
import { autoConventions } from '../../../../src/exchange/history/apiConventions.ts';
import { ExchangeConventions } from '../../../../src/exchange/history/exchangeConventions.ts';
import type { Finding } from '../../../../src/exchange/history/learnedConventions.ts';
import type { ValueStorage } from '../../../../src/base/storedValue.ts';
import { eventually } from '../../../support/eventually.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const dayMs = 86_400_000;
describe('what was learned of an exchange', () => {
  let clock: FakeClock;
  /** As JSON. */
  let kept: string | undefined;
  let memory: ValueStorage;
  let problems: unknown[];

  beforeEach(() => {
    clock = new FakeClock();
    kept = undefined;
    problems = [];
    memory = {
      get: () => JSON.parse(kept ?? 'null') as unknown,
      update: (_key, value) => {
        kept = JSON.stringify(value);
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
    new ExchangeConventions(autoConventions, learnedOf(profile));

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

  it('is overridden by what the user sets', () => {
    const facts = learnedOf(at('https://a.example'));
    new ExchangeConventions(autoConventions, facts).recordFinding('firstPage', pageOne());
    const set = new ExchangeConventions({ ...autoConventions, firstPage: 0 }, facts);
    assert.deepEqual([set.current.firstPage, set.sourceOf('firstPage')], [0, 'set']);
  });

  it('is forgotten after 30 days, when it is contradicted, or when it is damaged', async () => {
    const profile = at('https://a.example');
    conventionsOf(profile).recordFinding('firstPage', pageOne());
    await clock.advance(30 * dayMs);
    assert.equal(conventionsOf(profile).sourceOf('firstPage'), 'learned');
    await clock.advance(1);
    assert.equal(conventionsOf(profile).sourceOf('firstPage'), 'assumed');
    conventionsOf(profile).recordFinding('firstPage', pageOne());
    const undecided = { ...pageOne(), concluded: 'undecided', reason: 'noRows' } as const;
    conventionsOf(profile).recordFinding('firstPage', undecided);
    assert.equal(conventionsOf(profile).sourceOf('firstPage'), 'learned');
    const contradiction = { concluded: 'undecided', reason: 'pageIgnored' } as const;
    conventionsOf(profile).recordFinding('firstPage', { ...pageOne(), ...contradiction });
    assert.equal(conventionsOf(profile).sourceOf('firstPage'), 'assumed');
    for (const damaged of [
      [],
      7,
      [{ baseUrl: profile.baseUrl, learned: { findings: { firstPage: { concluded: 2 } } } }],
      [{ baseUrl: profile.baseUrl, learned: [] }],
    ]) {
      kept = JSON.stringify(damaged);
      assert.equal(conventionsOf(profile).current.firstPage, 0, kept);
      conventionsOf(profile).recordFinding('firstPage', pageOne());
      assert.equal(conventionsOf(profile).current.firstPage, 1, kept);
    }
  });

  it('is kept of the latest 20 exchanges', () => {
    for (let host = 0; host < 25; host += 1)
      conventionsOf(at(`https://h${host}.example`)).recordFinding('firstPage', pageOne());
    assert.equal((JSON.parse(kept ?? '[]') as unknown[]).length, 20);
    assert.equal(conventionsOf(at('https://h4.example')).current.firstPage, 0);
    assert.equal(conventionsOf(at('https://h5.example')).current.firstPage, 1);
    assert.equal(conventionsOf(at('https://h24.example')).current.firstPage, 1);
  });

  it('is kept by each window alone for the practice exchange', () => {
    const facts = store();
    const practice = at('http://127.0.0.1:1', { environment: 'practice' });
    const resolver = () => new ExchangeConventions(autoConventions, facts.forProfile(practice));
    resolver().recordFinding('firstPage', pageOne());
    assert.equal(resolver().current.firstPage, 1);
    assert.equal(kept, undefined);
  });

  it('is learned again when it cannot be kept, and that is reported', async () => {
    memory = { ...memory, update: () => Promise.reject(new Error('full')) };
    conventionsOf(at('https://a.example')).recordFinding('firstPage', pageOne());
    await eventually('the problem', () => problems.length === 1);
  });
});

import assert from 'node:assert/strict';
import { ExchangeFacts, type Memory } from '../../../src/account/exchangeFacts.ts';
import type { Profile } from '../../../src/account/profile.ts';
import { autoDialect } from '../../../src/exchange/dialect/dialect.ts';
import { DialectBook } from '../../../src/exchange/dialect/dialectBook.ts';
import type { Finding } from '../../../src/exchange/dialect/facts.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const dayMs = 86_400_000;
const keyOf = (baseUrl: string) => `marginDesk.exchangeFacts/2/${baseUrl}`;

describe('what was learned of an exchange', () => {
  let clock: FakeClock;
  let kept: Map<string, string>;
  let memory: Memory;
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
  const factsOf = (profile: Profile) =>
    new ExchangeFacts({ memory, clock, onProblem: (error) => problems.push(error) }).of(profile);
  const book = (profile: Profile) => new DialectBook(autoDialect, factsOf(profile));

  const pageOne = (): Finding<'firstPage'> => ({
    concluded: 1,
    reason: 'zeroRefused',
    evidence: [
      {
        operation: 'lots',
        asked: [['page', '0']],
        answer: { kind: 'refused', status: 400 },
      },
    ],
    seenAt: clock.now(),
  });

  it('is known in every window, of that base URL only', () => {
    book(at('https://a.example')).learn('firstPage', pageOne());
    assert.equal(book(at('https://a.example')).dialect.firstPage, 1);
    assert.equal(book(at('https://a.example/other')).dialect.firstPage, 0);
  });

  it('is checked once for each value that is kept, not for each look at it', () => {
    const profile = at('https://a.example');
    book(profile).learn('firstPage', pageOne());
    const key = keyOf('https://a.example');
    let checks = 0;
    const counted = (text: string): object => {
      const { facts, ...value } = JSON.parse(text) as { facts: unknown };
      return Object.defineProperty(value, 'facts', { get: () => ((checks += 1), facts) });
    };
    let value = counted(kept.get(key) ?? '');
    memory = { ...memory, get: () => value };
    const reader = book(profile);
    for (let look = 0; look < 3; look += 1)
      assert.deepEqual([reader.dialect.firstPage, reader.sourceOf('firstPage')], [1, 'seen']);
    const once = checks;
    assert.ok(once <= 2, String(once));
    const other = (kept.get(key) ?? '').replace('"concluded":1', '"concluded":0');
    value = counted(other);
    assert.equal(reader.dialect.firstPage, 0);
    assert.equal(checks, once * 2);
  });

  it('gives way to what is set by hand', () => {
    const facts = factsOf(at('https://a.example'));
    new DialectBook(autoDialect, facts).learn('firstPage', pageOne());
    const set = new DialectBook({ ...autoDialect, firstPage: 0 }, facts);
    assert.deepEqual([set.dialect.firstPage, set.sourceOf('firstPage')], [0, 'set']);
  });

  it('is forgotten after 30 days, when contradicted and where it is damaged', async () => {
    const profile = at('https://a.example');
    book(profile).learn('firstPage', pageOne());
    await clock.advance(30 * dayMs);
    assert.equal(book(profile).sourceOf('firstPage'), 'seen');
    await clock.advance(1);
    assert.equal(book(profile).sourceOf('firstPage'), 'assumed');
    book(profile).learn('firstPage', pageOne());
    book(profile).learn('firstPage', { ...pageOne(), concluded: 'undecided', reason: 'noRows' });
    assert.equal(book(profile).sourceOf('firstPage'), 'seen');
    const contradiction = { concluded: 'undecided', reason: 'pageNotHeeded' } as const;
    book(profile).learn('firstPage', { ...pageOne(), ...contradiction });
    assert.equal(book(profile).sourceOf('firstPage'), 'assumed');
    for (const damaged of [
      '[]',
      '7',
      '{"keptAt":0,"facts":{"findings":{"firstPage":{"concluded":2}}}}',
      '{"keptAt":0,"facts":[]}',
    ]) {
      kept.set(keyOf(profile.baseUrl), damaged);
      assert.equal(book(profile).dialect.firstPage, 0, damaged);
      book(profile).learn('firstPage', pageOne());
      assert.equal(book(profile).dialect.firstPage, 1, damaged);
    }
  });

  it('is kept of the latest 20 exchanges', async () => {
    for (let host = 0; host < 25; host += 1) {
      book(at(`https://h${host}.example`)).learn('firstPage', pageOne());
      await clock.advance(1);
    }
    assert.equal(kept.size, 20);
    assert.equal(book(at('https://h4.example')).dialect.firstPage, 0);
    assert.equal(book(at('https://h5.example')).dialect.firstPage, 1);
    assert.equal(book(at('https://h24.example')).dialect.firstPage, 1);
  });

  it('is dropped where older code concluded it', () => {
    kept.set('marginDesk.exchangeFacts', '{"https://a.example":{"findings":{}}}');
    const profile = at('https://a.example');
    assert.equal(book(profile).sourceOf('firstPage'), 'assumed');
    book(profile).learn('firstPage', pageOne());
    assert.deepEqual([...kept.keys()], [keyOf('https://a.example')]);
  });

  it('is kept whatever another window learns of another exchange meanwhile', () => {
    const [one, other] = [at('https://a.example'), at('https://b.example')];
    const stale = new Map(kept);
    book(one).learn('firstPage', pageOne());
    const get: Memory['get'] = (name) => JSON.parse(stale.get(name) ?? 'null') as unknown;
    memory = { ...memory, get, keys: () => [...stale.keys()] };
    book(other).learn('firstPage', pageOne());
    assert.deepEqual(
      [...kept.keys()],
      [one, other].map(({ baseUrl }) => keyOf(baseUrl)),
    );
  });

  it('is this window’s own of the practice exchange', () => {
    const facts = new ExchangeFacts({ memory, clock, onProblem: () => undefined });
    const practice = at('http://127.0.0.1:1', { environment: 'practice' });
    new DialectBook(autoDialect, facts.of(practice)).learn('firstPage', pageOne());
    assert.equal(new DialectBook(autoDialect, facts.of(practice)).dialect.firstPage, 1);
    assert.equal(kept.size, 0);
  });

  it('is learned anew where it cannot be kept, and that is told', async () => {
    memory = { ...memory, update: () => Promise.reject(new Error('full')) };
    book(at('https://a.example')).learn('firstPage', pageOne());
    await Promise.resolve();
    await Promise.resolve();
    assert.equal(problems.length, 1);
  });
});

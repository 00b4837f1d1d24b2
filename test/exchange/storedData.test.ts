import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseReceipt } from '../../src/account/cancelAll/receipts.ts';
import { LearnedConventionsByProfile } from '../../src/account/session/learnedConventionsStore.ts';
import { accountFingerprint } from '../../src/exchange/auth/scheme.ts';
import {
  autoConventions,
  defaultConventions,
} from '../../src/exchange/conventions/apiConventions.ts';
import { ConventionResolver } from '../../src/exchange/conventions/conventionResolver.ts';
import type {
  Findings,
  LearnedConventions,
} from '../../src/exchange/conventions/learnedConventions.ts';
import { totalWeight } from '../../src/exchange/rateLimit/rateLimitState.ts';
import { parseState, rateLimitFileName } from '../../src/exchange/rateLimit/rateLimitStore.ts';
import { CredentialStore } from '../../src/host/profiles/credentialStore.ts';
import { parseProfile } from '../../src/host/profiles/parseProfile.ts';
import { aProfile } from '../support/builders.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { TestExporter, metaOf } from '../support/testExporter.ts';
import { FakeSecrets } from '../support/fakeSecrets.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/project.ts';

type StoredText = { readonly file: string; readonly text: string };
/** A value of VS Code's global state, as JSON text. */
type StoredValue = readonly [key: string, text: string];
type StoredExport = {
  readonly name: string;
  readonly state: string;
  readonly rows: readonly string[];
};

/** What the code of commit 00063d8, before the parts got their present names, stored when it ran. */
const stored = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../support/storedByEarlierVersion.json'), 'utf8'),
) as {
  readonly receipts: Readonly<Record<'canceled' | 'unknown', StoredText>>;
  readonly rateLimit: StoredText;
  readonly learnedConventions: Readonly<Record<'capped' | 'ignoring', StoredValue>>;
  readonly fingerprint: string;
  readonly credentials: Readonly<Record<'secrets' | 'state', readonly [string, unknown][]>>;
  readonly profiles: readonly {
    readonly entry: unknown;
    readonly profile: { readonly name: string };
  }[];
  readonly exports: Readonly<Record<'cancelled' | 'read', StoredExport>>;
};

const origin = 'https://host.example';
const credentials = { apiKey: 'stored-key', apiSecret: 'stored-secret' };

describe('data that an earlier version stored', () => {
  const exchange = exchangesOfEachTest();
  let scratch: TemporaryFolder;

  beforeEach(async () => {
    scratch = await temporaryFolder();
  });
  afterEach(() => scratch.remove());

  /** The exchange that the exports were read from: it ignores `side`, and one record is unreadable. */
  function tradesExchange() {
    const fields = (index: number): Record<string, string> => {
      if (index === 3) return { amount: '"much"' };
      return index % 2 === 0 ? { side: '"BUY"' } : {};
    };
    const trades = rowsOf('trades', 20, { newestAt: 1_700_000_000_123, fields });
    return exchange({ rows: { trades }, reading: { maxPageSize: 5, ignores: ['side'] } });
  }

  const trades = { operation: 'trades', filters: { side: 'BUY' } } as const;

  /** A folder with an unfinished export of the earlier version. */
  async function withExport({ name, state, rows }: StoredExport): Promise<TestExporter> {
    const folder = path.join(scratch.path, 'kept');
    await mkdir(folder);
    await writeFile(path.join(folder, `${name}.json`), state);
    await writeFile(path.join(folder, `${name}.rows`), rows.join(''));
    return new TestExporter(scratch.path);
  }

  for (const [name, format] of [['cancelled', 'csv']] as const)
    it(`resumes an export that was ${name} as ${format}, and does not vouch for its rows`, async () => {
      const server = await tradesExchange();
      const client = clientFor({ url: server.url });
      const { rows } = stored.exports[name];
      const exporter = await withExport(stored.exports[name]);
      const found = await exporter.partials.find(exporter.plan(trades, { format }));
      assert.ok(found.kind === 'resumable');
      const file = await exporter.export(client, trades, { format });
      const text = await readFile(file, 'utf8');
      assert.ok(text.startsWith(rows.join('')), 'the rows were read again');
      assert.deepEqual(await exporter.kept(), []);
      const whole = await exporter.export(client, trades, { format, name: 'whole' });
      const sorted = (rowsText: string): string => rowsText.split('\n').toSorted().join('\n');
      assert.equal(sorted(text), sorted(await readFile(whole, 'utf8')));
      const { unmatched, completeness, reason } = await metaOf(file);
      assert.deepEqual(
        { unmatched, completeness, reason },
        { unmatched: { side: 10 }, completeness: 'unknown', reason: 'olderVersion' },
      );
    });

  for (const [name, { text }] of Object.entries(stored.receipts))
    it(`reads a receipt of a cancel-all: ${name}`, () => {
      const { profile, before, after, failure, canceled } = parseReceipt(text) ?? assert.fail();
      const raw = JSON.parse(text) as Record<string, unknown>;
      assert.equal(profile, 'Mine');
      assert.deepEqual(
        { before, after, failure, canceled },
        { before: raw.before, after: raw.after, failure: raw.failure, canceled: raw.canceled },
      );
    });

  it('reads the rate-limit file, under the same name', () => {
    const { file, text } = stored.rateLimit;
    assert.equal(rateLimitFileName(origin, credentials), file);
    const { entries, limits } = parseState(text) ?? assert.fail();
    assert.equal(totalWeight(entries), 15);
    assert.deepEqual(limits, [{ weight: 1000, windowMs: 60_000 }]);
  });

  /** VS Code's global state with one stored value. */
  function globalStateWith([key, text]: StoredValue) {
    const values = new Map<string, unknown>([[key, JSON.parse(text)]]);
    return {
      keys: () => [...values.keys()],
      get: (name: string) => values.get(name) as never,
      update: (name: string, value: unknown) => Promise.resolve(void values.set(name, value)),
    };
  }

  /** What the earlier version stored, and what today’s code reads of it at that time. */
  function learnedOf(name: 'capped' | 'ignoring') {
    const [, text] = stored.learnedConventions[name];
    const { keptAt, facts } = JSON.parse(text) as { keptAt: number; facts: LearnedConventions };
    const byProfile = new LearnedConventionsByProfile({
      storage: globalStateWith(stored.learnedConventions[name]),
      clock: new FakeClock(keptAt),
      onProblem: (error) => assert.fail(String(error)),
    });
    const profile = aProfile({ baseUrl: `${origin}/${name}`, environment: 'live' });
    return {
      facts,
      resolver: new ConventionResolver(autoConventions, byProfile.forProfile(profile)),
    };
  }

  it('reads the learned conventions, with their evidence', () => {
    const { facts, resolver } = learnedOf('capped');
    assert.deepEqual(resolver.current, {
      ...defaultConventions,
      firstPage: 1,
      dates: 'isoLocal',
      maxPageSize: 100,
      sort: 'newestFirst',
      dateTo: 'exclusive',
    });
    assert.equal(resolver.zone.name, 'Europe/Berlin');
    const { findings, information, probe } = resolver.learned;
    assert.deepEqual(probe, facts.probe);
    assert.equal(information?.readAt, facts.information?.readAt);
    assert.deepEqual(
      information?.rateLimits.map(({ limit, isEnforced }) => [limit, isEnforced]),
      [['1000', true]],
    );
    const evidenceOf = (all: Findings): unknown =>
      Object.fromEntries(
        Object.entries(all).map(([name, { evidence, seenAt }]) => [name, { evidence, seenAt }]),
      );
    assert.deepEqual(evidenceOf(findings), evidenceOf(facts.findings));
  });

  it('reads of learned conventions that an exchange ignores dates', () => {
    const { resolver } = learnedOf('ignoring');
    const current = { ...defaultConventions, firstPage: 0, sort: 'newestFirst' };
    assert.deepEqual(resolver.current, current);
    assert.equal(resolver.sourceOf('firstPage'), 'seen');
    const request = { filters: {}, period: { from: 0 } };
    assert.deepEqual(resolver.unprovenConventions(request, false), ['datesUndecided']);
  });
  it('has the same fingerprint for the account', () => {
    assert.equal(accountFingerprint(`${origin}/prefix`, credentials), stored.fingerprint);
  });

  it('reads the credentials of a profile', async () => {
    const secrets = new FakeSecrets();
    for (const [key, value] of stored.credentials.secrets) secrets.values.set(key, String(value));
    for (const [key, value] of stored.credentials.state) secrets.state.set(key, value);
    const store = new CredentialStore(secrets.places());
    assert.deepEqual(await store.names(), ['Main']);
    assert.deepEqual(await store.read('Main'), { kind: 'stored', origin, credentials });
    store.dispose();
  });

  for (const { entry, profile } of stored.profiles)
    it(`reads the profile ${profile.name} of the settings`, () => {
      assert.deepEqual(parseProfile(profile.name, entry), profile);
    });
});

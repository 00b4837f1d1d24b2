import assert from 'node:assert/strict';
import { phrase } from '../../../src/base/phrase.ts';
import { SentenceError } from '../../../src/base/sentenceError.ts';
import { ExchangeError, type Failure } from '../../../src/exchange/errors.ts';
import { anAccount, aPosition } from '../../support/builders.ts';
import { aDisplay } from '../../support/display.ts';
import { standInForVscode } from './panelsVscode.ts';

standInForVscode();
const { ageWords, sentenceFor } = await import('../../../src/host/words.ts');
const { accountPart } = await import('../../../src/host/panels/accountPart.ts');
const { tableByName } = await import('../../../src/host/panels/tableByName.ts');
const { tableTexts } = await import('../../../src/host/panels/tableTexts.ts');
const { pageNotes } = await import('../../../src/host/panels/pageNotes.ts');
const { assetsView, lockedOrdersView, positionsView } =
  await import('../../../src/host/trees/accountViews.ts');
const { tableNames } = await import('../../../src/protocol/table.ts');
const { wordsOf } = await import('../../../src/pages/table/words.ts');

const german = aDisplay({ locale: 'de' });

function sentence(failure: Partial<Failure>, display = aDisplay()): string {
  const whole = { kind: 'server', sent: 'yes', operation: 'accounts', ...failure } as const;
  return sentenceFor(new ExchangeError(whole), display);
}

describe('what is said of a request that was not sent as set up', () => {
  it('has what is wrong and its cure, once', () => {
    const kind = 'configuration';
    assert.equal(
      sentence({ kind, detail: phrase('The API key is empty: enter it anew.') }),
      'Nothing was sent for reading the account. The API key is empty: enter it anew.',
    );
    assert.equal(
      sentence({ kind, detail: phrase('its weight is too much: raise the share') }),
      'Nothing was sent for reading the account: its weight is too much: raise the share.',
    );
  });

  it('sends to the profile where nothing more is known', () => {
    assert.equal(
      sentence({ kind: 'configuration' }),
      'Nothing was sent for reading the account. Check the profile by “Margin Desk: Edit Profile”.',
    );
  });
});

describe('what is said of an answer that is none', () => {
  it('has the exchange’s own words, whose figures privacy masks', () => {
    const failure = {
      ...({ kind: 'malformed', status: 200, serverWords: 'Closed at 12000' } as const),
      detail: phrase('the answer is {0}', phrase('no JSON')),
    };
    assert.equal(
      sentence(failure),
      'The answer to reading the account is not what the interface promises: the answer is no JSON. It said: HTTP 200: “Closed at 12000”. Check that the base URL is the exchange’s.',
    );
    assert.match(sentence(failure, aDisplay({ hidesMoney: true })), /“Closed at •••”/);
  });

  it('sends to the exchange after a cancel-all, which may have been done', () => {
    assert.match(
      sentence({ kind: 'malformed', operation: 'cancelAll', detail: 'HTTP 202' }),
      /promises: HTTP 202\. Look at the exchange itself for what became of it\.$/,
    );
  });

  it('names where a redirect leads, what was said, and how to follow a move', () => {
    assert.equal(
      sentence({ kind: 'redirected', status: 308, detail: 'new.example', serverWords: 'Moved' }),
      'The exchange redirected reading the account to new.example; it was not followed, so that no key goes there. It said: HTTP 308: “Moved”. Check the base URL; where the exchange has moved, “Margin Desk: Edit Profile” takes its new address.',
    );
  });
});

describe('counts in sentences stand as the language groups them', () => {
  it('in ages, waits and words of other rooms', () => {
    assert.equal(ageWords(12_345 * 3_600_000, german), '12.345 h');
    assert.match(
      sentence({ kind: 'rateLimited', status: 429, retryAfterMs: 1_234_000 }, german),
      /It asks to wait 1\.234 s\.$/,
    );
    const error = new SentenceError(phrase('{0} requests, {1}', 12_345, phrase('{0} days', 1000)));
    assert.equal(sentenceFor(error, german), '12.345 requests, 1.000 days');
  });

  it('over a table and on its page', () => {
    const page = { slices: 101, weight: 1010, outside: 1234, largest: null };
    const notes = pageNotes(
      { ...page, unmatched: [], undecided: [] } as unknown as Parameters<typeof pageNotes>[0],
      { filters: {}, page: 0, size: 20 },
      german,
    );
    assert.match(notes.join(' '), /^1\.234 rows at .+ Cost 1\.010 of .+ in 101 slices\.$/);
    const words = wordsOf(tableTexts('orders'), 'de');
    assert.equal(words.pastEnd(1_234_567), 'Page 1.234.567 is past the end');
    assert.equal(words.retryIn(1234), 'Trying again in 1.234 s');
  });

  it('on the badge, also where they are no whole numbers', () => {
    const { snapshot } = { snapshot: { account: anAccount(), badRecords: [], asOf: 0 } };
    const critical = { band: 'critical' };
    const drawing = {
      ...{ snapshot, session: { freshness: {} }, display: german },
      risk: {
        limits: { criticalPercent: 2.5 },
        byDanger: () => Array.from({ length: 1234 }, () => critical),
      },
    };
    const badge = positionsView().badge?.(drawing as never);
    assert.equal(
      badge?.tooltip,
      '1.234 critical positions: within 2,5 % of liquidation, or past it',
    );
  });
});

describe('what a page says of the account', () => {
  const snapshot = {
    account: anAccount({ positions: [aPosition({ leverage: '3', symbol: 'btc_usdt' })] }),
    ...{ badRecords: [], asOf: Date.UTC(2026, 10, 20) },
  };
  const partOf = (name: 'leverageRules' | 'exchangeInformation', staleMs: number | undefined) => {
    const session = { store: { state: { snapshot } }, freshness: { staleMs } };
    const active = { state: { kind: 'open', session } } as unknown as Parameters<
      typeof accountPart
    >[2];
    return accountPart(tableByName(name), [['2'], ['3']], active, aDisplay());
  };

  it('is of the newest snapshot, and is stale when that is', () => {
    const fresh = partOf('leverageRules', undefined);
    assert.deepEqual([fresh.marks, fresh.notes], [[{ row: 1, label: 'btc_usdt' }], []]);
    assert.deepEqual(partOf('leverageRules', 190_000).notes, [
      'Stale: what this page says of the account is 3 min old, as of 2026-11-20 00:00:00 UTC.',
    ]);
  });

  it('is nothing where a table takes nothing from it', () => {
    const nothing = { marks: [], facts: [], notes: [] };
    assert.deepEqual(partOf('exchangeInformation', 190_000), nothing);
  });
});

describe('where there is nothing', () => {
  it('each view says what it means and what to do', () => {
    for (const { empty } of [positionsView(), assetsView(), lockedOrdersView()])
      assert.match(empty, /^(?:No|Nothing) [^:.]+: [^.]+ after the next refresh\.$/);
  });

  for (const table of tableNames)
    it(`the table ${table} says what to do, with and without filters`, () => {
      const { nothingYetCure, noMatchCure } = tableTexts(table);
      assert.match(nothingYetCure, /[Rr]efresh/);
      assert.match(noMatchCure, /^Widen the period .+ reset them all\.$/);
    });
});

describe('the sentence of a failure', () => {
  it('says of a 407 that a proxy asks, not that the exchange refused', () => {
    const failure = { kind: 'refused', sent: 'yes', operation: 'orders', status: 407 } as const;
    const sentence = sentenceFor(new ExchangeError(failure), aDisplay());
    assert.match(sentence, /^A proxy wants a sign-in before it lets .+ through \(HTTP 407\)\./);
    assert.doesNotMatch(sentence, /exchange refused|filters/);
  });
});

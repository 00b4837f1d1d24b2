import assert from 'node:assert/strict';
import { UserFacingError } from '../../../../src/base/errors.ts';
import { phrase } from '../../../../src/base/phrase.ts';
import { aDisplay } from '../../../support/display.ts';
import { errorText } from '../../../../src/host/text/failureText.ts';
import { ageText, localizedTexts } from '../../../../src/host/text/messageText.ts';
import { tableTexts } from '../../../../src/host/tables/tables.ts';
import { pageNotes } from '../../../../src/host/tables/exchangeRows.ts';
import { tableNames } from '../../../../src/protocol/table.ts';
import { formatTexts } from '../../../../src/pages/table/state/pageTexts.ts';
const { l10n } = (await import('vscode')) as unknown as { l10n: { t: () => string } };

const german = aDisplay({ locale: 'de' });

describe('counts in sentences are formatted for the language', () => {
  it('in ages, waits and phrases of other rooms', () => {
    assert.equal(ageText(12_345 * 3_600_000, german), '12.345 h');
    const error = new UserFacingError(
      phrase('{0} requests, {1}', 12_345, phrase('{0} days', 1000)),
    );
    assert.equal(errorText(error, german), '12.345 requests, 1.000 days');
  });

  it('over a table and on its page', () => {
    const page = { ignoredFilters: [], unproven: [], filteredHere: [], filtered: 0 };
    const notes = pageNotes({ ...page, outside: 1234, maxPageSize: 1010 }, 5000, german);
    assert.match(notes.join(' '), /^1\.234 rows at .+ at most 1\.010 rows per page\.$/);
    const texts = formatTexts(tableTexts('orders'), 'de');
    assert.equal(texts.pastEnd(1_234_567), 'Page 1.234.567 is past the end');
    assert.equal(texts.retryIn(1234), 'Retrying in 1.234 s');
  });
});

describe('a table without rows', () => {
  it('says what to do, with and without filters', () => {
    for (const table of tableNames) {
      const { nothingYetHint, noMatchHint } = tableTexts(table);
      assert.match(nothingYetHint, /[Rr]efresh/);
      assert.match(noMatchHint, /^Extend the period .+ clear all filters\.$/);
    }
  });
});

describe('a text of a page that lost its place in a translation', () => {
  const { t } = l10n;
  afterEach(() => (l10n.t = t));

  it('is that of the language of the source: without the figure it would say something else', () => {
    l10n.t = () => 'Weiter';
    const texts = localizedTexts({
      next: phrase('Next'),
      past: phrase('Page {0} is past the end'),
    });
    assert.deepEqual(texts, { next: 'Weiter', past: 'Page {0} is past the end' });
  });
});

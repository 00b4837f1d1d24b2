import assert from 'node:assert/strict';
import { always, openEnd, openStart } from '../../../../src/base/interval.ts';
import {
  datesText,
  parseDates,
  readDates,
  writeDates,
} from '../../../../src/pages/document/dates.ts';
import { aDisplay } from '../../../support/display.ts';
import { englishDocumentTexts } from '../../../support/englishTexts.ts';

const texts = englishDocumentTexts();
const utc = aDisplay();
const berlin = aDisplay({ timeZone: 'Europe/Berlin' });

const at = (instant: string): number => Date.parse(instant);

describe('a period of two dates', () => {
  it('has both days whole, in the chosen zone', () => {
    const typed = { from: '2026-01-01', to: '2026-03-31' };
    assert.deepEqual(parseDates(typed, utc, texts), {
      dates: { from: at('2026-01-01T00:00Z'), to: at('2026-04-01T00:00Z') },
    });
    assert.deepEqual(parseDates(typed, berlin, texts), {
      dates: { from: at('2025-12-31T23:00Z'), to: at('2026-03-31T22:00Z') },
    });
  });

  it('includes the second of a time that it ends at', () => {
    const typed = { from: '2026-01-01T10:00', to: '2026-01-01 11:30:05' };
    assert.deepEqual(parseDates(typed, utc, texts), {
      dates: { from: at('2026-01-01T10:00Z'), to: at('2026-01-01T11:30:06Z') },
    });
  });

  it('is open where a field is empty', () => {
    assert.deepEqual(parseDates({ from: '', to: '2026-03-31' }, utc, texts), {
      dates: { from: openStart, to: at('2026-04-01T00:00Z') },
    });
    assert.deepEqual(parseDates({ from: ' ', to: '' }, utc, texts), {
      dates: always,
    });
  });

  it('names each field that is no date, and how to enter one', () => {
    assert.deepEqual(parseDates({ from: '1.1.2026', to: '2026-02-30' }, utc, texts), {
      errors: {
        from: 'From is not a date. Enter it as 2026-11-20 or 2026-11-20T10:00.',
        to: 'To is not a date. Enter it as 2026-11-20 or 2026-11-20T10:00.',
      },
    });
  });

  it('names ends in the wrong order', () => {
    assert.deepEqual(parseDates({ from: '2026-02-01', to: '2026-01-01' }, utc, texts), {
      errors: { from: 'From is later than To.' },
    });
  });

  it('is the text of a choice, empty if both ends are open', () => {
    const dates = { from: at('1969-12-31T00:00Z'), to: openEnd };
    assert.equal(writeDates(dates), '-86400000/');
    assert.deepEqual(readDates('-86400000/'), dates);
    assert.equal(writeDates(always), '');
    assert.deepEqual(['', '30'].map(readDates), [null, null]);
  });

  it('is named by its days or moments, as they are typed', () => {
    const named = (from: string, to: string, display = utc): string => {
      const parsed = parseDates({ from, to }, display, texts);
      assert.ok('dates' in parsed);
      return datesText(parsed.dates, display, texts);
    };
    for (const display of [utc, berlin])
      assert.equal(named('2026-01-01', '2026-03-31', display), '2026-01-01 – 2026-03-31');
    assert.equal(named('2026-01-01T10:00', '2026-01-02'), '2026-01-01 10:00 – 2026-01-02');
    assert.equal(named('', '2026-03-31'), 'Until 2026-03-31');
    assert.equal(named('2026-01-01', ''), 'From 2026-01-01');
  });
});

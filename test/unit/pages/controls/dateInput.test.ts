import assert from 'node:assert/strict';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import {
  parseDateTimeInput,
  dateTimeInputValue,
} from '../../../../src/pages/controls/dateInput.ts';

const utc = new TimeZone('UTC');
const kiritimati = new TimeZone('Pacific/Kiritimati');

describe('a date and time input', () => {
  it('is read as an instant in UTC, to the second', () => {
    assert.equal(parseDateTimeInput('2026-11-20T10:00', utc), '2026-11-20T10:00:00.000Z');
    assert.equal(parseDateTimeInput('2026-11-20T10:00:07', utc), '2026-11-20T10:00:07.000Z');
    for (const text of ['2026-11-20T10:00:07.5', ' 2026-11-20 10:00:07 '])
      assert.equal(parseDateTimeInput(text, utc), '2026-11-20T10:00:07.000Z', text);
    assert.equal(parseDateTimeInput('2026-11-20', utc), '2026-11-20T00:00:00.000Z');
    assert.equal(parseDateTimeInput('2026-11-20', utc, 'last'), '2026-11-20T23:59:59.000Z');
  });

  it('is not read if its value is invalid', () => {
    for (const text of [
      '',
      '2026-11',
      '2026-13-20T10:00',
      '2026-02-30',
      '2026-06-31T10:00',
      '2026-11-20T',
      '12026-01-01T00:00',
      'now',
    ])
      assert.equal(parseDateTimeInput(text, utc), null, text);
  });

  it('shows an instant without zero seconds, in ISO 8601', () => {
    assert.equal(dateTimeInputValue('2026-11-20T10:00:00.000Z', utc), '2026-11-20T10:00');
    assert.equal(dateTimeInputValue('2026-11-20T10:00:07.000Z', utc), '2026-11-20T10:00:07');
    assert.equal(dateTimeInputValue('yesterday', utc), '');
  });

  it('is in the given time zone', () => {
    assert.equal(parseDateTimeInput('2026-11-20T10:00', kiritimati), '2026-11-19T20:00:00.000Z');
    assert.equal(dateTimeInputValue('2026-11-19T20:00:00.000Z', kiritimati), '2026-11-20T10:00');
  });

  it('covers the last year of four digits', () => {
    const losAngeles = new TimeZone('America/Los_Angeles');
    const instant = parseDateTimeInput('9999-12-31T23:00', losAngeles);
    assert.equal(instant, '+010000-01-01T07:00:00.000Z');
    assert.equal(dateTimeInputValue(instant, losAngeles), '9999-12-31T23:00');
    assert.equal(dateTimeInputValue(instant, utc), '');
  });
});

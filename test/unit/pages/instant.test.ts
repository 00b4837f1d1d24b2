import assert from 'node:assert/strict';
import { TimeZone } from '../../../src/base/timeZone.ts';
import { toInstant, toLocal } from '../../../src/pages/table/instant.ts';

const utc = new TimeZone('UTC');
const kiritimati = new TimeZone('Pacific/Kiritimati');

describe('an instant in a date and time control', () => {
  it('crosses with milliseconds 000', () => {
    assert.equal(toInstant('2026-11-20T10:00', utc), '2026-11-20T10:00:00.000Z');
    assert.equal(toInstant('2026-11-20T10:00:07', utc), '2026-11-20T10:00:07.000Z');
    assert.equal(toInstant('2026-11-20T10:00:07.5', utc), '2026-11-20T10:00:07.000Z');
  });

  it('is none where the text is none', () => {
    for (const text of ['', '2026-11-20', '2026-13-20T10:00', '12026-01-01T00:00', 'now'])
      assert.equal(toInstant(text, utc), null, text);
  });

  it('is shown in the shortest form, as the control gives it back', () => {
    assert.equal(toLocal('2026-11-20T10:00:00.000Z', utc), '2026-11-20T10:00');
    assert.equal(toLocal('2026-11-20T10:00:07.000Z', utc), '2026-11-20T10:00:07');
    assert.equal(toLocal('yesterday', utc), '');
  });

  it('is typed and shown in the zone', () => {
    assert.equal(toInstant('2026-11-20T10:00', kiritimati), '2026-11-19T20:00:00.000Z');
    assert.equal(toLocal('2026-11-19T20:00:00.000Z', kiritimati), '2026-11-20T10:00');
  });

  it('crosses from the last year of the control, too', () => {
    const losAngeles = new TimeZone('America/Los_Angeles');
    const instant = toInstant('9999-12-31T23:00', losAngeles);
    assert.equal(instant, '+010000-01-01T07:00:00.000Z');
    assert.equal(toLocal(instant, losAngeles), '9999-12-31T23:00');
    assert.equal(toLocal(instant, utc), '');
  });
});

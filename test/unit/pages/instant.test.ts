import assert from 'node:assert/strict';
import { toInstant, toLocal } from '../../../src/pages/table/instant.ts';

describe('an instant in a date and time control', () => {
  it('crosses with milliseconds 000', () => {
    assert.equal(toInstant('2026-11-20T10:00'), '2026-11-20T10:00:00.000Z');
    assert.equal(toInstant('2026-11-20T10:00:07'), '2026-11-20T10:00:07.000Z');
    assert.equal(toInstant('2026-11-20T10:00:07.5'), '2026-11-20T10:00:07.000Z');
  });

  it('is none where the text is none', () => {
    for (const text of ['', '2026-11-20', '2026-13-20T10:00', '12026-01-01T00:00', 'now'])
      assert.equal(toInstant(text), null, text);
  });

  it('is shown in the shortest form, as the control gives it back', () => {
    assert.equal(toLocal('2026-11-20T10:00:00.000Z'), '2026-11-20T10:00');
    assert.equal(toLocal('2026-11-20T10:00:07.000Z'), '2026-11-20T10:00:07');
    assert.equal(toLocal('yesterday'), '');
  });
});

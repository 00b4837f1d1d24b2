import assert from 'node:assert/strict';
import { compareOffsets } from '../support/zoneOffsets.ts';

describe('the offsets of a time zone', () => {
  it('are those of the system’s clock on each day of UTC with a change at any full hour', () => {
    assert.ok(compareOffsets(3_600_000) > 5000);
  });
});

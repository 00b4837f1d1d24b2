import assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';

const patient = { everyMs: 1 };
const soon = { deadlineMs: 30, everyMs: 1 };

describe('eventually', () => {
  it('returns the first truthy answer', async () => {
    let asked = 0;
    assert.equal(await eventually('three', () => (++asked === 3 ? 'three' : ''), patient), 'three');
  });

  it('retries after a throw', async () => {
    let asked = 0;
    const answer = await eventually(
      'an answer',
      () => {
        if (++asked < 3) throw new Error('not yet');
        return asked;
      },
      patient,
    );
    assert.equal(answer, 3);
  });

  it('fails with what was awaited and the last answer', async () => {
    await assert.rejects(
      eventually('a row', () => false, soon),
      /Not within 30 ms: a row \(last: false\)/,
    );
    await assert.rejects(
      eventually('a row', () => assert.equal(1, 2, 'still 1'), soon),
      /a row \(last: still 1/,
    );
  });
});

import assert from 'node:assert/strict';
import { nextTryText } from '../../../../src/host/text/signInHelp.ts';
import { aDisplay } from '../../../support/display.ts';

describe('the time until the next try', () => {
  it('is in seconds below two minutes, then in minutes, and none while the account is read', () => {
    const textOf = (nextReadInMs: number): string =>
      nextTryText({ refresher: { nextReadInMs } }, aDisplay());
    assert.deepEqual([22_001, 119_000, 119_001, 4_798_000, NaN].map(textOf), [
      'Next try in 23 s.',
      'Next try in 119 s.',
      'Next try in 2 min.',
      'Next try in 80 min.',
      '',
    ]);
  });
});

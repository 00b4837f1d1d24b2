import assert from 'node:assert/strict';
import { chosenSteps } from '../../support/testSteps.ts';

const chosen = (...args: string[]) => {
  const { steps, words } = chosenSteps(args);
  return { steps: steps.map(({ name }) => name), words };
};

describe('the words of a run of tests', () => {
  it('choose everything, a group, or some steps of it', () => {
    const everything = chosen().steps;
    assert.deepEqual(everything.slice(0, 4), chosen('fast').steps);
    assert.ok(['host', 'workbench', 'floor'].every((name) => everything.includes(name)));
    assert.deepEqual(chosen('fast', 'unit', 'lint'), { steps: ['unit', 'lint'], words: [] });
  });

  it('choose one step, and what in it', () => {
    assert.deepEqual(chosen('host', 'privacy'), { steps: ['host'], words: ['privacy'] });
    assert.deepEqual(chosen('soak'), { steps: ['soak'], words: [] });
  });

  it('fail if there is no such step, and say which there are', () => {
    assert.throws(() => chosen('uni'), /no tests named "uni", but these: .*\bunit\b/);
    assert.throws(() => chosen('fast', 'host'), /no tests named "host", but these: lint, check/);
  });
});

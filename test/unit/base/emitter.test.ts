import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/emitter.ts';
import { eventually } from '../../support/eventually.ts';
import { uncaughtErrors } from '../../support/uncaughtErrors.ts';

describe('Emitter', () => {
  it('reaches every listener until it is disposed, even when one disposes another', () => {
    const heard: string[] = [];
    const emitter = new Emitter<string>();
    const first = emitter.event((value) => {
      heard.push(`first ${value}`);
      first.dispose();
    });
    emitter.event((value) => heard.push(`second ${value}`));
    emitter.fire('a');
    emitter.fire('b');
    emitter.dispose();
    emitter.fire('c');
    assert.deepEqual(heard, ['first a', 'second a', 'second b']);
  });

  it('reaches the listeners after one that throws, and reports the error', () => {
    const heard: unknown[] = [];
    const emitter = new Emitter<string>((problem) => heard.push(problem));
    const bug = new TypeError('a view failed');
    emitter.event(() => {
      throw bug;
    });
    emitter.event((value) => heard.push(value));
    emitter.fire('a');
    assert.deepEqual(heard, [bug, 'a']);
  });
});

describe('what a listener throws', () => {
  const uncaught = uncaughtErrors();

  it('is an uncaught error when nothing handles it', async () => {
    const bug = new TypeError('a view failed');
    const emitter = new Emitter<number>();
    emitter.event(() => {
      throw bug;
    });
    emitter.fire(1);
    assert.deepEqual(uncaught, []);
    await eventually('the error', () => uncaught.length > 0);
    assert.deepEqual(uncaught, [bug]);
  });
});

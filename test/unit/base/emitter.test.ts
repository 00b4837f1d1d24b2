import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/emitter.ts';

describe('Emitter', () => {
  it('reaches every listener until it is disposed, and one that ends another meanwhile', () => {
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
});

import assert from 'node:assert/strict';
import { DisposableStore } from '../../../src/base/disposable.ts';

describe('DisposableStore', () => {
  it('disposes in reverse order, and a late addition immediately', () => {
    const ended: number[] = [];
    const store = new DisposableStore();
    for (const n of [1, 2]) store.add({ dispose: () => ended.push(n) });
    store.dispose();
    store.dispose();
    store.add({ dispose: () => ended.push(3) });
    assert.deepEqual(ended, [2, 1, 3]);
  });
});

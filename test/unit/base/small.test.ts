import assert from 'node:assert/strict';
import { cleanText } from '../../../src/base/cleanText.ts';
import { DisposableStore } from '../../../src/base/disposable.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import { singleFlight } from '../../../src/base/singleFlight.ts';

describe('cleanText', () => {
  it('turns what cannot be seen into one space', () => {
    assert.equal(cleanText('btc\u202e_\u0000\u001b[31musdt\u200b'), 'btc _ [31musdt');
    assert.equal(cleanText('  naïve ₿ 日本 '), 'naïve ₿ 日本');
  });

  it('ends a long text with an ellipsis', () => {
    assert.equal(cleanText('abcdef', 4), 'abc…');
  });
});

describe('DisposableStore', () => {
  it('ends things in reverse, and a late one at once', () => {
    const ended: number[] = [];
    const store = new DisposableStore();
    for (const n of [1, 2]) store.add({ dispose: () => ended.push(n) });
    store.dispose();
    store.dispose();
    store.add({ dispose: () => ended.push(3) });
    assert.deepEqual(ended, [2, 1, 3]);
  });
});

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

describe('singleFlight', () => {
  it('shares a call that runs and starts anew after it ended, also by a failure', async () => {
    let calls = 0;
    const call = singleFlight(() => Promise.reject(new Error(String((calls += 1)))));
    const [one, two] = await Promise.allSettled([call(), call()]);
    assert.deepEqual([one, two].map(reason), ['1', '1']);
    await assert.rejects(call(), { message: '2' });
  });
});

function reason(result: PromiseSettledResult<unknown>): string {
  return result.status === 'rejected' ? (result.reason as Error).message : 'fulfilled';
}

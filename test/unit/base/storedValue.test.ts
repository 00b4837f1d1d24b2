import assert from 'node:assert/strict';
import * as v from 'valibot';
import { FakeClock } from '../../support/fakeClock.ts';
import {
  StoredItems,
  StoredValue,
  storedList,
  type ValueStorage,
} from '../../../src/base/storedValue.ts';

/** VS Code's memory. The first `lost` writes are undone by news of what another window has written. */
class Memory implements ValueStorage {
  readonly values = new Map<string, unknown>();
  writes = 0;
  lost = 0;
  other: unknown;
  get(key: string): unknown {
    return this.values.get(key);
  }
  async update(key: string, value: unknown): Promise<void> {
    this.writes += 1;
    this.put(key, value);
    await Promise.resolve();
    if (this.writes <= this.lost) this.put(key, this.other);
  }
  private put(key: string, value: unknown): void {
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, JSON.parse(JSON.stringify(value)));
  }
}

describe('a value that VS Code stores', () => {
  let memory: Memory;
  beforeEach(() => (memory = new Memory()));
  const names = () => storedList(memory, 'names', v.string());
  const add = (name: string) => (all: readonly string[]) => [...new Set([...all, name])];

  it('has every change of this window when VS Code loses one of several', async () => {
    for (const lost of [1, 2]) {
      memory = new Memory();
      memory.lost = lost;
      const own = names();
      await Promise.all(['one', 'two'].map((name) => own.update(add(name))));
      assert.deepEqual(names().get(), ['one', 'two'], String(lost));
    }
  });

  it('keeps what another window wrote when it is written again', async () => {
    memory.lost = 1;
    memory.other = ['other'];
    await names().update(add('own'));
    assert.deepEqual(names().get(), ['other', 'own']);
  });

  it('is written only if it changes, and not while it is what it was at first', async () => {
    const own = names();
    await own.set([]);
    await own.set(['one']);
    await own.set(['one']);
    assert.equal(memory.writes, 1);
    await own.set([]);
    assert.equal(memory.values.size, 0);
  });

  it('is written once if it may be lost', async () => {
    memory.lost = 1;
    const own = storedList(memory, 'names', v.string(), { maxWrites: 1 });
    await own.set(['one']);
    assert.deepEqual([memory.writes, own.get()], [1, []]);
  });

  it('is what is stored again when it could not be written', async () => {
    const failing: ValueStorage = {
      get: () => ['stored'],
      update: () => Promise.reject(new Error('no space')),
    };
    const own = storedList(failing, 'names', v.string());
    const storing = own.set(['new']);
    assert.deepEqual(own.get(), ['new']);
    await assert.rejects(storing, /no space/);
    assert.deepEqual(own.get(), ['stored']);
  });

  it('is not written again because a field is missing or fields are in another order', async () => {
    const schema = v.object({ first: v.optional(v.number()), last: v.string() });
    const own = new StoredValue<v.InferOutput<typeof schema> | undefined>(memory, 'one', schema, {
      initial: undefined,
    });
    await own.set({ last: 'z', first: undefined });
    assert.equal(memory.writes, 1);
  });

  it('is checked once for each stored value, not at each read', () => {
    let checks = 0;
    const counted = v.custom<string>((value) => ((checks += 1), typeof value === 'string'));
    const own = new StoredValue(memory, 'one', counted, { initial: '' });
    for (const stored of ['first', 'other', 7]) {
      memory.values.set('one', stored);
      checks = 0;
      const seen = [own.get(), own.get()];
      assert.deepEqual([seen, checks], [Array(2).fill(stored === 7 ? '' : stored), 1]);
    }
  });

  it('is a list of the newest items', async () => {
    const own = storedList(memory, 'names', v.string(), { limit: 2 });
    for (const name of ['one', 'two', 'three']) await own.update(add(name));
    assert.deepEqual(own.get(), ['two', 'three']);
    assert.deepEqual(memory.values.get('names'), ['two', 'three']);
  });

  it('is a list without what is damaged in it', () => {
    memory.values.set('names', ['one', 2, null, 'three']);
    assert.deepEqual(names().get(), ['one', 'three']);
    memory.values.set('names', 'one');
    assert.deepEqual(names().get(), []);
  });
});

describe('items that VS Code stores', () => {
  let memory: Memory;
  let clock: FakeClock;
  beforeEach(() => {
    memory = new Memory();
    clock = new FakeClock(100);
  });
  const timed = v.object({ name: v.string(), time: v.number() });
  const items = () =>
    new StoredItems(memory, 'timed', timed, {
      ...{ limit: 2, expiresAfterMs: 10, clock },
      timeOf: ({ time }) => time,
      keyOf: ({ name }) => name,
    });
  const stored = () => memory.values.get('timed');

  it('are the newest of each key, newest first, without what has expired or is of the future', async () => {
    const all = [
      ['late', 101],
      ['new', 100],
      ['one', 95],
      ['one', 94],
      ['two', 93],
      ['old', 90],
    ].map(([name, time]) => ({ name: String(name), time: Number(time) }));
    memory.values.set('timed', all);
    assert.deepEqual(items().get(), [all[1], all[2]]);
    await clock.advance(4);
    const last = { name: 'new', time: 104 };
    await items().put([last]);
    assert.deepEqual(
      [items().get(), stored()],
      [
        [last, all[0]],
        [last, all[0]],
      ],
    );
  });

  it('are known to the window that put them when a write is lost, and written with the next', async () => {
    const own = items();
    memory.lost = 1;
    const [one, two] = [95, 96].map((time) => ({ name: String(time), time }));
    assert.ok(one && two);
    await own.put([one]);
    assert.deepEqual([memory.writes, stored(), own.get()], [1, undefined, [one]]);
    await own.put([two]);
    assert.deepEqual(stored(), [two, one]);
  });
});

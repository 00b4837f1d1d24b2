import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { TableChoices } from '../../../../src/host/panels/tableChoices.ts';

/** VS Code's memory; `lost` of the next writes are undone, as by news of an earlier one. */
function memory(lost = 0) {
  const values = new Map<string, unknown>();
  const writes: unknown[] = [];
  const update = async (key: string, value: unknown): Promise<void> => {
    writes.push(value);
    values.set(key, value);
    await Promise.resolve();
    if (writes.length <= lost) values.delete(key);
  };
  const get = (key: string) => values.get(key);
  return { writes, storage: { get, update, keys: () => [] } as unknown as Memento };
}

const layoutOfWidth = (symbol: number) => ({ order: [], hidden: [], widths: { symbol } });

describe('the choices for a table', () => {
  it('are there at once, and are written again if VS Code lost them', async () => {
    const { storage, writes } = memory(1);
    const choices = new TableChoices(storage);
    const kept = choices.keepLayout('orders', layoutOfWidth(140));
    assert.deepEqual(choices.layoutOf('orders'), layoutOfWidth(140));
    await kept;
    assert.equal(writes.length, 2);
    assert.deepEqual(new TableChoices(storage).layoutOf('orders'), layoutOfWidth(140));
  });

  it('are not replaced by an earlier one that was lost', async () => {
    const { storage } = memory(1);
    const choices = new TableChoices(storage);
    await Promise.all(
      [140, 150].map((width) => choices.keepLayout('orders', layoutOfWidth(width))),
    );
    assert.deepEqual(choices.layoutOf('orders'), layoutOfWidth(150));
    assert.deepEqual(new TableChoices(storage).layoutOf('orders'), layoutOfWidth(150));
  });

  it('follow those of other windows afterwards', async () => {
    const { storage } = memory();
    const [own, other] = [new TableChoices(storage), new TableChoices(storage)];
    await own.keepPageSize('trades', 20);
    await other.keepPageSize('trades', 500);
    assert.equal(own.pageSizeOf('trades'), 500);
  });

  it('are given up after three writes', async () => {
    const { storage, writes } = memory(9);
    const choices = new TableChoices(storage);
    await choices.keepSource('trades', 'ledger');
    assert.deepEqual([writes.length, choices.sourceOf('trades')], [3, undefined]);
  });
});

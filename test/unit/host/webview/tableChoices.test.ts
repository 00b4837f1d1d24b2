import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { storedTableChoices } from '../../../../src/host/webview/tableChoices.ts';

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
    const choices = storedTableChoices(storage, storage);
    const kept = choices.layout('orders').set(layoutOfWidth(140));
    assert.deepEqual(choices.layout('orders').get(), layoutOfWidth(140));
    await kept;
    assert.equal(writes.length, 2);
    assert.deepEqual(
      storedTableChoices(storage, storage).layout('orders').get(),
      layoutOfWidth(140),
    );
  });

  it('are not replaced by an earlier one that was lost', async () => {
    const { storage } = memory(1);
    const choices = storedTableChoices(storage, storage);
    await Promise.all(
      [140, 150].map((width) => choices.layout('orders').set(layoutOfWidth(width))),
    );
    assert.deepEqual(choices.layout('orders').get(), layoutOfWidth(150));
    assert.deepEqual(
      storedTableChoices(storage, storage).layout('orders').get(),
      layoutOfWidth(150),
    );
  });

  it('follow those of other windows afterwards', async () => {
    const { storage } = memory();
    const [own, other] = [
      storedTableChoices(storage, storage),
      storedTableChoices(storage, storage),
    ];
    await own.pageSize('trades').set(20);
    await other.pageSize('trades').set(500);
    assert.equal(own.pageSize('trades').get(), 500);
  });

  it('are given up after three writes', async () => {
    const { storage, writes } = memory(9);
    const choices = storedTableChoices(storage, storage);
    await choices.source('trades').set('ledger');
    assert.deepEqual([writes.length, choices.source('trades').get()], [3, undefined]);
  });
});

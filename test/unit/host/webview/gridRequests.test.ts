import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { historyTables } from '../../../../src/host/tables/histories.ts';
import {
  gridRequests,
  type GridRequestsOptions,
} from '../../../../src/host/webview/gridRequests.ts';
import type { FieldCopy } from '../../../../src/protocol/gridMessages.ts';
import { anOrder } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';
const { env } = (await import('vscode')) as unknown as {
  env: { clipboard: { writeText: (text: string) => Promise<void> } };
};

const { columns } = historyTables().orders;
const order = anOrder({ amount: '6543217.10', extra: { reserve: '12.75' } });
const { signal } = new AbortController();

describe('what is copied of a grid in privacy mode', () => {
  const { writeText } = env.clipboard;
  let copied: string[];
  let asked: number;
  let agrees: boolean;

  beforeEach(() => {
    [copied, asked, agrees] = [[], 0, false];
    env.clipboard.writeText = (text) => Promise.resolve(void copied.push(text));
  });
  after(() => (env.clipboard.writeText = writeText));

  const handlers = gridRequests({
    display: { latest: () => aDisplay({ hidesMoney: true }) },
    confirmRealValues: () => {
      asked += 1;
      return Promise.resolve(agrees);
    },
    log: { failure: (_doing: string, error: unknown) => assert.fail(String(error)) },
    onCopied: () => undefined,
    columns: () => columns,
    records: (pageId: number) => (pageId === 1 ? [order] : undefined),
    layout: { set: () => Promise.resolve() },
  } as unknown as GridRequestsOptions);

  async function copy(fields: readonly string[], pageId = 1): Promise<void> {
    const picked = fields.map((name) => columns.findIndex(({ field }) => field === name));
    const rows = [{ row: 0, columns: picked }];
    const selection = { pageId, columns: picked, rows, isRows: false };
    await handlers['grid/copy']({ selection, format: 'tsv' }, signal);
    await setImmediate();
  }
  async function copyField(field: string, isExtra = false): Promise<void> {
    const request: FieldCopy = { pageId: 1, row: 0, field, isExtra, as: 'text' };
    await handlers['grid/copyField'](request, signal);
    await setImmediate();
  }

  it('is a public cell at once, and a hidden one only after a question, whatever is beside it', async () => {
    await copy(['price']);
    assert.deepEqual([copied, asked], [['50000'], 0]);
    for (const fields of [['amount'], ['price', 'amount'], ['amount', 'price']]) await copy(fields);
    assert.deepEqual([copied.length, asked], [1, 3]);
    agrees = true;
    await copy(['amount']);
    assert.deepEqual(copied, ['50000', '6543217.10']);
  });

  it('is the same of a field; one that the API does not name may be anything', async () => {
    await copyField('price');
    assert.deepEqual([copied, asked], [['50000'], 0]);
    await copyField('amount');
    await copyField('reserve', true);
    assert.deepEqual([copied.length, asked], [1, 2]);
    agrees = true;
    await copyField('reserve', true);
    assert.equal(copied.at(-1), '12.75');
  });

  it('is nothing of rows that are gone', async () => {
    await assert.rejects(copy(['price'], 2), /Nothing was copied/);
    assert.deepEqual([copied, asked], [[], 0]);
  });
});

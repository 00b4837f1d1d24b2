import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { incompleteReasons } from '../../../../src/exchange/history/readToEnd.ts';
import { projectRoot } from '../../../support/project.ts';

describe('the reasons why an export is incomplete', () => {
  it('are explained in docs/exports.md, each in one row', async () => {
    const page = await readFile(path.join(projectRoot, 'docs/exports.md'), 'utf8');
    const [, table = ''] = /^\| reason .*\n.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
    const explained = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, reason]) => reason);
    assert.deepEqual(explained.toSorted(), incompleteReasons.toSorted());
  });
});

import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { mostSheetRows, sheetCount } from '../../../../../src/account/export/exportFormats.ts';
import type {
  Cells,
  ExportColumn,
} from '../../../../../src/account/export/columns/exportColumns.ts';
import { writeXlsx } from '../../../../../src/account/export/columns/xlsxFile.ts';
import { folderOfEachTest } from '../../../../support/project.ts';
import { readXlsx } from '../../../../support/readXlsx.ts';

describe('a workbook', () => {
  const scratch = folderOfEachTest();
  const column: ExportColumn = { name: 'note', at: 0, kind: 'text' };

  /** Writes texts, in pieces of two, to sheets of so many rows, and reads them back. */
  async function sheetsOf(texts: readonly string[], sheetRows?: number) {
    const target = path.join(scratch.path, 'rows.xlsx');
    const file = await open(target, 'w');
    const rows = texts.map((text): Cells => [text]);
    async function* pieces(): AsyncGenerator<readonly Cells[]> {
      for (let at = 0; at < rows.length; at += 2)
        yield await Promise.resolve(rows.slice(at, at + 2));
    }
    try {
      await writeXlsx(file, [column], pieces(), 'trades', sheetRows);
    } finally {
      await file.close();
    }
    return (await readXlsx(target)).map((sheet) => ({
      name: sheet.name,
      texts: sheet.rows.map(({ note }) => note?.value),
    }));
  }

  it('continues on further sheets, each with the names of the columns', async () => {
    assert.deepEqual(await sheetsOf(['a', 'b', 'c', 'd', 'e', 'f', 'g'], 4), [
      { name: 'trades', texts: ['a', 'b', 'c'] },
      { name: 'trades 2', texts: ['d', 'e', 'f'] },
      { name: 'trades 3', texts: ['g'] },
    ]);
    assert.deepEqual(await sheetsOf(['a', 'b', 'c'], 4), [
      { name: 'trades', texts: ['a', 'b', 'c'] },
    ]);
  });

  it('has as many sheets as were said before', () => {
    const most = mostSheetRows - 1;
    assert.deepEqual([0, 1, most, most + 1, 2 * most + 1].map(sheetCount), [1, 1, 1, 2, 3]);
  });

  it('has texts that XML and workbooks write in another way', async () => {
    const texts = ['\0\u0001\u001f\r\n\t', '_x000D_', '__x0041_', ' <&>]]> ', '\ufffe', '\u0085'];
    const [sheet] = await sheetsOf([...texts, 'half \ud83d', '__proto__']);
    assert.deepEqual(sheet?.texts, [...texts, 'half \\ud83d', '__proto__']);
  });

  it('takes the longest text of a cell', async () => {
    const [sheet] = await sheetsOf(['x'.repeat(32_767)]);
    assert.equal(sheet?.texts[0]?.length, 32_767);
    await assert.rejects(sheetsOf(['x'.repeat(32_768)]), { name: 'CellTooLong' });
  });
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ledgerHistoryNames } from '../../../src/ledger/ledger.ts';
import { columnsOf, sqlColumns } from '../../../src/ledger/storage/columns.ts';
import { migrate } from '../../../src/ledger/storage/migrations.ts';
import { parseRecord, recordJson } from '../../../src/ledger/storage/recordLines.ts';
import { aQuery, ledgerInThisThread } from '../../support/ledgerUnderTest.ts';
import { folderOfEachTest, projectRoot } from '../../support/project.ts';

/** A ledger as version 1 wrote it, with a record of each history. It never changes, as files of users do not. */
const version1 = readFileSync(path.join(projectRoot, 'test/support/ledgerVersion1.sql'), 'utf8');

/** What a database consists of, whatever the order of its columns. */
function schemaOf(database: DatabaseSync): readonly string[] {
  const columns = database
    .prepare(
      `SELECT t.name || '.' || c.name || ' ' || c.type AS text
       FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'`,
    )
    .all();
  const indexes = database.prepare("SELECT sql AS text FROM sqlite_schema WHERE type = 'index'");
  return [...columns, ...indexes.all()].map(({ text }) => String(text)).sort();
}

describe('a ledger after its migrations', () => {
  const folder = folderOfEachTest();

  for (const history of ledgerHistoryNames)
    it(`has the columns of every field of ${history}`, () => {
      const database = new DatabaseSync(':memory:');
      migrate(database);
      const schema = schemaOf(database);
      const expected = columnsOf(history).flatMap((column) => {
        const type = column.kind === 'reference' || column.kind === 'word' ? 'TEXT' : 'INTEGER';
        return sqlColumns(column).map((name) => `${history}.${name} ${type}`);
      });
      assert.deepEqual(
        expected.filter((column) => !schema.includes(column)),
        [],
      );
    });

  it('has the same tables, whether it began as version 1 or not', () => {
    const [old, fresh] = [new DatabaseSync(':memory:'), new DatabaseSync(':memory:')];
    old.exec(version1);
    migrate(old);
    migrate(fresh);
    assert.deepEqual(schemaOf(old), schemaOf(fresh));
  });

  for (const history of ledgerHistoryNames)
    it(`has every field of an old record of ${history}, and takes its new version`, () => {
      const file = path.join(folder.path, 'old.sqlite');
      const database = new DatabaseSync(file);
      database.exec(`BEGIN; ${version1} COMMIT`);
      database.close();
      const ledger = ledgerInThisThread({ file });
      const { lines, total } = ledger.rows(aQuery(history), 0, 10);
      assert.equal(total, 1);
      const record = parseRecord(lines[0] ?? assert.fail());
      assert.deepEqual(
        Object.keys(record).sort(),
        [...columnsOf(history).map(({ field }) => field), 'extra'].sort(),
      );
      const walk = { history, from: 0, to: 4e12, asOf: 4e12, purpose: 'download' } as const;
      const { id } = ledger.beginWalk(walk);
      const counts = ledger.saveStep(id, [recordJson({ ...record, amount: '7' })], null);
      ledger.close();
      assert.deepEqual(counts, { added: 0, changed: 1, unchanged: 0 });
    });
});

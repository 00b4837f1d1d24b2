import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrate, type Migrations, versionOf } from '../../../src/ledger/storage/migrations.ts';
import { assertApprovedLines } from '../../support/approved.ts';
import { aTrade } from '../../support/builders.ts';
import { aQuery, ledgerInThisThread, ledgerOf } from '../../support/ledgerUnderTest.ts';
import { folderOfEachTest } from '../../support/project.ts';

/** What a database consists of, whatever the order of its columns. */
function schemaOf(database: DatabaseSync): readonly string[] {
  const columns = database
    .prepare(
      `SELECT t.name || '.' || c.name || ' ' || c.type AS text
       FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'`,
    )
    .all();
  const indexes = database.prepare("SELECT sql AS text FROM sqlite_schema WHERE type = 'index'");
  return [...columns, ...indexes.all()]
    .flatMap(({ text }) => text ?? [])
    .map(String)
    .sort();
}

/** A made-up version 2, in which the exchange documents a field of trades that it always sent. */
function addLiquidity(database: DatabaseSync): void {
  database.exec(`
    ALTER TABLE trades ADD COLUMN liquidity TEXT;
    UPDATE trades SET liquidity = (SELECT json ->> '$.extra.liquidity' FROM tradesJson WHERE row = trades.row);
    UPDATE tradesJson SET json =
      json_set(json_remove(json, '$.extra.liquidity'), '$.liquidity', json ->> '$.extra.liquidity');
  `);
}

function fail(): void {
  throw new Error('no');
}

describe('the tables of a ledger', () => {
  const folder = folderOfEachTest();

  it('are those of version 1: others need a migration', () => {
    const database = new DatabaseSync(':memory:');
    migrate(database);
    assert.equal(versionOf(database), 1);
    assertApprovedLines('ledgerTables', schemaOf(database));
  });

  it('become those of a made-up version 2 in one transaction, with their rows', () => {
    const file = path.join(folder.path, 'one.sqlite');
    const trades = [aTrade({ extra: { liquidity: 'MAKER' } }), aTrade({ tradeId: '2' })];
    ledgerOf(file, 'trades', trades).close();
    const database = new DatabaseSync(file);
    const read = (sql: string) =>
      database
        .prepare(sql)
        .all()
        .map((row) => ({ ...row }));
    const before = schemaOf(database);
    assert.throws(() => migrate(database, [addLiquidity, fail]), /no/);
    assert.deepEqual([versionOf(database), schemaOf(database)], [1, before]);
    for (const _again of [1, 2]) migrate(database, [addLiquidity]);
    assert.equal(versionOf(database), 2);
    assert.deepEqual(schemaOf(database), [...before, 'trades.liquidity TEXT'].sort());
    assert.deepEqual(read('SELECT row, liquidity FROM trades ORDER BY row'), [
      { row: 1, liquidity: 'MAKER' },
      { row: 2, liquidity: null },
    ]);
    assert.deepEqual(
      read(
        "SELECT json ->> '$.liquidity' AS one, json ->> '$.extra' AS others FROM tradesJson ORDER BY row",
      ),
      [
        { one: 'MAKER', others: '{}' },
        { one: null, others: '{}' },
      ],
    );
    database.close();
  });

  it('are brought to version 2 when a file is opened, and version 1 leaves them as they are', () => {
    const file = path.join(folder.path, 'one.sqlite');
    ledgerOf(file, 'trades', [aTrade({ extra: { liquidity: 'MAKER' } })]).close();
    const open = (migrations: Migrations) => ledgerInThisThread({ file, migrations });
    const later = open([addLiquidity]);
    const { lines, total } = later.rows(aQuery('trades'), 0, 1);
    assert.equal(total, 1);
    assert.match(lines[0] ?? '', /"liquidity":"MAKER"/);
    later.close();
    const before = readFileSync(file);
    const earlier = open([]);
    assert.throws(() => earlier.coverage('trades'), { problem: 'newer', file });
    earlier.close();
    assert.deepEqual(readFileSync(file), before);
  });

  it('stay as they are in a file of a newer version, which is named', () => {
    const file = path.join(folder.path, 'one.sqlite');
    const database = new DatabaseSync(file);
    migrate(database, []);
    migrate(database, [addLiquidity]);
    const before = schemaOf(database);
    assert.throws(() => migrate(database, []), { problem: 'newer', file });
    assert.deepEqual([versionOf(database), schemaOf(database)], [2, before]);
    database.close();
  });
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  orProblem,
  previewBotFile,
  withBotBook,
} from '../../../../src/ledger/comparison/botFile.ts';
import { compareFile } from '../../../../src/ledger/comparison/compare.ts';
import { LedgerError } from '../../../../src/ledger/ledgerError.ts';
import { rowSql } from '../../../../src/ledger/comparison/rowSql.ts';
import { asFound } from '../../../support/comparisonTrials.ts';
import { freqtradeDatabase } from '../../../support/freqtradeDatabase.ts';

describe('the file of a bot', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bot-files-'));
  after(() => rmSync(folder, { recursive: true }));
  const inFolder = (name: string): string => path.join(folder, name);
  const text = (name: string, content: string | Buffer): string => {
    writeFileSync(inFolder(name), content);
    return inFolder(name);
  };
  const database = (name: string, sql: string): string => {
    rmSync(inFolder(name), { force: true });
    const written = new DatabaseSync(inFolder(name));
    written.exec(sql);
    written.close();
    return inFolder(name);
  };
  const bookOf = (file: string) => {
    const preview = previewBotFile(file);
    assert.ok('tables' in preview, JSON.stringify(preview));
    const [table] = preview.tables;
    const source = {
      file,
      table: table?.name ?? null,
      mapping: preview.bot ? null : (table?.guess ?? null),
    };
    return withBotBook(source, (book) => book);
  };
  const rowsOf = (file: string) => bookOf(file).rows;

  it('keeps every digit of CSV and JSON Lines, and says in which line a row is', () => {
    const csv = 'order_id;pair;qty;price;time\n7;"A;B";0.10;1.23456789012345678901;2026-01-02\n';
    const [row] = rowsOf(text('a.csv', csv));
    assert.deepEqual(
      [row?.orderId, row?.symbol, row?.amount, row?.price, row?.place.id],
      ['7', 'A;B', '0.10', '1.23456789012345678901', '2'],
    );
    const lines = '{"order":12345678901234567890,"amount":1.10,"fee":{"cost":0.3}}\n{"order":1,"am';
    const [line, ...others] = rowsOf(text('a.jsonl', lines));
    assert.deepEqual(
      [line?.orderId, line?.amount, line?.fee, others],
      ['12345678901234567890', '1.10', '0.3', []],
    );
  });

  it('is read without the rows that cannot be read, and says how many they are', () => {
    const counted = (name: string, content: string) => {
      const { rows, unreadRows } = bookOf(text(name, content));
      return [rows.map(({ orderId, place: { id } }) => `${orderId} in ${id}`), unreadRows];
    };
    const csv = 'order_id,qty,time\n1,0.1,1\n2,0.2\n\n3,"0,3",3\n4,,4\n';
    assert.deepEqual(counted('d.csv', csv), [['1 in 2', '4 in 6'], 2]);
    const lines = '{"order":1,"qty":"0.1"}\n{"order":2,"q\n\n[3]\n{"order":4,"qty":"0.4"}\n';
    assert.deepEqual(counted('d.jsonl', lines), [['1 in 1', '4 in 5'], 2]);
    // Numbers with commas in them.
    const shifted = 'order_id,qty,price\n1,0.1,61,234.5\n2,0.2,5,\n3,1,000,2';
    assert.deepEqual(counted('g.csv', shifted), [['2 in 3'], 2]);
    // The bot is writing the last line.
    assert.deepEqual(counted('e.csv', `${csv}5,0.`), [['1 in 2', '4 in 6'], 2]);
    assert.deepEqual(counted('e.jsonl', `${lines}{"or`), [['1 in 1', '4 in 5'], 2]);
  });

  it('has what was filled and its average, not what was asked, where a row has both', () => {
    const csv = 'id,price,amount,filled,average\n7,100,2,1.5,99.5\n';
    const [row] = rowsOf(text('h.csv', `order_${csv}`));
    assert.deepEqual([row?.amount, row?.price], ['1.5', '99.5']);
  });

  it('has its side from the sign of its amount, if some are below zero and none is named', () => {
    const sides = (csv: string) =>
      rowsOf(text('signed.csv', csv)).map(({ side, amount }) => `${side} ${amount}`);
    assert.deepEqual(sides('order_id,qty\n1,-0.10\n2,2\n'), ['sell 0.10', 'buy 2']);
    assert.deepEqual(sides('order_id,qty,side\n1,-1,sell\n2,-2,long\n'), ['sell 1', 'long 2']);
    assert.deepEqual(sides('order_id,qty\n1,1\n'), ['null 1']);
  });

  it('has the columns of usual exports: quantities before amounts, ids without a fraction, objects that may be null', () => {
    const csv = 'Date(UTC),Order ID,Quantity,Amount,Fee\n2026-01-02, 1001.0,2,400,1\n';
    const [exported] = rowsOf(text('i.csv', csv));
    assert.deepEqual([exported?.orderId, exported?.amount], ['1001', '2']);
    assert.equal(exported?.timeMs, Date.UTC(2026, 0, 2));
    const lines = '{"order":1,"qty":1,"fee":null}\n{"order":2,"qty":1,"fee":{"cost":2}}\n';
    assert.deepEqual(
      rowsOf(text('i.jsonl', lines)).map(({ fee }) => fee),
      [null, '2'],
    );
  });

  it('has no fee that would be a share of a price whose decimals were cut off', () => {
    const fee = (percent: string, price: string, flat: readonly object[] = []) => {
      const terms = JSON.stringify({ percent, percent_token: 'USDT', flat_fees: flat });
      return rowsOf(
        database(
          'percent.db',
          `CREATE TABLE "Order" (id); CREATE TABLE TradeFill (market, symbol, quote_asset, timestamp, order_id, trade_type, price, amount, trade_fee, exchange_trade_id);
          INSERT INTO TradeFill VALUES ('x', 'A-B', 'B', 1, 'c', 'BUY', ${price}, ${price}, '${terms}', '1')`,
        ),
      ).map((one) => (one.account === 'x' ? one.fee : 'no account'))[0];
    };
    assert.deepEqual([fee('0.5', '2000000'), fee('0.5', '2.0')], [null, '2']);
    assert.equal(Number(fee('0', '2000000')), 0);
    // Of two parts, none is the whole.
    const flat = [{ token: 'USDT', amount: '1' }];
    assert.deepEqual([fee('0', '2.0', flat), fee('0.5', '2.0', flat)], ['1', null]);
  });

  it('has no figure only if its text says so', () => {
    const csv = 'order_id,qty,price,fee\n1,1,"1,234.5",\n2,1,,"-0,35"\n3,1,NaN,null\n4,1,1e3,.5\n';
    const { rows, unreadRows } = bookOf(text('f.csv', csv));
    assert.deepEqual([rows.map(({ orderId }) => orderId), unreadRows], [['3', '4'], 2]);
  });

  it('of freqtrade has the fee of a single entry without leverage, and that of a single exit', () => {
    const fees = (leverage: number, sides: readonly string[]) => {
      const file = inFolder(`fees ${leverage} ${sides.join()}`);
      const { addTrade, addOrder, close } = freqtradeDatabase(file);
      addTrade({ id: 1, pair: 'BTC/USDT', leverage, fee_open_cost: 1, fee_close_cost: 2 });
      for (const [index, side] of sides.entries())
        addOrder({ ft_trade_id: 1, order_id: `${index}`, side, filled: 1, average: 1 });
      close();
      return rowsOf(file).map(({ fee }) => fee);
    };
    assert.deepEqual(fees(1, ['buy', 'sell']), ['1', '2']);
    assert.deepEqual(fees(3, ['buy', 'sell']), [null, '2']);
    assert.deepEqual(fees(1, ['buy', 'buy']), [null, null]);
  });

  it('is no ledger’s: a damaged ledger is a fault of its own', () => {
    const bot = text('k.csv', 'order_id,qty\n1,1\n');
    const source = { file: bot, table: null, mapping: { orderId: 'order_id', amount: 'qty' } };
    const ledger = text('ledger', `SQLite format 3\0${'x'.repeat(5000)}`);
    assert.throws(() => compareFile(ledger, source, asFound), LedgerError);
  });

  it('is a table to be mapped if its schema is not quite a known bot’s, whatever views there are', () => {
    const tablesOf = (sql: string) => {
      const preview = previewBotFile(database('schema.db', sql));
      assert.ok('tables' in preview);
      return [preview.bot, ...preview.tables.map(({ name }) => name)];
    };
    const fills =
      'CREATE TABLE TradeFill (exchange_trade_id, trade_type, trade_fee, order_id, amount)';
    assert.deepEqual(tablesOf(fills), [null, 'TradeFill']);
    const orders = 'CREATE TABLE orders (ft_trade_id, ft_pair, order_id)';
    const trades = 'CREATE TABLE trades (close_profit_abs)';
    const view = 'CREATE TABLE gone (a); CREATE VIEW old AS SELECT * FROM gone; DROP TABLE gone';
    assert.deepEqual(tablesOf([orders, trades, view].join(';')), [null, 'orders', 'trades']);
  });

  it('is refused with its problem: missing, foreign, broken, too large', () => {
    const problem = (file: string): unknown => previewBotFile(file);
    assert.deepEqual(problem(inFolder('none')), { problem: 'missing' });
    assert.deepEqual(problem(folder), { problem: 'foreign' });
    assert.deepEqual(problem(text('a.bin', Buffer.from([1, 0, 2]))), { problem: 'foreign' });
    assert.deepEqual(problem(text('a.txt', 'hello')), { problem: 'foreign' });
    assert.deepEqual(problem(text('b.jsonl', '{"a":1\nno\n{}\n')), { problem: 'broken' });
    assert.deepEqual(problem(text('a.sqlite', `SQLite format 3\0${'x'.repeat(5000)}`)), {
      problem: 'broken',
    });
    assert.deepEqual(problem(text('a.json', ' [\n{"order":1,\n"qty":2}]')), { problem: 'foreign' });
    assert.deepEqual(problem(database('none.db', 'CREATE TABLE a (b); DROP TABLE a')), {
      problem: 'foreign',
    });
    truncateSync(text('a.db', ''), 2 * 1024 ** 3);
    assert.deepEqual(problem(inFolder('a.db')), { problem: 'tooLarge' });
    const source = { file: text('c.csv', 'id,b\n1,2\n'), table: null, mapping: { amount: 'gone' } };
    assert.deepEqual(
      orProblem(() => withBotBook(source, () => 0)),
      { problem: 'changed' },
    );
  });

  it('is read with its log where nothing can be written', () => {
    const [live, disk] = [inFolder('live.sqlite'), inFolder('disk')];
    const database = new DatabaseSync(live);
    database.exec(`PRAGMA journal_mode = WAL; CREATE TABLE fills (id INTEGER PRIMARY KEY, order_id TEXT, amount TEXT);
      INSERT INTO fills VALUES (1, '7', '0.5')`);
    mkdirSync(disk);
    // SQLite itself needs a third file for a log, which it cannot create there.
    for (const ending of ['', '-wal'])
      copyFileSync(`${live}${ending}`, path.join(disk, `a${ending}`));
    database.close();
    symlinkSync(path.join(disk, 'a'), inFolder('link'));
    assert.equal(rowsOf(inFolder('link')).length, 1);
    const names = ['a', 'a-wal'];
    for (const name of names) chmodSync(path.join(disk, name), 0o444);
    chmodSync(disk, 0o555);
    const before = names.map((name) => readFileSync(path.join(disk, name)));
    const [row] = rowsOf(path.join(disk, 'a'));
    assert.deepEqual([row?.orderId, row?.amount], ['7', '0.5']);
    // Root may write there all the same.
    assert.deepEqual(readdirSync(disk), names);
    for (const [index, name] of names.entries())
      assert.ok(before[index]?.equals(readFileSync(path.join(disk, name))), name);
    chmodSync(disk, 0o755);
  });

  it('has the row of a query in any table', () => {
    const file = database(
      'ids.db',
      `CREATE TABLE "a ""b""" (id, order_id, qty); INSERT INTO "a ""b""" (id, order_id, qty) VALUES (3, 'x', 1), (1, 'y', 1)`,
    );
    const { table, id } = rowsOf(file).at(-1)?.place ?? { table: null, id: '' };
    const opened = new DatabaseSync(file);
    assert.equal(opened.prepare(rowSql(table ?? '', id)).get()?.order_id, 'y');
    opened.close();
  });

  for (const mode of ['WAL', 'DELETE'])
    it(`of a bot that writes each 100 ms is read, and no write is refused: ${mode}`, async () => {
      const file = inFolder(`${mode}.sqlite`);
      const database = new DatabaseSync(file);
      database.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE fills (id INTEGER PRIMARY KEY, order_id TEXT, amount TEXT);
        INSERT INTO fills VALUES (1, '1', '1')`);
      const writer = spawn(process.execPath, [
        '--disable-warning=ExperimentalWarning',
        '-e',
        botThatWrites,
        file,
      ]);
      let [written, refused] = [0, 0];
      writer.stdout.on('data', (data: Buffer) => {
        for (const mark of data.toString())
          if (mark === '+') written += 1;
          else refused += 1;
      });
      for (let read = 0; read < 10; read += 1) {
        assert.ok(rowsOf(file).length > 0);
        await new Promise((resolve) => writer.stdout.once('data', resolve));
      }
      writer.kill();
      await new Promise((resolve) => writer.once('exit', resolve));
      assert.ok(written >= 10);
      assert.equal(refused, 0);
      const names = mode === 'WAL' ? [file, `${file}-wal`] : [file];
      const before = names.map((name) => readFileSync(name));
      rowsOf(file);
      for (const [index, name] of names.entries())
        assert.ok(before[index]?.equals(readFileSync(name)), name);
      database.close();
    });
});

/** Without a wait for locks: a refused write is a minus. */
const botThatWrites = `
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(process.argv[1], { timeout: 0 });
  setInterval(() => {
    try { database.exec("INSERT INTO fills (order_id, amount) VALUES ('2', '1')"); process.stdout.write('+'); }
    catch { process.stdout.write('-'); }
  }, 100);
`;

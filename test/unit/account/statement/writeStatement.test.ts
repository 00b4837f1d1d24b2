import assert from 'node:assert/strict';
import { readdir, readFile, writeFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { negated, sum } from '../../../../src/base/decimal.ts';
import { dayMs, hourMs } from '../../../../src/base/time.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import { monthAt } from '../../../../src/account/statement/statementMonth.ts';
import type { WrittenStatement } from '../../../../src/account/statement/writeStatement.ts';
import type { Transaction } from '../../../../src/exchange/records.ts';
import type { Checkpoint } from '../../../../src/ledger/ledger.ts';
import { recordJson } from '../../../../src/ledger/storage/recordLines.ts';
import { aTrade, aTransaction, unknownFees } from '../../../support/builders.ts';
import { parseCsv } from '../../../support/parseCsv.ts';
import { practiceLedger } from '../../../support/practiceLedger.ts';
import { folderOfEachTest } from '../../../support/project.ts';
import { readParquet } from '../../../support/readParquet.ts';
import { source, StatementWorld } from '../../../support/statementUnderTest.ts';

const january = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 1, 1) };
const around = { from: january.from - 2 * dayMs, to: january.to + 2 * dayMs };
const wide = { from: january.from - 20 * dayMs, to: january.to + 20 * dayMs };

describe('a statement', () => {
  const scratch = folderOfEachTest();
  const worldOf = (filling: Partial<ConstructorParameters<typeof StatementWorld>[1]> = {}) =>
    new StatementWorld(scratch.path, { read: [wide], ...filling });
  const manifestOf = async ({ folder }: WrittenStatement) =>
    JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8')) as ManifestJson;
  const textOf = ({ folder }: WrittenStatement, file: string): Promise<string> =>
    readFile(path.join(folder, file), 'utf8');
  const rowsOf = async (statement: WrittenStatement, history: string) =>
    parseCsv(await textOf(statement, `${history}.csv`)).slice(1);

  it('has every row of the month, and no other', async () => {
    const times = [january.from - 1, january.from, january.to - 1, january.to];
    const trades = times.map((time, index) =>
      aTrade({ tradeId: String(index), time: String(time) }),
    );
    const statement = await worldOf({ records: { trades } }).write('2026-01-15');
    const ids = (await rowsOf(statement, 'trades')).map(([id]) => id);
    assert.deepEqual(ids, ['1', '2']);
  });

  it('has a file for each history, two journals, a manifest and the sums', async () => {
    const { folder } = await worldOf().write('2026-01-15');
    assert.deepEqual(await readdir(folder), [
      ...['SHA256SUMS', 'futureTransactions.csv', 'journal.beancount', 'journal.hledger'],
      ...['lots.csv', 'manifest.json', 'orders.csv', 'spotTransactions.csv', 'trades.csv'],
    ]);
    assert.equal(path.basename(folder), 'statement-Main-2026-01');
  });

  it('leaves out lots that were never downloaded', async () => {
    const world = worldOf({ read: [] });
    const statement = await world.write('2026-01-15');
    const { leftOut, completeness } = await manifestOf(statement);
    assert.deepEqual([leftOut, completeness], [['lots'], 'incomplete']);
  });

  it('is the same to the byte when it is written twice', async () => {
    const times = Array.from({ length: 40 }, (_none, index) => january.from + index * hourMs);
    const futureTransactions = bookings(times.map((time, index) => [time, `-${index}.5`]));
    const trades = times.map((time, index) =>
      aTrade({ tradeId: String(index), time: String(time) }),
    );
    const checkpoints = [checkpointAt(january.from - hourMs, '100')];
    const world = worldOf({ records: { futureTransactions, trades }, checkpoints });
    for (const format of ['csv', 'parquet'] as const) {
      const [one, other] = [
        path.join(scratch.path, `1${format}`),
        path.join(scratch.path, `2${format}`),
      ];
      await Promise.all([mkdir(one), mkdir(other)]);
      const first = await world.write('2026-01-15', { parent: one, format });
      const again = await world.write('2026-01-15', { parent: other, format });
      for (const file of await readdir(first.folder))
        assert.deepEqual(
          await readFile(path.join(first.folder, file)),
          await readFile(path.join(again.folder, file)),
          file,
        );
    }
  });

  it('books every transaction, and closes with the balances that the exchange had', async () => {
    const filling = { ...practiceLedger(3, around, 25 * hourMs), read: [around] };
    const statement = await worldOf(filling).write('2026-01-15');
    const { balances } = await manifestOf(statement);
    const booked = await textOf(statement, 'journal.hledger');
    const { futureTransactions, spotTransactions } = filling.records as unknown as Transactions;
    const all = [...futureTransactions, ...spotTransactions];
    for (const { transactionId, time } of all)
      assert.equal(booked.includes(`id:${transactionId},`), isIn(january, Number(time)));
    const { sentAt, assets } =
      filling.checkpoints.find((checkpoint) => checkpoint.sentAt > january.to) ?? assert.fail();
    const since = { from: january.to, to: sentAt + 1 };
    const expected = (assets ?? assert.fail()).map(({ name, deposited }) => {
      const later = futureTransactions
        .filter(({ asset, time }) => asset === name && isIn(since, Number(time)))
        .map(({ amount }) => negated(amount ?? assert.fail()));
      return [name.toUpperCase(), sum([deposited ?? assert.fail(), ...later])];
    });
    const closing = balances
      .filter(({ account }) => account === 'Assets:Main:Future')
      .map((each) => [each.commodity, each.closing]);
    assert.deepEqual(Object.fromEntries(closing), Object.fromEntries(expected));
  }).timeout(60_000);

  it('opens with the balance of the nearest checkpoint and what came between', async () => {
    const futureTransactions = bookings([
      ...Array.from({ length: 12 }, (_none, index) => [january.from - (13 - index) * hourMs, '10']),
      [january.from + hourMs, '-0.5'],
    ]);
    const checkpoints = Array.from({ length: 12 }, (_none, index) =>
      checkpointAt(january.from - (13 - index) * hourMs + hourMs / 2, String(1000 + index * 10)),
    ).slice(0, 10);
    const statement = await worldOf({ records: { futureTransactions }, checkpoints }).write(
      '2026-01-15',
    );
    const { balances } = await manifestOf(statement);
    assert.deepEqual(balances, [
      {
        account: 'Assets:Main:Future',
        commodity: 'USDT',
        opening: '1110',
        closing: '1109.5',
      },
    ]);
    const journal = await textOf(statement, 'journal.hledger');
    assert.match(journal, /2026-01-01 OPENING_BALANCE FUTURE\n {4}\S+ {2}1110 USDT = 1110 USDT\n/);
  });

  it('begins at 0 where no checkpoint tells the balance, and says so', async () => {
    const futureTransactions = bookings([[january.from + hourMs, '-0.5']]);
    const statement = await worldOf({ records: { futureTransactions } }).write('2026-01-15');
    const { balances } = await manifestOf(statement);
    assert.deepEqual(balances, [
      {
        account: 'Assets:Main:Future',
        commodity: 'USDT',
        opening: null,
        closing: '-0.5',
      },
    ]);
  });

  it('has no closing balance where transactions may be missing, and its journals say so', async () => {
    const gap = { from: january.from + 5 * dayMs, to: january.from + 6 * dayMs };
    const futureTransactions = bookings([[january.from + hourMs, '-0.5']]);
    const read = [
      { from: wide.from, to: gap.from },
      { from: gap.to, to: wide.to + 20 * dayMs },
    ];
    const world = worldOf({ records: { futureTransactions }, read });
    const statement = await world.write('2026-01-15');
    const { balances } = await manifestOf(statement);
    assert.deepEqual(
      balances.map(({ closing }) => closing),
      [null],
    );
    for (const file of ['journal.hledger', 'journal.beancount'])
      assert.match(await textOf(statement, file), /^; INCOMPLETE: transactions of FUTURE may/m);
    const next = await world.write('2026-02-02');
    assert.doesNotMatch(await textOf(next, 'journal.hledger'), /INCOMPLETE/);
  });

  it('with a gap is written, and its manifest says which part lacks', async () => {
    const gap = { from: january.from + 5 * dayMs, to: january.from + 6 * dayMs };
    const read = [
      { from: wide.from, to: gap.from },
      { ...gap, completeness: 'unknown' as const },
      { from: gap.to, to: wide.to },
    ];
    const statement = await worldOf({ read }).write('2026-01-15');
    const { completeness, histories } = await manifestOf(statement);
    assert.equal(completeness, 'incomplete');
    assert.deepEqual(
      histories[0]?.coverage.map((part) => Object.values<unknown>(part)),
      [
        ['2026-01-01T00:00:00.000Z', '2026-01-06T00:00:00.000Z', 'complete', null],
        ['2026-01-06T00:00:00.000Z', '2026-01-07T00:00:00.000Z', 'unknown', 'endUnproven'],
        ['2026-01-07T00:00:00.000Z', '2026-02-01T00:00:00.000Z', 'complete', null],
      ],
    );
  });

  it('has every digit, as Parquet too', async () => {
    const amounts = ['0.000000000000000001', '9007199254740993', '-12345.10'];
    const futureTransactions = bookings(
      amounts.map((amount, index) => [january.from + index, amount]),
    );
    const world = worldOf({ records: { futureTransactions } });
    const statement = await world.write('2026-01-15', { format: 'parquet' });
    const { rows, types } = await readParquet(
      path.join(statement.folder, 'futureTransactions.parquet'),
    );
    assert.equal(types.amount, 'DECIMAL(38,18)');
    assert.deepEqual(
      rows.map(({ amount }) => amount),
      ['0.000000000000000001', '9007199254740993.000000000000000000', '-12345.100000000000000000'],
    );
    assert.match(await textOf(statement, 'journal.beancount'), / {2}-12345\.10 USDT\n/);
  });

  it('has months of another zone, and says which', async () => {
    const berlin = new TimeZone('Europe/Berlin');
    const trades = [january.from - hourMs / 2, january.to - hourMs / 2].map((time, index) =>
      aTrade({ tradeId: String(index), time: String(time) }),
    );
    const month = monthAt(Date.parse('2026-01-15'), berlin);
    const statement = await worldOf({ records: { trades } }).write('2026-01-15', { month });
    assert.equal(path.basename(statement.folder), 'statement-Main-2026-01-Europe-Berlin');
    const { zone, from } = await manifestOf(statement);
    assert.deepEqual([zone, from], ['Europe/Berlin', '2025-12-31T23:00:00.000Z']);
    assert.deepEqual(
      (await rowsOf(statement, 'trades')).map(([id]) => id),
      ['0'],
    );
  });

  it('names the statement of the month before, if it lies beside', async () => {
    const world = worldOf();
    assert.equal((await manifestOf(await world.write('2025-12-20'))).previous, null);
    const { previous } = await manifestOf(await world.write('2026-01-15'));
    assert.equal(previous?.folder, 'statement-Main-2025-12');
  });

  it('names no statement of another account whose folder has the same name', async () => {
    const world = worldOf();
    const { folder } = await world.write('2025-12-20', { source: { ...source, profile: 'Main!' } });
    assert.equal(path.basename(folder), 'statement-Main-2025-12');
    assert.equal((await manifestOf(await world.write('2026-01-15'))).previous, null);
  });

  it('replaces nothing', async () => {
    const world = worldOf();
    const { folder } = await world.write('2026-01-15');
    await writeFile(path.join(folder, 'note.txt'), 'keep');
    await assert.rejects(world.write('2026-01-15'), {
      name: 'UserFacingError',
      message: /^Nothing was written: “statement-Main-2026-01” is already in this folder/,
    });
    assert.equal(await readFile(path.join(folder, 'note.txt'), 'utf8'), 'keep');
    assert.deepEqual(await foldersIn(), ['statement-Main-2026-01']);
  });

  it('leaves nothing when it is cancelled, or when the ledger gets rows meanwhile', async () => {
    const futureTransactions = bookings([[january.from + hourMs, '1']]);
    const world = worldOf({ records: { futureTransactions } });
    const stop = new AbortController();
    const cancelled = world.write('2026-01-15', {
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    await assert.rejects(cancelled, { name: 'AbortError' });
    let wrote = false;
    const changed = world.write('2026-01-15', {
      onProgress: () => {
        if (wrote) return;
        wrote = true;
        const read = { ...january, asOf: wide.to + 2 * dayMs };
        const { id } = world.calls.beginWalk({ history: 'trades', ...read, purpose: 'current' });
        const trade = aTrade({ time: String(january.from + dayMs) });
        world.calls.saveStep(id, [JSON.stringify(trade)], null);
      },
    });
    await assert.rejects(changed, { message: /^Nothing was written: the ledger got rows/ });
    assert.deepEqual(await foldersIn(), []);
  });

  /** Writes the statement of January, while the ledger gets these once the first rows are written. */
  async function writeWhile(
    records: Pick<Transactions, 'futureTransactions'>,
    read: readonly Transaction[],
  ): Promise<WrittenStatement> {
    const world = worldOf({ records });
    let saved = false;
    return world.write('2026-01-15', {
      onProgress: (part) => {
        if (saved || part === 0) return;
        saved = true;
        const walk = { ...wide, asOf: wide.to + 2 * dayMs, purpose: 'current' } as const;
        const { id } = world.calls.beginWalk({ history: 'futureTransactions', ...walk });
        world.calls.saveStep(id, read.map(recordJson), null);
      },
    });
  }

  it('leaves nothing when a transaction changes between two files', async () => {
    const futureTransactions = bookings([[january.from + hourMs, '1']]);
    const changed = bookings([[january.from + hourMs, '2']]);
    const written = writeWhile({ futureTransactions }, changed);
    await assert.rejects(written, { message: /^Nothing was written: the ledger got rows/ });
    assert.deepEqual(await foldersIn(), []);
  });

  it('does not mind what the ledger gets of other months', async () => {
    const futureTransactions = bookings([[january.from + hourMs, '1']]);
    const other = aTransaction({ transactionId: '9', time: String(january.to + hourMs) });
    const written = await writeWhile({ futureTransactions }, [other]);
    assert.equal((await rowsOf(written, 'futureTransactions')).length, 1);
    const files = await readdir(written.folder);
    assert.deepEqual(
      files.filter((file) => file.startsWith('futureTransactions')),
      ['futureTransactions.csv'],
    );
  });

  it('says why it cannot be written', async () => {
    const parent = path.join(scratch.path, 'gone');
    await assert.rejects(worldOf().write('2026-01-15', { parent }), {
      name: 'ExportFileError',
      problem: 'missing',
      location: 'target',
    });
  });

  const foldersIn = async (): Promise<string[]> =>
    (await readdir(scratch.path)).filter((name) => name.startsWith('statement'));
});

type Transactions = Readonly<
  Record<'futureTransactions' | 'spotTransactions', readonly Transaction[]>
>;
type ManifestJson = {
  readonly completeness: string;
  readonly zone: string;
  readonly from: string;
  readonly leftOut: readonly string[];
  readonly histories: readonly {
    readonly coverage: readonly Readonly<Record<string, unknown>>[];
  }[];
  readonly balances: readonly Balance[];
  readonly previous: { readonly folder: string } | null;
};
type Balance = {
  readonly account: string;
  readonly commodity: string;
  readonly opening: string | null;
  readonly closing: string;
};

function isIn({ from, to }: typeof january, time: number): boolean {
  return from <= time && time < to;
}

function bookings(amounts: readonly (readonly (number | string)[])[]): readonly Transaction[] {
  return amounts.map(([time, amount], index) =>
    aTransaction({
      transactionId: String(index + 1),
      asset: 'usdt',
      type: 'REWARD',
      amount: String(amount),
      time: String(time),
    }),
  );
}

function checkpointAt(time: number, deposited: string): Checkpoint {
  return {
    sentAt: time,
    answeredAt: time,
    clockErrorMs: 0,
    fees: unknownFees,
    positions: [],
    equity: null,
    upl: null,
    assets: [{ name: 'usdt', deposited, margin: '0', locked: '0' }],
  };
}

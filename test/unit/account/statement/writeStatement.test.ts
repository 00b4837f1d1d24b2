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
import { assertApprovedLines } from '../../../support/approved.ts';
import { aTrade, aTransaction, unknownFees } from '../../../support/builders.ts';
import { parseCsv } from '../../../support/parseCsv.ts';
import { practiceLedger } from '../../../support/practiceLedger.ts';
import { folderOfEachTest } from '../../../support/project.ts';
import { readParquet } from '../../../support/readParquet.ts';
import { source, StatementWorld, type Filling } from '../../../support/statementUnderTest.ts';

const january = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 1, 1) };
const around = { from: january.from - 2 * dayMs, to: january.to + 2 * dayMs };
const wide = { from: january.from - 20 * dayMs, to: january.to + 20 * dayMs };

describe('a statement', () => {
  const scratch = folderOfEachTest();
  const worldOf = (filling: Partial<Filling> = {}) =>
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

  /** Its name and files, its manifest without what follows from the files, and the journals. */
  async function assertApprovedStatement(name: string, statement: WrittenStatement): Promise<void> {
    const { folder } = statement;
    const files = await readdir(folder);
    const journals = ['journal.hledger', 'journal.beancount'];
    const texts = await Promise.all(journals.map((file) => textOf(statement, file)));
    const manifest = linesOfManifest(await manifestOf(statement));
    const lines = [path.basename(folder), ...files, ...manifest, ...texts.flatMap(linesOf)];
    assertApprovedLines(`statement/${name}`, lines);
  }

  const hour = (count: number): number => january.from + count * hourMs;
  const fees = bookings([
    ...[13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((before) => [hour(-before), '10']),
    [hour(1), '-0.5'],
    [hour(30), '-1E-7'],
  ]);
  const deposits = bookings([[hour(31), '0.5']]).map((each) => ({ ...each, asset: '1inch' }));
  const unknown = [null, '2'].map((amount, index) =>
    aTransaction({
      ...{ transactionId: `${98 + index}`, asset: 'eth', amount, time: String(hour(2 + index)) },
    }),
  );
  const tenCheckpoints = Array.from({ length: 10 }, (_none, index) =>
    checkpointAt(hour(index - 13) + hourMs / 2, String(1000 + index * 10)),
  );
  const gap = { from: january.from + 5 * dayMs, to: january.from + 6 * dayMs };
  const unread = [
    { from: wide.from, to: gap.from },
    { ...gap, completeness: 'unknown' as const },
    { from: gap.to, to: wide.to },
  ];
  const months: Readonly<Record<string, Partial<Filling>>> = {
    complete: {
      records: { futureTransactions: fees, spotTransactions: deposits },
      checkpoints: tenCheckpoints,
    },
    withUnknownAmount: { records: { futureTransactions: [...fees.slice(-2), ...unknown] } },
    withGap: { records: { futureTransactions: fees.slice(-2) }, read: unread },
    neverRead: { read: [] },
  };
  for (const [name, filling] of Object.entries(months))
    it(`of a month is as a person has read it: ${name}`, async () => {
      const world = worldOf(filling);
      await assertApprovedStatement(name, await world.write('2026-01-15'));
      if (name === 'withGap')
        await assertApprovedStatement('afterGap', await world.write('2026-02-02'));
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
  readonly zone: string;
  readonly from: string;
  readonly balances: readonly Readonly<Record<'account' | 'commodity' | 'closing', string>>[];
  readonly previous: { readonly folder: string } | null;
};

/** One line for each member, and for each item of a list. */
function linesOfManifest(manifest: ManifestJson): readonly string[] {
  const shown = (value: unknown): string =>
    JSON.stringify(value, (key, each: unknown) =>
      ['sha256', 'bytes', 'manifestSha256'].includes(key) ? undefined : each,
    );
  return Object.entries(manifest).flatMap(([name, value]: [string, unknown]) =>
    Array.isArray(value)
      ? [name, ...value.map((item) => `  ${shown(item)}`)]
      : [`${name} ${shown(value)}`],
  );
}

function linesOf(text: string): readonly string[] {
  return text.trimEnd().split('\n');
}

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

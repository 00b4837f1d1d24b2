import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { dayMs, hourMs } from '../../src/base/time.ts';
import { runToEnd } from '../support/childProcess.ts';
import { ensureOnDebian } from '../support/debian.ts';
import { practiceLedger } from '../support/practiceLedger.ts';
import { folderOfEachTest } from '../support/project.ts';
import { StatementWorld } from '../support/statementUnderTest.ts';
import type { Transaction } from '../../src/exchange/records.ts';
import { aTransaction } from '../support/builders.ts';

const awkwardAmounts = [
  '0.000000000000000001',
  '9007199254740993',
  '1E-7',
  '-1e+3',
  '-0',
  '0.10',
  '-5',
];
/** More digits than beancount calculates with. */
const wideAmounts = [
  '-9007199254740993.000000000000000001',
  '123456789012345678901234567890.12',
  '-3',
  '0.000000000000000001',
];
const assets = ['usdt', 'USDT', '1inch', 's', 'true', 'usd.e', 'two\nlines; "a" , b', '币', ''];
const types = ['FEE', 'REWARD', 'SOMETHING "new"\n; = 5', 'DEPOSIT', ''];

/** Transactions of every such asset with every amount, an hour apart. */
function awkwardTransactions(from: number, amounts: readonly string[]): readonly Transaction[] {
  return assets.flatMap((asset, row) =>
    amounts.map((amount, index) =>
      aTransaction({
        transactionId: String(9_007_199_254_740_993n + BigInt(row * amounts.length + index)),
        asset,
        amount,
        type: types[(row + index) % types.length] ?? '',
        time: String(from + (row * amounts.length + index) * 3_600_000),
      }),
    ),
  );
}

/** How each program checks a journal. */
const programs = [
  {
    program: 'hledger',
    debian: 'hledger',
    file: 'journal.hledger',
    args: ['check', '--strict', '-f'],
  },
  {
    program: 'bean-check',
    debian: 'beancount',
    file: 'journal.beancount',
    args: ['--no-cache'],
  },
] as const;
type Program = (typeof programs)[number];

/** So many postings and entries are removed of each month, spread over it. */
const removed = 6;

describe('the journals of a statement', () => {
  const scratch = folderOfEachTest();

  before(async function () {
    this.timeout(600_000);
    for (const { program, debian } of programs) await ensureOnDebian(program, debian);
  });

  async function check({ program, args }: Program, journal: string) {
    const { code, output } = await runToEnd(program, [...args, journal]);
    return { isRight: code === 0, output };
  }

  /** What a check says of a journal without some of its lines. */
  async function checkWithout(by: Program, lines: readonly string[], from: number, count: number) {
    const journal = path.join(scratch.path, `changed-${by.file}`);
    await writeFile(journal, lines.toSpliced(from, count).join('\n'));
    return check(by, journal);
  }

  /** The lines of a journal that is right, and wrong without any one of these postings. */
  async function checkPostings(
    by: Program,
    folder: string,
    chosen: (postings: readonly number[], lines: readonly string[]) => readonly number[],
  ): Promise<readonly string[]> {
    const journal = path.join(folder, by.file);
    const { isRight, output } = await check(by, journal);
    assert.ok(isRight, output);
    const lines = (await readFile(journal, 'utf8')).split('\n');
    for (const at of chosen(postingsIn(lines), lines))
      assert.ok(!(await checkWithout(by, lines, at, 1)).isRight, `${by.file} line ${at + 1}`);
    return lines;
  }

  for (let month = 1; month <= 10; month++)
    it(`of practice month ${month} are right, and wrong without any one posting`, async () => {
      const name = `2026-${String(month).padStart(2, '0')}`;
      const from = Date.parse(`${name}-01T00:00:00Z`);
      const period = { from: from - 5 * dayMs, to: from + 36 * dayMs };
      const world = new StatementWorld(scratch.path, {
        ...practiceLedger(month, period, 7 * hourMs),
        read: [period],
      });
      const { folder, contents } = await world.write(name);
      assert.ok(
        contents.balances.some(({ opening }) => opening !== null),
        'an opening balance',
      );
      for (const by of programs) {
        const lines = await checkPostings(by, folder, spread);
        const entries = entriesIn(lines).filter(([at]) => isChecked(by, lines, at));
        for (const [at, count] of spread(entries))
          assert.ok(!(await checkWithout(by, lines, at, count)).isRight, `${by.file} ${at + 1}`);
      }
    }).timeout(300_000);

  it('of awkward transactions are right, and wrong without any one posting', async () => {
    const month = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 1, 1) };
    const world = new StatementWorld(scratch.path, {
      records: { futureTransactions: awkwardTransactions(month.from, awkwardAmounts) },
      read: [month],
    });
    const { folder } = await world.write('2026-01');
    for (const by of programs)
      await checkPostings(by, folder, (postings, lines) =>
        postings.filter((line) => !lines[line]?.includes('  0 ')),
      );
  }).timeout(600_000);

  it('of amounts with more digits than beancount keeps are right', async () => {
    const month = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 1, 1) };
    const world = new StatementWorld(scratch.path, {
      records: { futureTransactions: awkwardTransactions(month.from, wideAmounts) },
      read: [month],
    });
    const { folder } = await world.write('2026-01');
    for (const by of programs)
      await checkPostings(by, folder, (postings, lines) =>
        spread(postings.filter((line) => /\d{16}/.test(lines[line] ?? ''))),
      );
  }).timeout(300_000);

  it('without rows are right', async () => {
    const month = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 1, 1) };
    const world = new StatementWorld(scratch.path, { read: [month] });
    const { folder } = await world.write('2026-01');
    for (const by of programs) await checkPostings(by, folder, () => []);
  });
});

/** The index of each line that is a posting. */
function postingsIn(lines: readonly string[]): readonly number[] {
  return lines.flatMap((line, at) => (/^ {2,4}[A-Z]\w*:/.test(line) ? [at] : []));
}

/** Where each entry begins, and how many lines it has. */
function entriesIn(lines: readonly string[]): readonly (readonly [at: number, count: number])[] {
  const starts = lines.flatMap((line, at) =>
    /^\d{4}-\d\d-\d\d (?:\* )?"?[A-Z_]+ /.test(line) ? [at] : [],
  );
  return starts.map((at) => [at, lines.indexOf('', at) - at]);
}

/** hledger checks a balance with the next entry of the same account and commodity, beancount at the end too. */
function isChecked({ program }: Program, lines: readonly string[], at: number): boolean {
  const posting = (line = ''): string => line.replace(/ {2}-?[\d.]+ (\S+) = .*$/, ' $1');
  const own = posting(lines[at + 1]);
  return program !== 'hledger' || lines.slice(at + 2).some((line) => posting(line) === own);
}

function spread<Item>(items: readonly Item[]): readonly Item[] {
  const step = Math.max(1, Math.floor(items.length / removed));
  return items.filter((_item, index) => index % step === 0);
}

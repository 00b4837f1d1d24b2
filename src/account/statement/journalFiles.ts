import path from 'node:path';
import type { AccountType } from '../../exchange/records.ts';
import { transactionHistories } from '../../ledger/ledger.ts';
import {
  JournalBooks,
  type JournalBalances,
  type JournalEntry,
  type JournalItem,
} from './journal.ts';
import {
  commoditiesOf,
  journalAccounts,
  type Commodities,
  type JournalAccounts,
} from './journalNames.ts';
import type { StatementContents } from './manifest.ts';
import { dateText, type OpeningBalance, type StatementMonth } from './statementMonth.ts';
import { transactionsOf, withNewFile, type RowsSource } from './statementRows.ts';

type JournalHead = {
  readonly month: StatementMonth;
  readonly accounts: JournalAccounts;
  readonly commodities: Commodities;
  readonly environment: string;
  /** Transactions of these accounts may be missing. */
  readonly incomplete: readonly string[];
};

/** Marks a template as text of a journal: it is the same in every language of VS Code. */
const journal = String.raw;

/** A program for plain-text accounting, and how its journals are written. */
type JournalLanguage = {
  readonly file: string;
  /** Above the names of all accounts and commodities, which are declared on the first day. */
  readonly preamble: readonly string[];
  readonly account: (name: string, date: string) => string;
  readonly commodity: (name: string, date: string) => string;
  readonly item: (item: JournalItem) => string;
};

/** hledger checks the balance of an account with each posting, with every digit. */
const hledger: JournalLanguage = {
  file: 'journal.hledger',
  preamble: ['decimal-mark .', ''],
  account: (name) => journal`account ${name}`,
  commodity: (name) => journal`commodity ${hledgerSymbol(name)}`,
  item: (item) => (item.kind === 'entry' ? hledgerEntry(item) : ''),
};

/** Beancount checks balances before the first entry of a day. It rounds to 28 digits. */
const beancount: JournalLanguage = {
  file: 'journal.beancount',
  preamble: [],
  account: (name, date) => journal`${date} open ${name}`,
  commodity: (name, date) => journal`${date} commodity ${name}`,
  item: beancountItem,
};

export const journalLanguages: readonly JournalLanguage[] = [hledger, beancount];

function hledgerEntry(entry: JournalEntry): string {
  if (entry.amount === null) return unknownAmount(entry);
  const { date, description, tags, commodity } = entry;
  const symbol = hledgerSymbol(commodity);
  const comment = Object.entries(tags).map(([name, value]) => `${name}:${value}`);
  return lines([
    [`${date} ${description}`, ...(comment.length > 0 ? [`; ${comment.join(', ')}`] : [])].join(
      '  ',
    ),
    `    ${entry.account}  ${entry.amount} ${symbol}${entry.balance === null ? '' : ` = ${entry.balance} ${symbol}`}`,
    `    ${entry.against}  ${entry.againstAmount} ${symbol}`,
    '',
  ]);
}

/** A name with other characters than letters is quoted. */
function hledgerSymbol(commodity: string): string {
  return /^[A-Z]+$/.test(commodity) ? commodity : `"${commodity}"`;
}

function beancountItem(item: JournalItem): string {
  switch (item.kind) {
    case 'entry':
      return beancountEntry(item);
    case 'balances':
      return beancountBalances(item);
    case 'tolerance':
      return `option "inferred_tolerance_default" "${item.commodity}:${item.tolerance}"\n`;
  }
}

function beancountEntry(entry: JournalEntry): string {
  if (entry.amount === null) return unknownAmount(entry);
  const { date, description, tags, commodity } = entry;
  return lines([
    `${date} * "${description}"`,
    ...Object.entries(tags).map(([name, value]) => `  ${name}: "${value}"`),
    `  ${entry.account}  ${entry.amount} ${commodity}`,
    `  ${entry.against}  ${entry.againstAmount} ${commodity}`,
    '',
  ]);
}

function beancountBalances({ date, balances }: JournalBalances): string {
  if (balances.length === 0) return '';
  return lines([
    ...balances.map(
      ({ account, amount, tolerance, commodity }) =>
        journal`${date} balance ${account}  ${amount} ~ ${tolerance} ${commodity}`,
    ),
    '',
  ]);
}

/** A comment in both languages. */
function unknownAmount({ date, description, tags, account, commodity }: JournalEntry): string {
  const what = [date, description, tags.id].filter((part) => part !== undefined).join(' ');
  return lines([journal`; ${what}: unknown amount of ${commodity} in ${account}`, '']);
}

function headerText(head: JournalHead, language: JournalLanguage): string {
  const { month, accounts, commodities } = head;
  const { preamble, account, commodity } = language;
  const date = dateText(month.firstDay);
  return lines([
    ...comments(head),
    '',
    ...preamble,
    ...accounts.all.map((name) => account(name, date)),
    '',
    ...Array.from(commodities.values(), (name) => commodity(name, date)),
    '',
  ]);
}

/** The month with its zone, and the asset of each commodity. */
function comments(head: JournalHead): readonly string[] {
  const { environment, month, commodities, incomplete } = head;
  return [
    `; ${environment} ${month.name} ${month.zone.name}`,
    ...incomplete.map(
      (account) =>
        journal`; INCOMPLETE: transactions of ${account} may be missing, see manifest.json`,
    ),
    ...[...commodities].map(([asset, commodity]) => `; ${commodity} = ${asciiText(asset)}`),
  ];
}

/** In quotes, on one line whatever it contains. */
function asciiText(text: string): string {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function lines(texts: readonly string[]): string {
  return `${texts.join('\n')}\n`;
}

type WriteItems = (items: readonly JournalItem[]) => Promise<void>;

/** Few enough to be written without blocking the window. */
const batchSize = 2000;

export const journalFiles: readonly string[] = journalLanguages.map(({ file }) => file);

/** Writes every transaction of the month, in each language. Those of `incomplete` may be missing. */
export async function writeJournals(
  { source, month }: Pick<StatementContents, 'source' | 'month'>,
  rows: RowsSource,
  openings: readonly OpeningBalance[],
  incomplete: readonly AccountType[],
): Promise<Pick<StatementContents, 'commodities' | 'balances'>> {
  const moved = await movedAssets(rows);
  const commodities = commoditiesOf([...moved, ...openings.map(({ asset }) => asset)]);
  const accounts = journalAccounts(source.profile);
  const books = new JournalBooks({ month, accounts, commodities, openings });
  const head = { environment: source.environment, month, accounts, commodities, incomplete };
  await inEveryLanguage(rows.folder, head, (write) => bookAll(rows, books, write));
  const opened = new Map(
    openings.map(({ accountType, asset, amount }) => [
      `${accounts.ofMoney[accountType]} ${commodities.get(asset)}`,
      amount,
    ]),
  );
  const balances = books.balances.map(({ account, commodity, balance: closing }) => {
    const opening = opened.get(`${account} ${commodity}`) ?? null;
    const isKnown = incomplete.every((accountType) => accounts.ofMoney[accountType] !== account);
    return { account, commodity, opening, closing: isKnown ? closing : null };
  });
  return { commodities, balances };
}

async function movedAssets({ reader, period }: RowsSource): Promise<readonly string[]> {
  const query = { period, filters: {}, search: '', sort: null };
  const sums = await Promise.all(
    Object.values(transactionHistories).map((history) =>
      reader.sums({ ...query, history }, ['amount']),
    ),
  );
  return sums.flat().map(({ unit }) => unit ?? '');
}

/** All journals are written side by side, from one read of the rows. */
async function inEveryLanguage(
  folder: string,
  head: JournalHead,
  book: (write: WriteItems) => Promise<void>,
): Promise<void> {
  let withJournals = book;
  for (const language of journalLanguages) {
    const inner = withJournals;
    withJournals = (write) =>
      withNewFile(path.join(folder, language.file), async (file) => {
        await file.appendFile(headerText(head, language));
        await inner(async (items) => {
          await file.appendFile(items.map(language.item).join(''));
          await write(items);
        });
      });
  }
  await withJournals(() => Promise.resolve());
}

async function bookAll(source: RowsSource, books: JournalBooks, write: WriteItems): Promise<void> {
  let waiting: JournalItem[] = [...books.open()];
  for await (const { accountType, transaction, epochMs } of transactionsOf(source)) {
    waiting.push(...books.add(accountType, transaction, epochMs));
    if (waiting.length < batchSize) continue;
    await write(waiting);
    waiting = [];
  }
  await write([...waiting, ...books.close()]);
}

import path from 'node:path';
import { commoditiesOf } from './commodities.ts';
import { JournalBooks, type JournalItem, type OpeningBalance } from './journal.ts';
import { journalAccounts, type JournalAccounts } from './journalAccounts.ts';
import { journalLanguages, type JournalHead } from './journalLanguages.ts';
import type { StatementContents, StatementSource } from './manifest.ts';
import { sumsByAsset, type SumsReader } from './openingBalances.ts';
import type { StatementMonth } from './statementMonth.ts';
import { transactionsOf, withNewFile, type RowsSource } from './statementRows.ts';

type JournalsOptions = {
  readonly ledger: Pick<SumsReader, 'reader'>;
  readonly source: StatementSource;
  readonly month: StatementMonth;
  readonly openings: readonly OpeningBalance[];
  readonly rowsSource: RowsSource;
  readonly folder: string;
};

type WriteItems = (items: readonly JournalItem[]) => Promise<void>;

/** Few enough to be written without blocking the window. */
const batchSize = 2000;

export const journalFiles: readonly string[] = journalLanguages.map(({ file }) => file);

/** Writes every transaction of the month, in each language. */
export async function writeJournals(
  options: JournalsOptions,
): Promise<Pick<StatementContents, 'commodities' | 'balances'>> {
  const { source, month, openings, folder } = options;
  const commodities = commoditiesOf(await assetsOf(options));
  const accounts = journalAccounts(source.profile);
  const books = new JournalBooks({ month, accounts, commodities, openings });
  const head = { environment: source.environment, month, accounts, commodities };
  await inEveryLanguage(folder, head, (write) => bookAll(options.rowsSource, books, write));
  const opened = openingsByFigure(accounts, commodities, openings);
  const balances = books.balances.map(({ account, commodity, balance: closing }) => {
    const opening = opened.get(`${account} ${commodity}`) ?? null;
    return { account, commodity, opening, closing };
  });
  return { commodities, balances };
}

async function assetsOf({ ledger, month, openings }: JournalsOptions): Promise<readonly string[]> {
  const future = await sumsByAsset(ledger, 'FUTURE', month);
  const spot = await sumsByAsset(ledger, 'SPOT', month);
  return [...future.keys(), ...spot.keys(), ...openings.map(({ asset }) => asset)];
}

/** All journals are written side by side, from one read of the rows. */
async function inEveryLanguage(
  folder: string,
  head: JournalHead,
  book: (write: WriteItems) => Promise<void>,
): Promise<void> {
  let withJournals = book;
  for (const { file: name, header, item } of journalLanguages) {
    const inner = withJournals;
    withJournals = (write) =>
      withNewFile(path.join(folder, name), async (file) => {
        await file.appendFile(header(head));
        await inner(async (items) => {
          await file.appendFile(items.map(item).join(''));
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

function openingsByFigure(
  accounts: JournalAccounts,
  commodities: ReadonlyMap<string, string>,
  openings: readonly OpeningBalance[],
): ReadonlyMap<string, string> {
  return new Map(
    openings.map(({ accountType, asset, amount }) => [
      `${accounts.ofMoney[accountType]} ${commodities.get(asset)}`,
      amount,
    ]),
  );
}

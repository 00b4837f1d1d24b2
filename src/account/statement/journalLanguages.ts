import type { Commodities } from './commodities.ts';
import type { JournalBalances, JournalEntry, JournalItem } from './journal.ts';
import type { JournalAccounts } from './journalAccounts.ts';
import { dateText, type StatementMonth } from './statementMonth.ts';

export type JournalHead = {
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
  readonly header: (head: JournalHead) => string;
  readonly item: (item: JournalItem) => string;
};

/** hledger checks the balance of an account with each posting, with every digit. */
const hledger: JournalLanguage = {
  file: 'journal.hledger',
  header: (head) =>
    lines([
      ...comments(head),
      '',
      'decimal-mark .',
      '',
      ...head.accounts.all.map((account) => journal`account ${account}`),
      '',
      ...symbols(head).map((commodity) => journal`commodity ${hledgerSymbol(commodity)}`),
      '',
    ]),
  item: (item) => (item.kind === 'entry' ? hledgerEntry(item) : ''),
};

/** Beancount checks balances before the first entry of a day. It rounds to 28 digits. */
const beancount: JournalLanguage = {
  file: 'journal.beancount',
  header: (head) => {
    const date = dateText(head.month.firstDay);
    return lines([
      ...comments(head),
      '',
      ...head.accounts.all.map((account) => journal`${date} open ${account}`),
      '',
      ...symbols(head).map((commodity) => journal`${date} commodity ${commodity}`),
      '',
    ]);
  },
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

function symbols({ commodities }: JournalHead): readonly string[] {
  return [...commodities.values()];
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

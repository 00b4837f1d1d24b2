import { fractionDigits, isZero, negated, plain, product, sum } from '../../base/decimal.ts';
import type { AccountType, Transaction } from '../../exchange/records.ts';
import type { Commodities, JournalAccounts } from './journalNames.ts';
import { dateText, dayIn, type OpeningBalance, type StatementMonth } from './statementMonth.ts';

/** What a journal books: one transaction of the exchange, or the balance of one asset before the month. */
export type JournalEntry = {
  readonly kind: 'entry';
  readonly date: string;
  readonly description: string;
  /** Plain words and numbers. */
  readonly tags: Readonly<Record<string, string>>;
  readonly commodity: string;
  readonly account: string;
  /** Null if it is unknown: then nothing is booked. */
  readonly amount: string | null;
  /** Of the account, after this entry; null after an unknown amount. */
  readonly balance: string | null;
  readonly against: string;
  readonly againstAmount: string | null;
};

/** What accounts have before the first entry of a day. */
export type JournalBalances = {
  readonly kind: 'balances';
  readonly date: string;
  readonly balances: readonly {
    readonly account: string;
    readonly commodity: string;
    readonly amount: string;
    /** By how much a program that keeps 28 digits may be off. */
    readonly tolerance: string;
  }[];
};

/** By how much the two amounts of an entry may differ in a program that keeps 28 digits. */
type JournalTolerance = {
  readonly kind: 'tolerance';
  readonly commodity: string;
  readonly tolerance: string;
};

export type JournalItem = JournalEntry | JournalBalances | JournalTolerance;

type JournalOptions = {
  readonly month: StatementMonth;
  readonly accounts: JournalAccounts;
  /** Of every asset that is booked. */
  readonly commodities: Commodities;
  readonly openings: readonly OpeningBalance[];
};

type Figure = {
  readonly account: string;
  readonly commodity: string;
  /** Null after an unknown amount. */
  balance: string | null;
  entries: number;
  /** The most digits before and after the decimal point. */
  whole: number;
  scale: number;
};

/** How many digits Beancount calculates with. */
const keptDigits = 28;

/** Books the transactions of a month, oldest first, and computes the balance after each. */
export class JournalBooks {
  private readonly options: JournalOptions;
  private readonly figures = new Map<string, Figure>();
  private readonly changed = new Set<Figure>();
  /** By commodity, of amounts with more digits than are kept: the most before the decimal point. */
  private readonly cutAmounts = new Map<string, number>();
  private day: number;

  constructor(options: JournalOptions) {
    this.options = options;
    this.day = options.month.firstDay;
  }

  open(): readonly JournalItem[] {
    const { openings, accounts } = this.options;
    return openings
      .filter(({ amount }) => !isZero(amount))
      .map(({ accountType, asset, amount }) =>
        this.entry(
          accountType,
          asset,
          amount,
          accounts.opening,
          `OPENING_BALANCE ${accountType}`,
          {},
        ),
      );
  }

  add(accountType: AccountType, transaction: Transaction, epochMs: number): readonly JournalItem[] {
    const { month, accounts } = this.options;
    const day = dayIn(month, epochMs, this.day);
    const before = day > this.day ? [this.balancesOf([...this.changed], this.day + 1)] : [];
    if (day > this.day) this.changed.clear();
    this.day = day;
    const { type, asset, amount, transactionId } = transaction;
    const tags = { id: word(transactionId), time: new Date(epochMs).toISOString() };
    const against = accounts.against(type);
    const description = `${word(type)} ${accountType}`;
    const entry = this.entry(accountType, asset, amount, against, description, tags);
    return [...before, entry].filter(
      (item) => item.kind !== 'balances' || item.balances.length > 0,
    );
  }

  close(): readonly JournalItem[] {
    const tolerances = [...this.cutAmounts].map(([commodity, whole]): JournalTolerance => ({
      kind: 'tolerance',
      commodity,
      tolerance: lastKeptDigit(whole),
    }));
    return [this.balancesOf([...this.figures.values()], this.options.month.endDay), ...tolerances];
  }

  /** What every account has now, in the order in which they were booked first. */
  get balances(): readonly Pick<Figure, 'account' | 'commodity' | 'balance'>[] {
    return [...this.figures.values()];
  }

  private entry(
    accountType: AccountType,
    asset: string,
    amount: string | null,
    against: string,
    description: string,
    tags: JournalEntry['tags'],
  ): JournalEntry {
    const account = this.options.accounts.ofMoney[accountType];
    const commodity = this.options.commodities.get(asset);
    if (commodity === undefined) throw new Error('An asset has no commodity.');
    const figure = this.figureOf(account, commodity);
    const booked = amount === null ? null : isZero(amount) ? '0' : plain(amount);
    figure.balance &&= booked && sum([figure.balance, booked]);
    if (booked !== null) this.countDigits(figure, booked);
    return {
      kind: 'entry',
      date: dateText(this.day),
      description,
      tags,
      commodity,
      account,
      amount: booked,
      balance: figure.balance,
      against,
      againstAmount: booked && (booked === '0' ? '0' : negated(booked)),
    };
  }

  private countDigits(figure: Figure, booked: string): void {
    figure.entries += 1;
    const { whole, scale } = digitsOf(booked);
    const cut = this.cutAmounts.get(figure.commodity) ?? 0;
    if (whole + scale > keptDigits) this.cutAmounts.set(figure.commodity, Math.max(whole, cut));
    for (const text of [booked, figure.balance ?? '0']) raiseDigits(figure, text);
    this.changed.add(figure);
  }

  private figureOf(account: string, commodity: string): Figure {
    const key = `${account} ${commodity}`;
    const start = { balance: '0', entries: 0, whole: 0, scale: 0 };
    const figure = this.figures.get(key) ?? { account, commodity, ...start };
    this.figures.set(key, figure);
    return figure;
  }

  private balancesOf(figures: readonly Figure[], day: number): JournalBalances {
    const balances = figures.flatMap((figure) => {
      const { account, commodity, balance: amount } = figure;
      return amount === null
        ? []
        : [{ account, commodity, amount, tolerance: toleranceOf(figure) }];
    });
    return { kind: 'balances', date: dateText(day), balances };
  }
}

/** Texts of the exchange are written only as far as they are plain words. */
function word(text: string): string {
  return text.slice(0, 64).replace(/[^A-Za-z0-9_-]+/g, '-');
}

function raiseDigits(figure: Figure, text: string): void {
  const { whole, scale } = digitsOf(text);
  figure.scale = Math.max(figure.scale, scale);
  figure.whole = Math.max(figure.whole, whole);
}

function digitsOf(text: string) {
  const [whole = ''] = text.replace('-', '').split('.');
  return { whole: whole.length, scale: fractionDigits(text) };
}

function lastKeptDigit(whole: number): string {
  return plain(`1e${whole - keptDigits}`);
}

/** Each of its additions may be off by a unit of the last digit that is kept. */
function toleranceOf({ whole, scale, entries }: Figure): string {
  if (whole + scale <= keptDigits) return '0';
  return product(String(entries), lastKeptDigit(whole));
}

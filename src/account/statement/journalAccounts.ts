import type { AccountType } from '../../exchange/records.ts';

/** The accounts of a journal: those with money, and the ones that each type of transaction is posted against. */
export type JournalAccounts = {
  readonly ofMoney: Readonly<Record<AccountType, string>>;
  readonly opening: string;
  readonly against: (type: string) => string;
  readonly all: readonly string[];
};

/** By type of transaction: the root, and the last part of the name. */
const againstByType = new Map<string, readonly [root: string, name: string]>([
  ['DEPOSIT', ['Equity', 'Deposits']],
  ['WITHDRAW', ['Equity', 'Withdrawals']],
  ['FEE', ['Expenses', 'TradingFees']],
  ['FUNDING_FEE', ['Expenses', 'Funding']],
  ['LIQUIDATION_FEE', ['Expenses', 'LiquidationFees']],
  ['REALIZED_PL', ['Income', 'RealizedPL']],
  ['REWARD', ['Income', 'Rewards']],
  // The other leg empties it again.
  ['TRANSFER_TO_SPOT', ['Assets', 'Transfers']],
  ['TRANSFER_TO_FUTURE', ['Assets', 'Transfers']],
]);
const otherTypes = ['Equity', 'Other'] as const;

/** Valid for hledger and beancount, and with the name of the profile, so that accounts can share a journal. */
export function journalAccounts(profile: string): JournalAccounts {
  const owner = ownerPart(profile);
  const named = ([root, name]: readonly [string, string]): string => `${root}:${owner}:${name}`;
  const ofMoney = { FUTURE: named(['Assets', 'Future']), SPOT: named(['Assets', 'Spot']) };
  const opening = named(['Equity', 'OpeningBalances']);
  const others = [...againstByType.values(), otherTypes].map(named);
  return {
    ofMoney,
    opening,
    against: (type) => named(againstByType.get(type) ?? otherTypes),
    all: [...new Set([...Object.values(ofMoney), opening, ...others])].toSorted(),
  };
}

function ownerPart(profile: string): string {
  const plain = profile.replace(/[^A-Za-z0-9-]+/g, '-').replace(/^-+|-+$/g, '');
  const name = `${plain.slice(0, 1).toUpperCase()}${plain.slice(1)}`;
  return /^[A-Z]/.test(name) ? name : `Exchange${name}`;
}

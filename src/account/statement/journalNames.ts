import { createHash } from 'node:crypto';
import type { NamedValue } from '../../api/fields.ts';
import type { AccountType } from '../../exchange/records.ts';

/** The accounts of a journal: those with money, and the ones that each type of transaction is posted against. */
export type JournalAccounts = {
  readonly ofMoney: Readonly<Record<AccountType, string>>;
  readonly opening: string;
  readonly against: (type: string) => string;
  readonly all: readonly string[];
};

type AccountName = readonly [root: string, last: string];

const nameByType: Readonly<Record<NamedValue<'transaction', 'type'>, AccountName>> = {
  DEPOSIT: ['Equity', 'Deposits'],
  WITHDRAW: ['Equity', 'Withdrawals'],
  FEE: ['Expenses', 'TradingFees'],
  FUNDING_FEE: ['Expenses', 'Funding'],
  LIQUIDATION_FEE: ['Expenses', 'LiquidationFees'],
  REALIZED_PL: ['Income', 'RealizedPL'],
  REWARD: ['Income', 'Rewards'],
  // The other leg empties it again.
  TRANSFER_TO_SPOT: ['Assets', 'Transfers'],
  TRANSFER_TO_FUTURE: ['Assets', 'Transfers'],
};
const againstByType: ReadonlyMap<string, AccountName> = new Map(Object.entries(nameByType));
const otherTypes: AccountName = ['Equity', 'Other'];

/** Valid for hledger and beancount, and with the name of the profile, so that accounts can share a journal. */
export function journalAccounts(profile: string): JournalAccounts {
  const owner = ownerPart(profile);
  const named = ([root, name]: AccountName): string => `${root}:${owner}:${name}`;
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

/** The name of each asset that both hledger and beancount accept as a commodity. */
export type Commodities = ReadonlyMap<string, string>;

/** Beancount: capital letters, digits and `'._-` between a letter and a letter or digit, 2 to 24 characters. */
const valid = /^[A-Z][A-Z0-9'._-]{0,22}[A-Z0-9]$/;
/** Words of beancount's language. */
const reserved = new Set(['TRUE', 'FALSE', 'NULL']);
const longestReadable = 14;

/**
 * Names assets, each another one: `usdt` is `USDT`, `1inch` is `X1INCH`. A name that loses characters, or
 * that is already taken, ends with a part of its SHA-256. It is the same in every month, unless two assets
 * differ in case only.
 */
export function commoditiesOf(assets: Iterable<string>): Commodities {
  const named = new Map<string, string>();
  const taken = new Set<string>();
  for (const asset of [...new Set(assets)].toSorted(byLikeness)) {
    const readable = readableName(asset);
    const name = readable === undefined || taken.has(readable) ? hashedName(asset) : readable;
    taken.add(name);
    named.set(asset, name);
  }
  return new Map([...named].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Assets whose name needs no change but its case come first, lower case before others. */
function byLikeness(one: string, other: string): number {
  const rank = (asset: string): number =>
    (valid.test(upperCase(asset)) ? 0 : 2) + (asset === asset.toLowerCase() ? 0 : 1);
  return rank(one) - rank(other) || (one < other ? -1 : 1);
}

function readableName(asset: string): string | undefined {
  const upper = upperCase(asset);
  const name = valid.test(upper) && !reserved.has(upper) ? upper : `X${upper}`;
  return valid.test(name) ? name : undefined;
}

function hashedName(asset: string): string {
  const kept = upperCase(asset)
    .replace(/[^A-Z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, longestReadable)
    .replace(/-$/, '');
  // As JSON: halves of surrogate pairs have no UTF-8.
  const hash = createHash('sha256').update(JSON.stringify(asset)).digest('hex');
  return `${kept === '' || !/^[A-Z]/.test(kept) ? `X${kept}` : kept}-${hash.slice(0, 8).toUpperCase()}`;
}

/** Of ASCII letters only: `ß` would become two. */
function upperCase(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

import type { LedgerRecord } from '../ledger.ts';
import { isZero, negated, sum, type NumberText } from '../../base/decimal.ts';
import type { Entry } from './entries.ts';

/** Which entries have their opposite in another history, such as the fee of a trade and its transaction. */
export type Pairs = {
  readonly confirmed: ReadonlySet<LedgerRecord>;
  readonly alone: readonly Entry[];
};

/** Pairs entries of the same time first, then those of any time. */
export function pairEntries(entries: readonly Entry[]): Pairs {
  const all = entries.filter(({ term }) => !isZero(term.amount));
  const alone = withoutPairs(withoutPairs(all, sameTime), anyTime);
  const lonely = new Set(alone);
  const confirmed = new Set(all.filter((entry) => !lonely.has(entry)).map(({ record }) => record));
  return { confirmed, alone };
}

type PairKey = (entry: Entry, amount: NumberText) => string;

const anyTime: PairKey = ({ term: { subject, key } }, amount) =>
  `${subject} ${key ?? ''} ${amount}`;
const sameTime: PairKey = (entry, amount) => `${anyTime(entry, amount)} ${entry.time}`;

function withoutPairs(entries: readonly Entry[], keyOf: PairKey): readonly Entry[] {
  const alone = new Map<string, Entry[]>();
  for (const entry of entries) {
    const opposites = alone.get(keyOf(entry, sum([negated(entry.term.amount)]))) ?? [];
    const index = opposites.findIndex(({ history }) => history !== entry.history);
    if (index >= 0) {
      opposites.splice(index, 1);
      continue;
    }
    const key = keyOf(entry, sum([entry.term.amount]));
    alone.set(key, [...(alone.get(key) ?? []), entry]);
  }
  return [...alone.values()].flat();
}

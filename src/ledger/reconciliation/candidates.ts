import { isSame, isZero, negated, product, sum, type NumberText } from '../../base/decimal.ts';
import type { LedgerRecord, CandidateKind, Candidate } from '../ledger.ts';
import type { Entry } from './entries.ts';

const mostRowsShown = 20;

/** Explanations of what the rows of a period lack, the likeliest first. */
export function findCandidates(
  remainder: NumberText,
  rows: readonly Entry[],
  pairs: readonly Pairs[],
): readonly Candidate[] {
  const search = new CandidateSearch(remainder, rows, pairs);
  return [
    search.withoutTransaction(),
    ...search.correctedByWitness(),
    search.countedTwice(),
    search.flippedSign(),
    search.missing(),
    search.alteredAmount(),
  ].filter((candidate) => candidate !== null);
}

class CandidateSearch {
  private readonly remainder: NumberText;
  private readonly rows: readonly Entry[];
  /** Records that the row of another history confirms. */
  private readonly confirmed: ReadonlySet<LedgerRecord>;
  /** Rows that should have an opposite and have none. */
  private readonly unexpected: ReadonlySet<LedgerRecord>;
  /** Records of other histories whose row is not there as it should be. */
  private readonly witnesses: readonly Entry[];
  /** Rows that would fit if they said what a witness says. */
  private readonly corrected: readonly Entry[];

  constructor(remainder: NumberText, rows: readonly Entry[], pairs: readonly Pairs[]) {
    this.remainder = remainder;
    this.rows = rows;
    const own = new Set(rows.map(({ record }) => record));
    const alone = pairs.flatMap((each) => each.alone);
    this.confirmed = new Set(pairs.flatMap((each) => [...each.confirmed]));
    this.unexpected = new Set(alone.map(({ record }) => record));
    this.witnesses = alone.filter(
      ({ history, record }) => history === 'trades' || !own.has(record),
    );
    const expected = new Set(this.witnesses.map((witness) => expectedOf(witness)));
    this.corrected = rows.filter(
      (row) => this.unexpected.has(row.record) && expected.has(this.rightAmountOf(row)),
    );
  }

  /** A fee, a realised profit or loss, or a transfer of which only the other record is there. */
  withoutTransaction(): Candidate | null {
    const fitting = this.witnesses.filter((witness) => isSame(expectedOf(witness), this.remainder));
    return candidateOf('withoutTransaction', fitting, true, () => this.remainder);
  }

  correctedByWitness(): readonly (Candidate | null)[] {
    const [flipped, altered] = [true, false].map((isFlipped) =>
      this.corrected.filter((row) => this.isFlipped(row) === isFlipped),
    );
    return [
      candidateOf('flippedSign', flipped, true, this.rightAmountOf),
      candidateOf('alteredAmount', altered, true, this.rightAmountOf),
    ];
  }

  /** Rows that are there more than once and too much by their amount; at best all of one time. */
  countedTwice(): Candidate | null {
    const surplus = negated(this.remainder);
    const fitting = this.rows.filter(({ term }) => isSame(term.amount, surplus));
    const sameTime = repeated(fitting, (row) => `${row.history} ${typeOf(row)} ${row.time}`);
    const groups =
      sameTime.length > 0 ? sameTime : repeated(fitting, (row) => `${row.history} ${typeOf(row)}`);
    const unexpected = groups.filter((rows) =>
      rows.some(({ record }) => this.unexpected.has(record)),
    );
    const found = unexpected.length > 0 ? unexpected : groups;
    return candidateOf('countedTwice', found.flat(), unexpected.length > 0, () => null);
  }

  flippedSign(): Candidate | null {
    const fitting = this.unconfirmed().filter((row) => this.isFlipped(row));
    return candidateOf('flippedSign', fitting, false, this.rightAmountOf);
  }

  /** Any row that no other record confirms could be off by the remainder. */
  alteredAmount(): Candidate | null {
    const fitting = this.unconfirmed().filter((row) => !this.isFlipped(row));
    return candidateOf('alteredAmount', fitting, false, this.rightAmountOf);
  }

  missing(): Candidate {
    const amount = this.remainder;
    return { kind: 'missing', count: 0, rows: [], amount, isWitnessed: false };
  }

  private readonly rightAmountOf = ({ term }: Entry): NumberText =>
    sum([term.amount, this.remainder]);

  private isFlipped({ term }: Entry): boolean {
    return isSame(product(term.amount, '-2'), this.remainder);
  }

  private unconfirmed(): readonly Entry[] {
    const named = new Set(this.corrected.map(({ record }) => record));
    return this.rows.filter(({ record }) => !this.confirmed.has(record) && !named.has(record));
  }
}

/** What the row that belongs to a witness says. */
function expectedOf({ term }: Entry): NumberText {
  return sum([negated(term.amount)]);
}

function typeOf({ record }: Entry): string {
  return 'type' in record ? (record.type ?? '') : '';
}

/** Groups of several rows with the same key. */
function repeated(
  rows: readonly Entry[],
  keyOf: (row: Entry) => string,
): readonly (readonly Entry[])[] {
  return [...Map.groupBy(rows, keyOf).values()].filter((same) => same.length > 1);
}

function candidateOf(
  kind: CandidateKind,
  entries: readonly Entry[] = [],
  isWitnessed: boolean,
  amountOf: (entry: Entry) => NumberText | null,
): Candidate | null {
  if (entries.length === 0) return null;
  const rows = entries.slice(0, mostRowsShown).map((entry) => ({
    history: entry.history,
    record: entry.record,
    rightAmount: amountOf(entry),
  }));
  return { kind, count: entries.length, rows, amount: null, isWitnessed };
}

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

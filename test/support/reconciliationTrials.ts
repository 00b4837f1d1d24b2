import type { Candidate, ReconciliationReport } from '../../src/ledger/ledger.ts';
import assert from 'node:assert/strict';
import type { Transaction } from '../../src/exchange/records.ts';
import { bracketOf } from '../../src/ledger/reconciliation/bracket.ts';
import { reconcile } from '../../src/ledger/reconciliation/reconciliation.ts';
import { SeededRandom } from '../../src/practice/market/seededRandom.ts';
import { bookedLedger, type BookedLedger, type BookHabits } from './bookedLedger.ts';
import { everythingCovered, ledgerInMemory } from './ledgerInMemory.ts';

export const faultKinds = ['removed', 'doubled', 'flipped', 'altered'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** What a reconciliation said of a ledger with one wrong row. */
export type Trial = {
  readonly seed: number;
  /** The row's asset has the only contradiction of deposits, and its period contains the row. */
  readonly isPeriodNamed: boolean;
  /** That period is the interval between the neighbouring checkpoints. */
  readonly isIntervalNamed: boolean;
  /** A trade or another leg says what the row should be, or no other row of the interval has its amount. */
  readonly canBeKnown: boolean;
  /** The row's place among all rows of the candidates, from 1; infinite if it is not there. */
  readonly place: number;
  readonly durationMs: number;
};

export function reconcileBooks(ledger: BookedLedger): ReconciliationReport {
  const { checkpoints, period, ...records } = ledger;
  const reader = ledgerInMemory({ checkpoints, records, coverage: everythingCovered(period) });
  return reconcile(reader);
}

/** Makes one row of FUTURE wrong that lies outside of all brackets, and reconciles. */
export function tryFault(ledger: BookedLedger, kind: FaultKind, seed: number): Trial {
  const random = new SeededRandom(`${seed}/${kind}`);
  const brackets = ledger.checkpoints.map(bracketOf).sort((one, other) => one.from - other.from);
  const row = rowOutside(ledger, brackets, random);
  const faulty = { ...ledger, futureTransactions: withFault(ledger, row, kind, random) };
  const begin = performance.now();
  const report = reconcileBooks(faulty);
  const durationMs = performance.now() - begin;
  const time = Number(row.time);
  const from = brackets.findLast((bracket) => bracket.to <= time)?.from;
  const to = brackets.find((bracket) => bracket.from > time)?.to;
  const contradictions = (report[0]?.subjects ?? []).flatMap((subject) =>
    subject.contradictions.map((each) => ({ ...each, ...subject })),
  );
  const [found] = contradictions;
  const isPeriodNamed =
    contradictions.length === 1 &&
    found?.subject === row.asset &&
    found.from <= time &&
    time < found.to;
  return {
    seed,
    isPeriodNamed,
    isIntervalNamed: isPeriodNamed && found.from === from && found.to === to,
    canBeKnown: isWitnessed(row) || isUnique(row, ledger, from, to),
    place: placeOf(found?.candidates ?? [], row, kind),
    durationMs,
  };
}

function isWitnessed({ type }: Transaction): boolean {
  return type === 'FEE' || type === 'REALIZED_PL' || type.startsWith('TRANSFER_');
}

function isUnique(
  row: Transaction,
  { futureTransactions }: BookedLedger,
  from = 0,
  to = Infinity,
): boolean {
  const same = futureTransactions.filter(
    ({ asset, amount, time }) =>
      asset === row.asset && amount === row.amount && Number(time) >= from && Number(time) < to,
  );
  return same.length === 1;
}

type Brackets = readonly { readonly from: number; readonly to: number }[];

function rowOutside(ledger: BookedLedger, brackets: Brackets, random: SeededRandom): Transaction {
  const { futureTransactions: rows } = ledger;
  const [first = { to: 0 }, last = { from: 0 }] = [brackets[0], brackets.at(-1)];
  for (;;) {
    const row = rows[random.integer(0, rows.length - 1)];
    const time = Number(row?.time);
    const isInside = brackets.some(({ from, to }) => from <= time && time < to);
    if (row && !isInside && time >= first.to && time < last.from) return row;
  }
}

function withFault(
  { futureTransactions }: BookedLedger,
  row: Transaction,
  kind: FaultKind,
  random: SeededRandom,
): readonly Transaction[] {
  const amount = row.amount ?? assert.fail('The row has an amount.');
  const flipped = amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
  const instead = {
    removed: [],
    doubled: [row, { ...row }],
    flipped: [{ ...row, amount: flipped }],
    altered: [{ ...row, amount: alteredDigit(amount, random) }],
  }[kind];
  return futureTransactions.flatMap((each) => (each === row ? instead : [each]));
}

/** Another digit in one place. */
function alteredDigit(amount: string, random: SeededRandom): string {
  const places = Array.from(amount).flatMap((digit, index) => (/\d/.test(digit) ? [index] : []));
  const place = places[random.integer(0, places.length - 1)] ?? 0;
  const digit = (Number(amount[place]) + random.integer(1, 8)) % 10;
  const changed = amount.slice(0, place) + String(digit) + amount.slice(place + 1);
  return changed.replace(/^(-?)0+(?=\d)/, '$1');
}

const explained: Readonly<Record<FaultKind, readonly Candidate['kind'][]>> = {
  removed: ['withoutTransaction', 'missing'],
  doubled: ['countedTwice'],
  flipped: ['flippedSign'],
  altered: ['alteredAmount'],
};

/** Counts every row of a candidate: rows that fit equally push later ones back. */
function placeOf(candidates: readonly Candidate[], row: Transaction, kind: FaultKind): number {
  let place = 0;
  for (const candidate of candidates) {
    const isRight = explained[kind].includes(candidate.kind);
    if (candidate.rows.length === 0) {
      place += 1;
      if (isRight && candidate.amount === row.amount) return place;
    }
    for (const { record } of candidate.rows) {
      place += 1;
      if (isRight && isSameRow(record, row, candidate.kind)) return place;
    }
    place += candidate.count - candidate.rows.length;
  }
  return Infinity;
}

/** A missing row is named by the record that it belongs to, which has its time. */
function isSameRow(record: object, row: Transaction, kind: Candidate['kind']): boolean {
  const { transactionId, time } = record as Partial<Transaction>;
  return kind === 'withoutTransaction' ? time === row.time : transactionId === row.transactionId;
}

/** Habits of real exchanges in many combinations. */
export function bookHabits(seed: number): BookHabits {
  const random = new SeededRandom(`${seed}/habits`);
  return {
    doubles: random.chance(50),
    singleAverages: random.chance(15),
    wholePrices: random.chance(30),
    otherFees: random.chance(60),
    unsignedShorts: random.chance(40),
    ...(random.chance(60) ? { staleMs: random.integer(500, 3000) } : {}),
    ...(random.chance(40) ? { balanceDigits: random.integer(2, 6) } : {}),
  };
}

/** What is contradicted in books without a wrong row. */
export function falseContradictions(
  seed: number,
  size: number,
  habits: BookHabits = {},
): readonly string[] {
  return reconcileBooks(bookedLedger(seed, size, habits)).flatMap(({ identity, subjects }) =>
    subjects
      .filter(({ verdict }) => verdict === 'contradicted')
      .map(({ subject }) => `${seed} ${identity} ${subject}`),
  );
}

/** Fails unless each trial named the period, and the row among the first three where that can be known. */
export function assertNamed(trials: readonly Trial[]): void {
  const known = trials.filter(({ canBeKnown }) => canBeKnown);
  const found = known.filter(({ place }) => place <= 3);
  const unnamed = trials.filter(({ isPeriodNamed }) => !isPeriodNamed);
  assert.deepEqual(unnamed, []);
  assert.ok(known.length > 0);
  assert.ok(found.length >= 0.95 * known.length, `${found.length} of ${known.length} rows`);
}

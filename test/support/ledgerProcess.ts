import { setImmediate, setTimeout } from 'node:timers/promises';
import { recordJson } from '../../src/ledger/storage/recordLines.ts';
import { aTrade } from './builders.ts';
import { ledgerInThisThread } from './ledgerUnderTest.ts';

/**
 * Run as a process of its own, `<file>`: when no other process writes to the ledger, it goes on with its walk, in
 * steps of 50 trades that repeat 10 of the step before. Prints how many it stored after each, until it is killed.
 */
const [file = ''] = process.argv.slice(2);
const ledger = ledgerInThisThread({ file });
while (!ledger.claimWriting()) await setTimeout(5);

const everything = {
  history: 'trades',
  from: 0,
  to: 4e12,
  asOf: 4e12,
  purpose: 'download',
} as const;
const [walk = ledger.beginWalk(everything)] = ledger.unfinishedWalks();
for (let next = Number(walk.cursor ?? 0); ; next += 50) {
  const numbers = Array.from({ length: 60 }, (_none, index) => next - 10 + index);
  const trades = numbers.filter((number) => number >= 0).map(tradeOf);
  ledger.saveStep(walk.id, trades.map(recordJson), next + 50);
  console.log(next + 50);
  await setImmediate();
}

function tradeOf(number: number) {
  return aTrade({ tradeId: String(number + 1), time: String(1_763_632_800_000 + number) });
}

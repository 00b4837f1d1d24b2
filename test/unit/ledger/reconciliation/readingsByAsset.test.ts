import assert from 'node:assert/strict';
import type { Transaction } from '../../../../src/exchange/records.ts';
import type { Checkpoint, IdentityReport } from '../../../../src/ledger/ledger.ts';
import { reconcile } from '../../../../src/ledger/reconciliation/reconciliation.ts';
import { aTransaction, unknownFees } from '../../../support/builders.ts';
import { everythingCovered, ledgerInMemory } from '../../../support/ledgerInMemory.ts';

const start = Date.UTC(2026, 10, 20);
/** Between two checkpoints. */
const stepMs = 60_000;
const usdtSteps = 40;
const btcSteps = 12;
const period = { from: start - stepMs, to: start + (usdtSteps + 2) * stepMs };

/**
 * usdt follows FUTURE and btc follows SPOT, 1 in each step. SPOT deposits of usdt change no balance, so that
 * FUTURE fits the exchange best.
 */
describe('the reconciliation of assets that follow different accounts', () => {
  const future = rowsOf('usdt', usdtSteps, '1');
  const spotOfUsdt = rowsOf('usdt', 20, '7');
  const spotOfBtc = rowsOf('btc', btcSteps, '1');

  it('leaves an asset undecided if another account explains it', () => {
    const deposited = depositedOf(future, [...spotOfUsdt, ...spotOfBtc]);
    assert.equal(deposited.reading, 'FUTURE');
    assert.deepEqual(verdictsOf(deposited), [
      ['btc', 'undecided', 'otherReading', 0],
      ['usdt', 'proved', null, 0],
    ]);
  });

  it('leaves it undecided also if the other account lacks a row', () => {
    const spot = [...spotOfUsdt, ...spotOfBtc.slice(1)];
    assert.deepEqual(verdictsOf(depositedOf(future, spot))[0], [
      ...['btc', 'undecided', 'otherReading', 0],
    ]);
  });

  it('still contradicts an asset that no account explains better', () => {
    const deposited = depositedOf(future.toSpliced(7, 1), [...spotOfUsdt, ...spotOfBtc]);
    assert.deepEqual(verdictsOf(deposited)[1], ['usdt', 'contradicted', null, 1]);
  });
});

function verdictsOf({ subjects }: IdentityReport): readonly unknown[] {
  return subjects.map(({ subject, verdict, reason, contradictions }) => [
    ...[subject, verdict, reason, contradictions.length],
  ]);
}

function depositedOf(
  futureTransactions: readonly Transaction[],
  spotTransactions: readonly Transaction[],
): IdentityReport {
  const reader = ledgerInMemory({
    checkpoints: Array.from({ length: usdtSteps + 1 }, (_none, step) => checkpoint(step)),
    records: { futureTransactions, spotTransactions },
    coverage: everythingCovered(period),
  });
  return reconcile(reader).find(({ identity }) => identity === 'deposited') ?? assert.fail();
}

/** One in the middle of each of the first steps. */
function rowsOf(asset: string, steps: number, amount: string): readonly Transaction[] {
  return Array.from({ length: steps }, (_none, step) => {
    const time = String(start + (step + 0.5) * stepMs);
    return aTransaction({ transactionId: `${asset}${step}`, asset, type: 'REWARD', amount, time });
  });
}

function checkpoint(step: number): Checkpoint {
  const sentAt = start + step * stepMs;
  const figures = { usdt: step, btc: Math.min(step, btcSteps) };
  const assets = Object.entries(figures).map(([name, figure]) => {
    return { name, deposited: String(figure), margin: '0', locked: '0' };
  });
  const unknown = { positions: null, equity: null, upl: null, fees: unknownFees };
  return { sentAt, answeredAt: sentAt + 100, clockErrorMs: 0, assets, ...unknown };
}

import assert from 'node:assert/strict';
import path from 'node:path';
import { sum } from '../../../../src/base/decimal.ts';
import { dayMs, minuteMs, secondMs } from '../../../../src/base/time.ts';
import type { AnalysisOf } from '../../../../src/ledger/analysis/analysis.ts';
import type { Checkpoint } from '../../../../src/ledger/ledger.ts';
import { analysisOf, writeLedger, type LedgerContent } from '../../../support/analysedLedger.ts';
import { aTransaction, unknownFees } from '../../../support/builders.ts';
import { folderOfEachTest } from '../../../support/project.ts';

const noon = Date.UTC(2025, 10, 18, 12);
const minute = (count: number): number => noon + count * minuteMs;

/** A sample of an account with usdt and bnb. */
function sample(count: number, deposited: string, upl = '0', fields: Partial<Checkpoint> = {}) {
  const time = minute(count);
  const assets = [
    { name: 'usdt', deposited, margin: '0', locked: '0' },
    { name: 'bnb', deposited: '7', margin: '0', locked: '0' },
  ];
  return {
    sentAt: time - 100,
    answeredAt: time,
    clockErrorMs: 20,
    fees: unknownFees,
    assets,
    positions: [],
    equity: sum([deposited, upl]),
    upl,
    ...fields,
  };
}

function transaction(count: number, type: string, amount: string, asset = 'usdt') {
  const transactionId = String(count * 1000 + Number(amount.replace(/\D/g, '').slice(0, 3)));
  return aTransaction({ transactionId, type, amount, asset, time: String(minute(count)) });
}

/** Before all periods: a balance that changes by six fees of this history, and is 100 at their end. */
function learned(history: 'futureTransactions' | 'spotTransactions', content: LedgerContent) {
  const daysBefore = -2 * 24 * 60;
  const fees = [6, 5, 4, 3, 2, 1];
  const rows = fees.map((left) => transaction(daysBefore - 2 * left, 'FEE', '-1'));
  const checkpoints = fees.map((left) =>
    sample(daysBefore - 2 * left - 1, sum(['100', String(left)])),
  );
  const { records = {} } = content;
  return {
    ...content,
    records: { ...records, [history]: [...rows, ...(records[history] ?? [])] },
    checkpoints: [...checkpoints, sample(daysBefore, '100'), ...(content.checkpoints ?? [])],
  };
}

describe('the equity of an analysis', () => {
  const folder = folderOfEachTest();
  const period = { from: noon - dayMs, to: noon + dayMs };

  const equityOf = async (content: LedgerContent): Promise<AnalysisOf<'equity'>> => {
    const ledger = writeLedger(path.join(folder.path, `${crypto.randomUUID()}.sqlite`), {
      ...content,
      records: { futureTransactions: [], spotTransactions: [], ...content.records },
    });
    const found = await analysisOf(ledger, 'equity', { period });
    ledger.close();
    return found;
  };
  const drawdownOf = async (content: LedgerContent) => (await equityOf(content)).drawdown;

  it('has no drawdown without two samples', async () => {
    const { times, unit, drawdown } = await equityOf({});
    assert.deepEqual({ times, unit }, { times: [], unit: null });
    assert.deepEqual(drawdown, { problem: 'noSamples' });
    const one = await equityOf({ checkpoints: [sample(0, '100')] });
    assert.deepEqual([one.values, one.drawdown], [['100'], { problem: 'noSamples' }]);
  });

  it('counts in the asset whose balance it follows', async () => {
    const checkpoints = [sample(0, '100', '3.5'), sample(1, '100', '-1')];
    assert.equal((await equityOf({ checkpoints })).unit, 'usdt');
  });

  it('shows gaps between samples, unless equity stayed the same', async () => {
    const checkpoints = [
      ...[sample(0, '100', '1'), sample(10, '100', '2'), sample(60, '100', '2')],
      ...[sample(90, '100', '3'), sample(105, '100', '4')],
    ];
    const { gaps, groups } = await equityOf({ checkpoints });
    assert.deepEqual(gaps, [{ from: minute(60), to: minute(90) }]);
    const [day] = groups.filter((each) => each !== null);
    assert.deepEqual(day, {
      first: '101',
      lowest: '101',
      highest: '104',
      last: '104',
      samples: 5,
    });
  });

  it('keeps the first, lowest, highest and last sample of each part of many', async () => {
    const checkpoints = Array.from({ length: 20_000 }, (_none, index) =>
      sample(index / 20, '0', index === 7777 ? '-500' : String(index % 100)),
    );
    const { values, times } = await equityOf({ checkpoints });
    assert.ok(times.length <= 8000);
    assert.ok(values.includes('-500') && values.includes('99'));
    assert.deepEqual([times[0], times.at(-1)], [minute(0), minute(19_999 / 20)]);
  });

  it('keeps the deepest fall of each part, also from a peak in that part', async () => {
    const inPart = ['900', '2000', '1500', '1900', '1890', '1900'];
    const checkpoints = Array.from({ length: 12_000 }, (_none, index) =>
      sample(index / 20, '1000', index < 3600 ? '0' : (inPart[index - 3600] ?? '1900')),
    );
    const { drawdown } = await equityOf({ checkpoints });
    assert.ok(drawdown.problem === null);
    assert.deepEqual([drawdown.deepest?.amount, drawdown.values.includes('-500')], ['-500', true]);
  });

  it('falls from its peak, for the longest time and the largest amount', async () => {
    const upl = ['0', '10', '9', '11', '-20', '12', '11.5', '11.5', '11.5'];
    const checkpoints = upl.map((each, index) => sample(index, '100', each));
    assert.deepEqual(await drawdownOf({ checkpoints }), {
      problem: null,
      flows: 0,
      values: ['0', '0', '-1', '0', '-31', '0', '-0.5', '-0.5', '-0.5'],
      deepest: { from: minute(3), to: minute(4), amount: '-31' },
      longest: { from: minute(5), to: minute(8), amount: '-0.5', isOver: false },
    });
  });

  const deposits = (...balances: readonly string[]) =>
    balances.map((balance, count) => sample(count, balance));
  const deposit = transaction(0.5, 'DEPOSIT', '50');
  const deposited = { records: { futureTransactions: [deposit] } };
  const flat = [sample(0, '100'), sample(1, '150'), sample(2, '150', '-1')];
  /** It is shown late, or by an answer that was old. */
  const unclear = (seconds: number) => {
    const time = String(minute(1) + seconds * secondMs);
    return learned('futureTransactions', {
      checkpoints: flat,
      records: { futureTransactions: [{ ...deposit, time }] },
    });
  };
  const covered = (...reads: readonly (readonly [from: number, to: number])[]) => ({
    futureTransactions: reads.map(([from, to]) => ({ from, to })),
  });
  const unitless = ['9000', '8000', '8500'].map((equity, index) =>
    sample(index * 2, '100', '0', { equity }),
  );
  const flows = [
    transaction(0.5, 'TRANSFER_TO_SPOT', '-40'),
    transaction(1.5, 'FEE', '-5'),
    transaction(2.5, 'DEPOSIT', '1000'),
    transaction(3.5, 'FUNDING_FEE', '-1'),
    transaction(3.5, 'DEPOSIT', '9', 'bnb'),
  ];
  const drawdowns: readonly (readonly [
    ...[what: string, content: LedgerContent, expected: string | readonly (string | null)[]],
  ])[] = [
    [
      'is none after a withdrawal, and no gain after a deposit',
      learned('futureTransactions', {
        checkpoints: deposits('100', '60', '55', '1055', '1054'),
        records: { futureTransactions: flows },
      }),
      ['0', '0', '-5', '-5', '-6'],
    ],
    [
      'follows the transactions of SPOT if the balances do',
      learned('spotTransactions', {
        checkpoints: deposits('100', '150', '149'),
        records: { spotTransactions: [deposit, transaction(1.5, 'REWARD', '-1')] },
      }),
      ['0', '0', '-1'],
    ],
    [
      'leaves out the newest samples, whose transactions were not read yet',
      {
        checkpoints: [...deposits('100', '90'), sample(2, '90', '-2')],
        complete: covered([0, minute(1.5)]),
        records: { futureTransactions: [transaction(0.5, 'FEE', '-10')] },
      },
      ['0', '-10', null],
    ],
    ['leaves out a sample before a deposit was shown', unclear(1), ['0', null, '-1']],
    ['leaves out a sample whose answer may be old', unclear(-2), ['0', null, '-1']],
    ['is in an unknown unit if nothing flowed', { checkpoints: unitless }, ['0', '-1000', '-500']],
    ['has a unit once something flowed', { ...deposited, checkpoints: unitless }, 'unknownUnit'],
    ['is of balances whose source is known', { ...deposited, checkpoints: flat }, 'notLearned'],
    [
      'is of balances that show each deposit',
      learned('futureTransactions', {
        ...deposited,
        checkpoints: [0, 1, 2, 3].map((count) => sample(count, '100', String(count))),
      }),
      'unexplainedFlow',
    ],
    ...[
      covered([0, minute(0) + 10 * secondMs]),
      covered([0, minute(1)], [minute(2), minute(200)]),
    ].map((complete) => {
      const checkpoints = [sample(0, '100'), sample(120, '160')];
      return ['is of a time that was read', { checkpoints, complete }, 'notCovered'] as const;
    }),
  ];
  for (const [what, content, expected] of drawdowns)
    it(`has a drawdown that ${what}`, async () => {
      const found = await drawdownOf(content);
      assert.deepEqual(found.problem ?? found.values, expected);
      if (content.records?.futureTransactions?.includes(flows[0] ?? deposit))
        assert.equal(found.problem === null && found.flows, 2);
    });

  it('has every digit', async () => {
    const checkpoints = [
      sample(0, '9007199254740993.000000000000000001'),
      sample(1, '9007199254740993.000000000000000001', '-0.0000000000000000000000001'),
    ];
    const found = await drawdownOf({ checkpoints });
    assert.ok(found.problem === null);
    assert.equal(found.deepest?.amount, '-0.0000000000000000000000001');
  });
});

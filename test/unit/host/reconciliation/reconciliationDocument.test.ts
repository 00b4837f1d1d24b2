import assert from 'node:assert/strict';
import { dayMs, hourMs } from '../../../../src/base/time.ts';
import type { Transaction } from '../../../../src/exchange/records.ts';
import type { ReconciliationReport } from '../../../../src/ledger/ledger.ts';
import { reconcile } from '../../../../src/ledger/reconciliation/reconciliation.ts';
import type {
  ReconciliationDocument,
  ReconciliationLine,
} from '../../../../src/protocol/reconciliationMessages.ts';
import { aProfile, aTransaction } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';
import { everythingCovered, ledgerInMemory } from '../../../support/ledgerInMemory.ts';
import { practiceLedger } from '../../../support/practiceLedger.ts';
import { receiptTexts } from '../../../support/receiptTexts.ts';
const { reconciliationDocument } =
  await import('../../../../src/host/reconciliation/reconciliationDocument.ts');

const start = Date.UTC(2026, 9, 8, 0, 30);
const period = { from: start, to: start + 10 * dayMs };

describe('the document of a reconciliation', () => {
  const { checkpoints, records } = practiceLedger(1, period, 3 * hourMs);
  const future = records.futureTransactions as readonly Transaction[];
  const withheld = aFee(future);
  const reportOf = (futureTransactions: readonly Transaction[]): ReconciliationReport =>
    reconcile(
      ledgerInMemory({
        checkpoints,
        records: { ...records, futureTransactions },
        coverage: everythingCovered(period),
      }),
    );
  const whole = reportOf(future);
  const broken = reportOf(future.filter((each) => each !== withheld));

  it('says of every asset whose rows are there that it is proved, first of all', () => {
    const { sections, time } = documentOf(whole);
    assert.equal(time, 'Computed on 2026-11-20 10:00:00 UTC.');
    assert.equal(sections[0]?.title, 'Balances');
    assert.deepEqual(
      sections[0].notes[1],
      'The balances of this exchange follow the FUTURE transactions.',
    );
    const words = sections[0].lines.map(({ state, word, remainder }) => [state, word, remainder]);
    assert.ok(words.length > 1);
    for (const word of words) assert.deepEqual(word, ['proved', 'Proved', '0']);
    assert.equal(sections.length, 7);
  });

  it('names interval, remainder and record of a transaction that is withheld', () => {
    const line = usdtOf(documentOf(broken));
    assert.deepEqual([line.state, line.word], ['contradicted', 'Contradicted']);
    assert.equal(line.remainder, aDisplay().full('amount', withheld.amount));
    assert.match(
      line.notes[0] ?? '',
      /^From 2026-10-\d\d [\d:.]+ UTC to 2026-10-\d\d [\d:.]+ UTC, the rows do not add up/,
    );
    const [first] = line.candidates;
    assert.equal(first?.title, `A transaction of ${line.remainder} is missing for this record:`);
    assert.match(first.rows[0] ?? '', /^Trade · \d+ · 2026-10-\d\d .* UTC · Fee [\d.,]+$/);
    assert.ok(first.rows[0]?.endsWith(line.remainder.replace('-', '')));
  });

  it('hides every figure of the account in privacy mode', () => {
    const line = usdtOf(documentOf(broken, true));
    assert.equal(line.remainder, '•••');
    const [first] = line.candidates;
    assert.equal(first?.title, 'A transaction of ••• is missing for this record:');
    assert.match(first.rows[0] ?? '', /^Trade · \d+ · 2026-10-\d\d .* UTC · Fee •••$/);
    const figure = aDisplay().full('amount', withheld.amount).replace('-', '');
    for (const text of receiptTexts(documentOf(broken, true))) assert.ok(!text.includes(figure));
  });

  it('says what a row would fit as, as the record has it', () => {
    const flipped = { ...withheld, amount: withheld.amount.replace('-', '') };
    const changed = future.map((each) => (each === withheld ? flipped : each));
    const candidate = usdtOf(documentOf(reportOf(changed))).candidates.find(({ title }) =>
      title.startsWith('A row has the wrong sign'),
    );
    assert.ok(candidate);
    const [right, wrong] = [withheld, flipped].map(({ amount }) =>
      aDisplay().full('amount', amount),
    );
    assert.ok(candidate.rows[0]?.endsWith(` · ${wrong}, would fit as ${right}`));
    assert.deepEqual(candidate.notes, ['Another record bears this out.']);
  });

  it('says why nothing can be judged', () => {
    const empty = reconcile(ledgerInMemory({ checkpoints, records: {}, coverage: {} }));
    const line = usdtOf(documentOf(empty));
    assert.deepEqual(
      [line.state, line.word, line.remainder, line.notes],
      ['undecided', 'Undecided', '—', ['It is judged once it held 5 times on this exchange.']],
    );
  });

  it('says so without an account or a ledger, while it is computed, and after a change', () => {
    const display = aDisplay();
    const closed = reconciliationDocument(undefined, { kind: 'noLedger' }, display);
    assert.deepEqual([closed.account, closed.notes], [null, ['No account is open.']]);
    const none = reconciliationDocument(aProfile(), { kind: 'noLedger' }, display);
    assert.match(none.notes[0] ?? '', /^This account has no ledger\./);
    const computing = reconciliationDocument(aProfile(), { kind: 'computing' }, display);
    assert.equal(computing.time, 'Comparing the records…');
    const outdated = { kind: 'computed', report: whole, computedAt: 0, isOutdated: true } as const;
    assert.match(
      reconciliationDocument(aProfile(), outdated, display).notes[0] ?? '',
      /^The ledger has changed since\./,
    );
  });

  it('shows no control, bidirectional or invisible character of the exchange', () => {
    const bad = '\u202eevil\u0007<img src=x>\u200b';
    const record = aTransaction({ asset: bad, type: bad, transactionId: bad });
    const [balances = assert.fail()] = broken;
    const line = balances.subjects.find(({ verdict }) => verdict === 'contradicted');
    const contradictions = line?.contradictions.map((each) => ({ ...each, key: bad })) ?? [];
    const row = { history: 'futureTransactions', record, rightAmount: '1' } as const;
    const shared = { count: 1, amount: null, isWitnessed: false, rows: [row] };
    const subject = { ...(line ?? assert.fail()), subject: bad, contradictions };
    const candidates = [{ ...shared, kind: 'alteredAmount' }] as const;
    for (const identity of ['deposited', 'transferLegs', 'filled'] as const) {
      const report = [{ ...balances, identity, subjects: [{ ...subject, candidates }] }];
      for (const text of receiptTexts(documentOf(report)))
        assert.doesNotMatch(text, /[\p{Cc}\p{Cf}]/u);
    }
  });
});

function documentOf(report: ReconciliationReport, hidesMoney = false): ReconciliationDocument {
  const computedAt = Date.UTC(2026, 10, 20, 10);
  const state = { kind: 'computed', report, computedAt, isOutdated: false } as const;
  return reconciliationDocument(aProfile(), state, aDisplay({ hidesMoney }));
}

function usdtOf({ sections }: ReconciliationDocument): ReconciliationLine {
  return sections[0]?.lines.find(({ label }) => label === 'usdt') ?? assert.fail();
}

/** From the middle of the period. */
function aFee(transactions: readonly Transaction[]): Transaction {
  const fees = transactions.filter(
    ({ type, asset, amount }) => type === 'FEE' && asset === 'usdt' && amount.startsWith('-'),
  );
  return fees[Math.floor(fees.length / 2)] ?? assert.fail('no fee');
}

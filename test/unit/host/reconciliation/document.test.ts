import assert from 'node:assert/strict';
import { dayMs, hourMs } from '../../../../src/base/time.ts';
import type { Trade, Transaction } from '../../../../src/exchange/records.ts';
import type { ReconciliationReport } from '../../../../src/ledger/ledger.ts';
import { reconcile } from '../../../../src/ledger/reconciliation/reconciliation.ts';
import { firstContradictions } from '../../../../src/ledger/reconciliation/contradictions.ts';
import type { ReconciliationState } from '../../../../src/host/reconciliation/accountReconciliation.ts';
import type { StoredRows } from '../../../../src/host/reconciliation/storedRows.ts';
import type { Live, LiveDocument } from '../../../../src/host/webview/documentPanel.ts';
import type { Check, DocumentButton, Section } from '../../../../src/protocol/document.ts';
import { assertApproved } from '../../../support/approved.ts';
import { aProfile, aTransaction } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';
import { everythingCovered, ledgerInMemory } from '../../../support/ledgerInMemory.ts';
import { practiceLedger } from '../../../support/practiceLedger.ts';
import { receiptTexts } from '../../../support/receiptTexts.ts';
import { aReconciliation } from '../../../support/reconciliationReports.ts';
const { reconciliationDocument } = await import('../../../../src/host/reconciliation/document.ts');

type Computed = Extract<ReconciliationState, { kind: 'computed' }>;

const computedAt = Date.UTC(2026, 10, 20, 10);
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

  it('says of every asset whose rows are there that it is proved', () => {
    const document = documentOf(whole);
    const [, balances = assert.fail()] = document.sections;
    assert.ok(linesOf(balances).length > 1);
    for (const { state } of linesOf(balances)) assert.equal(state, 'done');
    assertApproved('reconciliation/proved', documentOf(shortened(whole)));
  });

  it('names interval, remainder and record of a transaction that is withheld, first of all', () => {
    assertApproved('reconciliation/contradicted', documentOf(shortened(broken)));
  });

  it('hides every figure of the account in privacy mode', () => {
    assertApproved('reconciliation/hidden', documentOf(shortened(broken), true));
    const figure = aDisplay().full('amount', withheld.amount).replace('−', '');
    for (const text of receiptTexts(documentOf(broken, true))) assert.ok(!text.includes(figure));
  });

  it('says what a row would fit as, as the record has it', () => {
    const flipped = { ...withheld, amount: withheld.amount?.replace('-', '') ?? null };
    const changed = future.map((each) => (each === withheld ? flipped : each));
    assertApproved('reconciliation/wrongSign', documentOf(shortened(reportOf(changed))));
  });

  it('opens the intervals of the first contradicted line only', () => {
    const trades = records.trades.slice(1);
    const report = reconcile(
      ledgerInMemory({
        checkpoints,
        records: {
          ...records,
          trades,
          futureTransactions: future.filter((row) => row !== withheld),
        },
        coverage: everythingCovered(period),
      }),
    );
    const lines = documentOf(report).sections.flatMap(linesOf);
    const open = lines.flatMap(({ label, table }) => (table?.isOpen ? [label] : []));
    assert.ok(lines.filter(({ state }) => state === 'failed').length > 1);
    assert.deepEqual(open, ['usdt']);
  });

  it('names candidates only after the interval was read again, and says when it was', () => {
    const report = aReconciliation([{ subject: 'usdt', ...interval }]);
    const [found = assert.fail()] = firstContradictions(report);
    assertApproved('reconciliation/reading', documentOf(computed(report, { reading: [found] })));
    const checked = [{ ...found, readAt: computedAt }];
    assertApproved('reconciliation/readAgain', documentOf(computed(report, { checked })));
  });

  it('opens the rows of a candidate, and those around a missing row', () => {
    const [witnessed, ...others] = findingsOf(usdtOf(documentOf(broken)));
    const shown = press(witnessed?.rows[0]?.button);
    assert.equal(shown.table, 'trades');
    const { tradeId } = shown.startAt?.fields ?? {};
    const trade = (records.trades as readonly Trade[]).find((each) => each.tradeId === tradeId);
    assert.equal(trade?.time, withheld.time);
    const around = press(others.find(({ buttons }) => buttons.length > 0)?.buttons[0]);
    assert.equal(around.table, 'transactions');
    const { accountType, asset, dateFrom, dateTo } = around.filters;
    assert.deepEqual([accountType, asset, around.startAt], ['FUTURE', 'usdt', undefined]);
    assert.ok(Date.parse(String(dateFrom)) < Number(withheld.time));
    assert.ok(Date.parse(String(dateTo)) > Number(withheld.time));
  });

  it('names each button by itself, another one in a later computation', () => {
    const actionsOf = (state: Computed): string[] =>
      documentOf(state)
        .sections.flatMap(linesOf)
        .flatMap(findingsOf)
        .flatMap(({ rows, buttons }) => [...rows.map(({ button }) => button), ...buttons])
        .map(({ action }) => action);
    const now = actionsOf(computed(broken));
    const later = actionsOf(computed(broken, { computedAt: computedAt + 1 }));
    assert.ok(now.length > 1);
    assert.equal(new Set([...now, ...later]).size, now.length * 2);
  });

  it('says in a line of each topic without a verdict what it needs', () => {
    const undecided = reconcile(ledgerInMemory({ checkpoints, records: {}, coverage: {} }));
    assertApproved('reconciliation/undecided', documentOf(shortened(undecided)));
    const few = undecided.map((each) => ({ ...each, held: 3, failed: 2 }));
    const line = linesOf(documentOf(few).sections.at(-1) ?? assert.fail())[0];
    assert.equal(line?.word, 'needs 5 comparisons that agree, 3 so far · 2 did not agree');
  });

  it('has one line of the assets of a topic that are undecided beside others', () => {
    const [balances = assert.fail(), ...others] = shortened(whole);
    const [first = assert.fail(), ...decided] = balances.subjects;
    const open = ['bnb', 'eth'].map((subject) => {
      return { ...first, subject, verdict: 'undecided', reason: 'notCovered' } as const;
    });
    const unclear = { ...first, subject: 'sol', verdict: 'undecided', reason: 'unclear' } as const;
    const report = [{ ...balances, subjects: [...open, unclear, ...decided] }, ...others];
    assertApproved('reconciliation/undecidedLine', documentOf(report));
  });

  it('says so without an account or a ledger, while it is computed, and after a change', () => {
    const states = {
      noLedger: { kind: 'noLedger' },
      computing: { kind: 'computing' },
      failed: { kind: 'failed', error: new Error('broken') },
      outdated: computed(aReconciliation([]), { status: 'outdated' }),
      computingAgain: computed(aReconciliation([]), { status: 'computing' }),
    } as const;
    for (const [name, state] of Object.entries(states))
      assertApproved(`reconciliation/${name}`, documentOf(state));
    const closed = reconciliationDocument(undefined, states.noLedger, aDisplay(), actions);
    assertApproved('reconciliation/closed', closed);
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

const opened: StoredRows[] = [];
const actions = { refresh: () => undefined, show: (rows: StoredRows) => opened.push(rows) };
const interval = { from: period.from, to: period.from + hourMs };

function documentOf(
  shown: ReconciliationReport | ReconciliationState,
  hidesMoney = false,
): LiveDocument {
  const state = 'kind' in shown ? shown : computed(shown);
  const display = aDisplay({ hidesMoney });
  return reconciliationDocument(aProfile(), state, display, actions);
}

function computed(report: ReconciliationReport, fields: Partial<Computed> = {}): Computed {
  return {
    kind: 'computed',
    report,
    computedAt,
    status: 'current',
    reading: [],
    checked: [],
    ...fields,
  };
}

/** With a few of its assets, symbols and intervals. */
function shortened(report: ReconciliationReport): ReconciliationReport {
  return report.map((each) => ({
    ...each,
    subjects: each.subjects
      .filter(({ subject }) => ['btc', 'usdt', 'btc_usdt'].includes(subject))
      .map((subject) => ({ ...subject, intervals: subject.intervals.slice(0, 3) })),
  }));
}

function linesOf({ blocks }: Live<Section>): readonly Live<Check>[] {
  return blocks.flatMap((block) => (block.kind === 'checklist' ? block.items : []));
}

function findingsOf({ findings }: Live<Check>) {
  return findings?.list ?? [];
}

/** The rows that a button opens. */
function press(button: Live<DocumentButton> | undefined): StoredRows {
  opened.length = 0;
  if (button && 'run' in button) button.run([]);
  return opened[0] ?? assert.fail('nothing was opened');
}

function usdtOf({ sections: [, balances = assert.fail()] }: LiveDocument): Live<Check> {
  return linesOf(balances).find(({ label }) => label === 'usdt') ?? assert.fail();
}

/** From the middle of the period. */
function aFee(transactions: readonly Transaction[]): Transaction {
  const fees = transactions.filter(
    ({ type, asset, amount }) => type === 'FEE' && asset === 'usdt' && amount?.startsWith('-'),
  );
  return fees[Math.floor(fees.length / 2)] ?? assert.fail('no fee');
}

import assert from 'node:assert/strict';
import { dayMs, hourMs } from '../../../../src/base/time.ts';
import type { Trade, Transaction } from '../../../../src/exchange/records.ts';
import type { ReconciliationReport } from '../../../../src/ledger/ledger.ts';
import { reconcile } from '../../../../src/ledger/reconciliation/reconciliation.ts';
import { firstContradictions } from '../../../../src/ledger/reconciliation/contradictions.ts';
import type { ReconciliationState } from '../../../../src/host/reconciliation/accountReconciliation.ts';
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
const { storedRowsAt } = await import('../../../../src/host/reconciliation/storedRows.ts');

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

  it('says of every asset whose rows are there that it is proved, first of all', () => {
    const { sections, time } = documentOf(whole);
    assert.match(time, /^Computed on 2026-11-20 10:00:00 UTC\. \d+ proved( · \d+ undecided)?$/);
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
    assert.match(first.rows[0]?.text ?? '', /^Trade · \d+ · 2026-10-\d\d .* UTC · Fee [\d.,]+$/);
    assert.ok(first.rows[0]?.text.endsWith(line.remainder.replace('−', '')));
  });

  it('hides every figure of the account in privacy mode', () => {
    const line = usdtOf(documentOf(broken, true));
    assert.equal(line.remainder, '•••');
    const [first] = line.candidates;
    assert.equal(first?.title, 'A transaction of ••• is missing for this record:');
    assert.match(first.rows[0]?.text ?? '', /^Trade · \d+ · 2026-10-\d\d .* UTC · Fee •••$/);
    const figure = aDisplay().full('amount', withheld.amount).replace('-', '');
    for (const text of receiptTexts(documentOf(broken, true))) assert.ok(!text.includes(figure));
  });

  it('says what a row would fit as, as the record has it', () => {
    const flipped = { ...withheld, amount: withheld.amount?.replace('-', '') ?? null };
    const changed = future.map((each) => (each === withheld ? flipped : each));
    const candidate = usdtOf(documentOf(reportOf(changed))).candidates.find(({ title }) =>
      title.startsWith('A row has the wrong sign'),
    );
    assert.ok(candidate);
    const [right, wrong] = [withheld, flipped].map(({ amount }) =>
      aDisplay().full('amount', amount),
    );
    assert.ok(candidate.rows[0]?.text.endsWith(` · ${wrong}, would fit as ${right}`));
    assert.deepEqual(candidate.notes, ['Another record confirms this.']);
  });

  it('puts what is contradicted first, and counts the verdicts', () => {
    const { sections, time } = documentOf(broken);
    assert.match(time, / 2 contradicted · \d+ proved/);
    assert.equal(sections[0]?.lines[0]?.label, 'usdt');
    const titles = sections.slice(0, 3).map(({ title }) => title);
    assert.deepEqual(titles, ['Balances', 'Trade fees', 'Positions']);
    const [first] = usdtOf(documentOf(broken)).intervals?.rows ?? [];
    assert.equal(first?.at(-1)?.tone, 'loss');
  });

  it('lists intervals with figure, change, sum of rows and remainder, newest first', () => {
    const proved = usdtOf(documentOf(whole)).intervals ?? assert.fail();
    assert.match(proved.title, /^Checkpoints and intervals: \d+$/);
    assert.deepEqual([proved.rows.length, proved.isOpen], [30, false]);
    const changes = proved.rows.map((row) => row.slice(3).map(({ text }) => text));
    for (const [change, sumOfRows, remainder] of changes)
      assert.deepEqual([sumOfRows, remainder], [change, '0']);
    const line = usdtOf(documentOf(broken));
    const { rows, isOpen } = line.intervals ?? assert.fail();
    assert.equal(isOpen, true);
    const contradicted = rows.filter(([, , , , , remainder]) => remainder?.tone === 'loss');
    assert.deepEqual(
      contradicted.map((row) => row.at(-1)?.text),
      [line.remainder],
    );
    const times = rows.slice(contradicted.length).map(([from]) => from?.text ?? '');
    assert.deepEqual(times, times.toSorted().reverse());
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
    const lines = documentOf(report).sections.flatMap((section) => section.lines);
    const open = lines.flatMap(({ label, intervals }) => (intervals?.isOpen ? [label] : []));
    assert.ok(lines.filter(({ state }) => state === 'contradicted').length > 1);
    assert.deepEqual(open, ['usdt']);
  });

  it('names candidates only after the interval was read again, and says when it was', () => {
    const [found = assert.fail()] = firstContradictions(broken);
    const documented = (fields: Partial<Computed>): ReconciliationLine =>
      usdtOf(reconciliationDocument(aProfile(), computed(broken, fields), aDisplay()));
    const reading = documented({ reading: [found] });
    assert.deepEqual(reading.candidates, []);
    assert.equal(reading.notes.at(-1), 'This interval is being read again from the exchange…');
    const checked = documented({ checked: [{ ...found, readAt: computedAt }] });
    assert.ok(checked.candidates.length > 0);
    assert.equal(
      checked.notes.at(-1),
      'Read again at 2026-11-20 10:00:00 UTC: still contradicted.',
    );
  });

  it('has buttons for the rows of a candidate, and for those around a missing row', () => {
    const { candidates } = usdtOf(documentOf(broken));
    const [witnessed] = candidates;
    const [{ button } = assert.fail()] = witnessed?.rows ?? [];
    assert.equal(button.label, 'Show Row');
    const shown = storedRowsAt(broken, button.place) ?? assert.fail();
    assert.equal(shown.table, 'trades');
    const { tradeId } = shown.startAt?.fields ?? {};
    const trade = (records.trades as readonly Trade[]).find((each) => each.tradeId === tradeId);
    assert.equal(trade?.time, withheld.time);
    const missing = candidates.find(({ buttons }) => buttons.length > 0) ?? assert.fail();
    assert.deepEqual(
      missing.buttons.map(({ label }) => label),
      ['Show Rows of This Interval'],
    );
    const around = storedRowsAt(broken, missing.buttons[0]?.place ?? assert.fail());
    assert.equal(around?.table, 'transactions');
    const { accountType, asset, dateFrom, dateTo } = around.filters;
    assert.deepEqual([accountType, asset, around.startAt], ['FUTURE', 'usdt', undefined]);
    assert.ok(Date.parse(String(dateFrom)) < Number(withheld.time));
    assert.ok(Date.parse(String(dateTo)) > Number(withheld.time));
  });

  it('says once, above the lines, why nothing can be judged', () => {
    const empty = reconcile(ledgerInMemory({ checkpoints, records: {}, coverage: {} }));
    const [balances = assert.fail()] = documentOf(empty).sections;
    assert.ok(balances.lines.length > 1);
    assert.equal(
      balances.notes.at(-1),
      'Undecided: Checked after it has held 5 times on this exchange.',
    );
    for (const { state, word, remainder, notes } of balances.lines)
      assert.deepEqual([state, word, remainder, notes], ['undecided', 'Undecided', '—', []]);
  });

  it('says in the line why a single one is undecided', () => {
    const [first = assert.fail()] = checkpoints;
    const one = [{ ...first, assets: first.assets?.slice(0, 1) ?? [] }];
    const empty = reconcile(ledgerInMemory({ checkpoints: one, records: {}, coverage: {} }));
    const [balances = assert.fail()] = documentOf(empty).sections;
    assert.deepEqual(
      balances.lines.map(({ notes }) => notes),
      [['Checked after it has held 5 times on this exchange.']],
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
    const outdated = reconciliationDocument(
      aProfile(),
      computed(whole, { status: 'outdated' }),
      display,
    );
    assert.match(outdated.notes[0] ?? '', /^The ledger has changed since\./);
    const again = computed(whole, { status: 'computing' });
    assert.equal(reconciliationDocument(aProfile(), again, display).time, 'Comparing the records…');
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
  return reconciliationDocument(aProfile(), computed(report), aDisplay({ hidesMoney }));
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

function usdtOf({ sections }: ReconciliationDocument): ReconciliationLine {
  return sections[0]?.lines.find(({ label }) => label === 'usdt') ?? assert.fail();
}

/** From the middle of the period. */
function aFee(transactions: readonly Transaction[]): Transaction {
  const fees = transactions.filter(
    ({ type, asset, amount }) => type === 'FEE' && asset === 'usdt' && amount?.startsWith('-'),
  );
  return fees[Math.floor(fees.length / 2)] ?? assert.fail('no fee');
}

import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../src/base/emitter.ts';
import { commands } from '../../src/host/contributions.ts';
import type { OpenLedger } from '../../src/host/ledger/openLedger.ts';
import type { ReconciliationReport } from '../../src/ledger/ledger.ts';
import type { ReconciliationDocument } from '../../src/protocol/reconciliationMessages.ts';
import { anAccount, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { activatedExtension, inPrivacy, openAt } from '../support/extensionUnderTest.ts';
import { serversOfEachTest } from '../support/hostileServer.ts';
import { fakePanels } from '../support/shownReceipts.ts';

const report: ReconciliationReport = [
  {
    ...{ identity: 'deposited', reading: 'FUTURE', applicability: 'applies' },
    ...{ held: 9, failed: 1, covered: [], histories: ['futureTransactions'] },
    subjects: [
      {
        ...{ subject: 'usdt', verdict: 'contradicted', reason: null, held: 9, periods: [] },
        contradictions: [{ from: 0, to: 5000, remainder: '-12.3450', key: null }],
        ...{ intervals: [], intervalCount: 0 },
        candidates: [
          { kind: 'missing', count: 0, rows: [], amount: '-12.3450', isWitnessed: false },
        ],
      },
    ],
  },
];

describe('the reconciliation', () => {
  const serve = serversOfEachTest();
  const panels = fakePanels();
  const access = activatedExtension();
  let didChange: Emitter<void>;
  let results: (() => Promise<ReconciliationReport>)[];

  beforeEach(async () => {
    const { url } = await serve((_request, response) => void response.end(wire(anAccount())));
    await openAt(access, url);
    didChange = new Emitter();
    results = [() => Promise.resolve(report)];
  });
  afterEach(() => access.app.ledger.shown.show(undefined));

  const aLedger = (): OpenLedger => {
    const reconcile = (): Promise<ReconciliationReport> =>
      (results.shift() ?? assert.fail('it was computed too often'))();
    const isWriter = (): Promise<boolean> => Promise.resolve(false);
    const ledger = { id: 'ledger', reader: { reconcile }, onDidChange: didChange.event, isWriter };
    return ledger as unknown as OpenLedger;
  };
  const described = async (): Promise<ReconciliationDocument> => {
    const panel = await eventually('a panel', () => panels.at(-1));
    return (await panel.ask('reconciliation/open', null)).body as ReconciliationDocument;
  };
  const changed = (isWanted: (document: ReconciliationDocument) => boolean) =>
    eventually('the document', () =>
      panels
        .at(-1)
        ?.posted.filter(({ name }) => name === 'reconciliation/changed')
        .map(({ body }) => body as ReconciliationDocument)
        .findLast(isWanted),
    );
  const remainders = ({ sections }: ReconciliationDocument): readonly string[] =>
    sections.flatMap(({ lines }) => lines.map(({ remainder }) => remainder));
  const open = (): Thenable<unknown> => vscode.commands.executeCommand(commands.openReconciliation);

  it('says that the account has no ledger, and follows one that is opened', async () => {
    await open();
    assert.match((await described()).notes[0] ?? '', /^This account has no ledger\./);
    access.app.ledger.shown.show(aLedger());
    const computed = await changed(({ sections }) => sections.length > 0);
    assert.deepEqual(remainders(computed), ['-12.3450']);
    assert.match(panels[0]?.title ?? '', /^Reconciliation · .* · TEST$/);
    await open();
    assert.deepEqual([panels.length, panels[0]?.revealed], [1, 1]);
  });

  it('is computed again only on request once the ledger has changed', async () => {
    access.app.ledger.shown.show(aLedger());
    await open();
    await changed(({ sections }) => sections.length > 0);
    didChange.fire();
    const outdated = await changed(({ notes }) => notes.length > 0);
    assert.match(outdated.notes[0] ?? '', /^The ledger has changed since\./);
    assert.deepEqual(remainders(outdated), ['-12.3450']);
    results.push(() => Promise.resolve([]));
    await panels[0]?.ask('reconciliation/refresh', null);
    await changed(({ sections, time }) => sections.length === 0 && time.startsWith('Computed'));
  });

  it('does not show what was computed of a ledger that is no longer open', async () => {
    const late = Promise.withResolvers<ReconciliationReport>();
    results = [() => late.promise];
    access.app.ledger.shown.show(aLedger());
    await open();
    assert.equal((await described()).time, 'Comparing the records…');
    access.app.ledger.shown.show(undefined);
    late.resolve(report);
    await late.promise;
    assert.match((await described()).notes[0] ?? '', /^This account has no ledger\./);
  });

  it('says why it could not be computed', async () => {
    results = [() => Promise.reject(new Error('broken'))];
    access.app.ledger.shown.show(aLedger());
    await open();
    const failed = await changed(({ notes }) => notes.length > 0);
    assert.match(failed.notes[0] ?? '', /^Something went wrong/);
  });

  it('sends no hidden figure to the page once privacy mode is on', async () => {
    access.app.ledger.shown.show(aLedger());
    await open();
    await changed(({ sections }) => sections.length > 0);
    await inPrivacy(access, async () => {
      const hidden = await changed((document) => remainders(document)[0] === '•••');
      assert.doesNotMatch(JSON.stringify(hidden), /12\.3/);
    });
  });
});

import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../src/base/emitter.ts';
import { commands } from '../../src/host/shared/contributions.ts';
import type { OpenLedger } from '../../src/host/ledger/openLedger.ts';
import type { CandidateRow, ReconciliationReport } from '../../src/ledger/ledger.ts';
import type { Check, Document, OpenedDocument } from '../../src/protocol/document.ts';
import type { TablePage } from '../../src/protocol/table.ts';
import { anAccount, aTrade, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { activatedExtension, openAt } from '../support/extensionUnderTest.ts';
import { serversOfEachTest } from '../support/hostileServer.ts';
import { blocksOf, openedIn, pressIn } from '../support/shownDocument.ts';
import { aReconciliation } from '../support/reconciliationReports.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';
import { fakePanels } from '../support/shownReceipts.ts';

const interval = { subject: 'usdt', from: 1_763_632_000_000, to: 1_763_633_000_000 };
const report = aReconciliation([interval]);

describe('the reconciliation', () => {
  const serve = serversOfEachTest();
  const panels = fakePanels();
  const messages = scriptedMessages();
  const access = activatedExtension();
  let didChange: Emitter<void>;
  let isWriter: boolean;
  let results: (() => Promise<ReconciliationReport>)[];

  beforeEach(async () => {
    const { url } = await serve((_request, response) => void response.end(wire(anAccount())));
    await openAt(access, url);
    didChange = new Emitter();
    results = [() => Promise.resolve(report)];
    isWriter = false;
  });
  afterEach(() => access.app.ledger.shown.show(undefined));

  const aLedger = (): OpenLedger => {
    const reconcile = (): Promise<ReconciliationReport> =>
      (results.shift() ?? assert.fail('it was computed too often'))();
    const trades = [aTrade({ tradeId: '8' }), aTrade({ tradeId: '7' })];
    const reader = {
      reconcile,
      rows: () =>
        Promise.resolve({ rows: trades, unlisted: [], total: 2, listed: 2, sortedAsText: 0 }),
      sums: () => Promise.resolve([]),
      versions: () => Promise.resolve({}),
    };
    const ledger = {
      id: crypto.randomUUID(),
      reader,
      onDidChange: didChange.event,
      writer: { coverage: () => Promise.resolve([]) },
      claimWriting: () => Promise.resolve(isWriter),
      readAgain: () => Promise.resolve(),
    };
    return ledger as unknown as OpenLedger;
  };
  const described = async (): Promise<Document> => {
    const panel = await eventually('a panel', () => panels.at(-1));
    return ((await panel.ask('document/open', null)).body as OpenedDocument).document;
  };
  const changed = (isWanted: (document: Document) => boolean) =>
    eventually('the document', () =>
      panels
        .at(-1)
        ?.posted.filter(({ name }) => name === 'document/changed')
        .map(({ body }) => body as Document)
        .findLast(isWanted),
    );
  const linesOf = ({ sections }: Document): readonly Check[] =>
    sections
      .flatMap(({ blocks }) => blocks)
      .flatMap((block) => (block.kind === 'checklist' ? block.items : []));
  const remainders = (document: Document): readonly (string | undefined)[] =>
    linesOf(document).map(({ figure }) => figure?.text);
  const press = (action: string) => panels[0]?.ask('document/press', { action, at: [] });
  const open = (): Thenable<unknown> => vscode.commands.executeCommand(commands.openReconciliation);

  it('says that the account has no ledger, and follows one that is opened', async () => {
    await open();
    assert.match(JSON.stringify((await described()).sections), /This account has no ledger\./);
    access.app.ledger.shown.show(aLedger());
    const computed = await changed((document) => linesOf(document).length > 0);
    assert.deepEqual(remainders(computed), ['−12.3450', '0']);
    assert.match(panels[0]?.title ?? '', /^Reconciliation · TEST · /);
    await open();
    assert.deepEqual([panels.length, panels[0]?.revealed], [1, 1]);
  });

  const candidate = { count: 1, amount: null, isWitnessed: false } as const;
  /** Of the first button of a candidate. */
  const actionOf = (document: Document): string => {
    const [button = assert.fail()] = linesOf(document)
      .flatMap(({ findings }) => findings?.list ?? [])
      .flatMap(({ rows, buttons }) => [...rows.map((each) => each.button), ...buttons]);
    return button.action;
  };

  it('opens the row of a candidate in its panel, with its details', async () => {
    const row: CandidateRow = {
      history: 'trades',
      record: aTrade({ tradeId: '7' }),
      rightAmount: null,
    };
    results = [
      () =>
        Promise.resolve(
          aReconciliation([
            { ...interval, candidates: [{ ...candidate, kind: 'alteredAmount', rows: [row] }] },
          ]),
        ),
    ];
    access.app.ledger.shown.show(aLedger());
    await open();
    const document = await eventually('the candidate', async () => {
      const opened = await described();
      return linesOf(opened).length > 0 ? opened : undefined;
    });
    await press(actionOf(document));
    const table = panels[1] ?? assert.fail('no table');
    const { source, areDetailsOpen, initialFilters } = await table.describe();
    assert.deepEqual([source, areDetailsOpen], ['ledger', true]);
    assert.equal(initialFilters?.symbol, aTrade().symbol);
    const query = { filters: initialFilters, page: 0, size: 20_000 };
    const ledger = { search: '', sort: null };
    const page = (await table.ask('table/page', { ...query, ledger })).body as TablePage;
    assert.equal(page.startRow, 1);
    assert.deepEqual((await table.describe()).areDetailsOpen, false);
  });

  it('shows its verdicts in the overview, which opens the page', async () => {
    await vscode.commands.executeCommand(commands.openOverview);
    access.app.ledger.shown.show(aLedger());
    const [overview = assert.fail('no overview')] = panels;
    const card = await eventually('the card', async () => {
      const blocks = blocksOf((await openedIn(overview)).document, 'cards');
      const cards = blocks.flatMap((block) => block.cards);
      const found = cards.find(({ label }) => label === 'Reconciliation');
      return found && found.lines.length > 1 ? found : undefined;
    });
    assert.deepEqual(
      card.lines.map(({ text, tone }) => [text, tone]),
      [
        ['1 contradicted', 'critical'],
        ['1 proved', undefined],
      ],
    );
    await pressIn(overview, card.buttons?.[0]?.action ?? '');
    await eventually('the page', () => panels.length === 2);
    assert.match(panels[1]?.title ?? '', /^Reconciliation/);
  });

  it('shows one alert about a contradiction that stays, which opens the page', async () => {
    isWriter = true;
    results = [() => Promise.resolve(report), () => Promise.resolve(report)];
    messages.answers.push('Open Reconciliation');
    access.app.ledger.shown.show(aLedger());
    await vscode.commands.executeCommand(commands.openOverview);
    await eventually('the page', () => panels.length === 2);
    const [alert = assert.fail('no alert'), ...others] = messages.shown;
    assert.deepEqual(others, []);
    assert.match(alert.text, /contradict what the exchange reported of usdt\.$/);
    const document = await described();
    assert.match(
      linesOf(document)[0]?.texts.at(-1) ?? '',
      /^Read again at .*: still contradicted\.$/,
    );
  });
});

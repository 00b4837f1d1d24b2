import assert from 'node:assert/strict';
import type { Document } from '../../src/protocol/document.ts';
import { anAccount, anOrder, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { activatedExtension, loginAt, openAt, openSession } from '../support/extensionUnderTest.ts';
import { FakePanel } from '../support/fakePanel.ts';
import { serversOfEachTest, type HostileServer } from '../support/hostileServer.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';
import { blocksOf, changesIn, openedIn, pressIn } from '../support/shownDocument.ts';
import { defaultLayout } from '../../src/protocol/values.ts';

describe('the account overview', () => {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  const access = activatedExtension();
  let panel: FakePanel;
  let server: HostileServer;
  let upl = '12.5';

  beforeEach(async () => {
    upl = '12.5';
    server = await serve(({ url = '' }, response) => {
      if (url.startsWith('/api/v1/accounts')) response.end(wire(anAccount({ upl })));
      else if (url.startsWith('/api/v1/feeTiers'))
        response.end('[{"tier":1,"maker":0,"volume30D":0,"taker":0.0005}]');
      else if (url.startsWith('/api/v1/orders')) response.end(`{"content":${wire([anOrder()])}}`);
      else response.writeHead(404).end();
    });
    await openAt(access, server.url);
    panel = new FakePanel();
    access.app.overview.restore(panel.asPanel(), '');
  });
  afterEach(() => panel.dispose());

  const opened = () => openedIn(panel);
  const described = async (): Promise<Document> => (await opened()).document;
  const changes = (): Document[] => changesIn(panel);
  const hasOrders = ({ sections }: Document): boolean =>
    sections.some(
      (section) =>
        section.title === 'Last orders' &&
        blocksOf({ sections: [section] }, 'table')[0]?.rows.length === 1,
    );
  const layoutIn = (document: Document) => blocksOf(document, 'grid')[0]?.rows.layout;
  const reads = (path: string): number =>
    server.requests.filter((request) => request.path.startsWith(path)).length;

  it('reads the last rows when asked, and drops them when another account is opened', async () => {
    await described();
    assert.equal(reads('/api/v1/orders'), 0);
    await pressIn(panel, 'readRecent');
    await eventually('the orders', () => changes().some(hasOrders));
    assert.equal(reads('/api/v1/orders'), 1);
    const count = changes().length;
    await openSession(access.app, loginAt(server.url, { name: 'Other' }));
    await eventually('the other account', () =>
      changes().some(({ account }) => account?.profile === 'Other'),
    );
    assert.ok(!changes().slice(count).some(hasOrders));
    assert.equal(panel.title, 'Overview · TEST · Other');
    assert.match(String(panel.iconPath), /\/media\/panel\/test\.svg$/);
    assert.ok(!hasOrders(await described()));
  });

  it('keeps how the columns of the positions were arranged', async () => {
    const layout = { order: [], hidden: ['notional'], widths: { symbol: 140 } };
    await described();
    await panel.ask('grid/layout', layout);
    const { before } = await opened();
    assert.deepEqual(before && layoutIn(before), layout);
    panel.dispose();
    panel = new FakePanel();
    access.app.overview.restore(panel.asPanel(), '');
    assert.deepEqual(layoutIn(await described()), layout);
    await panel.ask('grid/layout', defaultLayout);
  });

  it('runs the cancel-all command with its question, and no action that it does not know', async () => {
    await described();
    messages.answers.push('Keep Orders');
    await pressIn(panel, 'cancelAllOrders');
    await eventually('the question', () => messages.shown.length > 0);
    assert.match(messages.shown[0]?.text ?? '', / · Mine — cancel ALL open orders/);
    await pressIn(panel, 'deleteReceipts');
    assert.equal(messages.shown.length, 1);
    assert.ok(server.requests.every(({ method }) => method === 'GET'));
  });

  it('has one panel, and counts as visible for polling until it is closed', () => {
    const { overview } = access.app;
    const second = new FakePanel();
    overview.restore(second.asPanel(), '');
    assert.equal(second.disposed, true);
    overview.show();
    assert.equal(panel.revealed, 1);
    const seen: boolean[] = [];
    const listening = overview.onDidChangeVisibility(({ visible }) => seen.push(visible));
    panel.setVisible(false);
    panel.setVisible(true);
    panel.dispose();
    listening.dispose();
    assert.deepEqual(seen, [false, true, false]);
  });
});

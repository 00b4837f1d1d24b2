import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import * as vscode from 'vscode';
import { commands } from '../../src/host/shared/contributions.ts';
import type { Document } from '../../src/protocol/document.ts';
import { anAccount, anOrder, someLocked, wire } from '../support/builders.ts';
import { blockOf, documentIn } from '../support/shownDocument.ts';
import { eventually } from '../support/eventually.ts';
import { activatedExtension, inPrivacy, openAt } from '../support/extensionUnderTest.ts';
import { FakePanel } from '../support/fakePanel.ts';
import { serversOfEachTest, type HostileServer } from '../support/hostileServer.ts';
import { escape, scriptedInput } from '../support/scriptedInput.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';
import { shownDocuments } from '../support/shownReceipts.ts';
import { writeUserSetting } from '../support/userSetting.ts';

const cancelButton = 'Cancel All Orders';
const keepButton = 'Keep Orders';

/** The outcome in a receipt, in a word or two. */
const wordOf = (receipt: Document) => blockOf(receipt, 'notice').outcome?.word;

describe('cancel-all', () => {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  const input = scriptedInput();
  const receipts = shownDocuments();
  const access = activatedExtension();
  let locks: boolean;

  beforeEach(async () => {
    locks = true;
    await access.app.receipts.deleteAll();
  });

  /** An exchange whose account locks something until a DELETE arrives; `onDelete` answers that. */
  function serveAccount(onDelete: RequestListener): Promise<HostileServer> {
    return serve((request, response) => {
      if (request.method === 'DELETE') onDelete(request, response);
      else response.end(wire(anAccount({ orders: locks ? [someLocked()] : [] })));
    });
  }

  const deletes = ({ requests }: HostileServer) =>
    requests.filter(({ method }) => method === 'DELETE').length;

  const run = () => vscode.commands.executeCommand(commands.cancelAllOrders);

  it('asks first: whose orders, what they lock, and what the API does not list', async () => {
    const server = await serveAccount(() => assert.fail('a DELETE was sent'));
    await openAt(access, server.url);
    messages.answers.push(keepButton);
    await run();
    const [question, ...others] = messages.shown;
    assert.deepEqual(others, []);
    assert.equal(question?.text, 'TEST · Mine — cancel ALL open orders?');
    assert.ok(question.modal);
    assert.deepEqual(question.buttons, [cancelButton, keepButton]);
    assert.match(question.detail, /btc_usdt: Buy 2 · 100 locked$/m);
    assert.equal(
      question.detail.match(/orders that lock no balance are cancelled too/g)?.length,
      1,
    );
    await run();
    assert.equal(messages.shown.length, 2, 'the second question is closed without an answer');
    assert.equal(deletes(server), 0);
  });

  it('cancels once, reads the account again, and reports the outcome', async () => {
    const { time: updatedAt, ...order } = anOrder({ status: 'CANCELED' });
    const server = await serveAccount((_request, response) => {
      locks = false;
      response.end(wire([{ ...order, updatedAt }]));
    });
    await openAt(access, server.url);
    messages.answers.push(cancelButton);
    await run();
    const outcome = messages.shown[1];
    assert.equal(outcome?.severity, 'information');
    const report =
      /^TEST · Mine, \d\d:\d\d:\d\d UTC.*: 1 order cancelled\. Nothing is locked now\.$/;
    assert.match(outcome.text, report);
    assert.equal(deletes(server), 1);
    assert.equal(server.requests.at(-1)?.method, 'GET');
    const { state } = access.app.active;
    assert.deepEqual(
      state.kind === 'open' && state.session.store.state.snapshot?.account.orders,
      [],
    );
  });

  it('says loudly that the outcome is unknown, opens its receipt, which shows each re-check, and sends nothing more', async () => {
    const server = await serveAccount((request) => request.socket.destroy());
    await openAt(access, server.url);
    messages.answers.push(cancelButton);
    await run();
    const said = messages.shown[1];
    assert.equal(said?.severity, 'error');
    assert.match(
      said.text,
      /^TEST · Mine, [^:]+:\d\d:\d\d UTC.*?: Result unknown\. The request was sent once and not retried\.$/,
    );
    const { outcome, texts } = blockOf(await receipts.latest(), 'notice');
    assert.equal(outcome?.word, 'unknown');
    assert.equal(texts.at(-1), 'Still locked: btc_usdt: Buy 2 · 100 locked.');
    const changes = () =>
      receipts.panels[0]?.posted
        .filter(({ name }) => name === 'document/changed')
        .map(({ body }) => blockOf(body as Document, 'timeline').steps[3]?.checks[1]?.state);
    locks = false;
    await eventually('the first re-check', () => changes()?.includes('done'));
    assert.equal(deletes(server), 1);
    assert.equal(receipts.panels.length, 1);
  });

  describe('of real money, with confirmByTyping', () => {
    const byTyping = (value: boolean | undefined): Promise<void> =>
      writeUserSetting('marginDesk.confirmByTyping', value);
    beforeEach(() => byTyping(true));
    afterEach(() => byTyping(undefined));
    const typeButton = 'Type Profile Name…';

    it('is sent when the name is typed exactly, and not before', async () => {
      const server = await serveAccount((_request, response) => {
        locks = false;
        response.end('[]');
      });
      await openAt(access, server.url, { environment: 'live' });
      messages.answers.push(typeButton);
      input.answers.push('mine', 'Mine ', () => {
        assert.equal(deletes(server), 0);
        return Promise.resolve('Mine');
      });
      await run();
      assert.deepEqual(messages.shown[0]?.buttons, [typeButton, keepButton]);
      assert.match(messages.shown[0].detail, /btc_usdt: Buy 2/);
      assert.equal(input.asked[0]?.title, 'LIVE · Mine — cancel ALL open orders for real?');
      assert.deepEqual(input.asked[0].problems, Array(2).fill('Type “Mine” exactly as shown.'));
      assert.equal(deletes(server), 1);
    });

    it('is sent when a name with an invisible character is typed as it is shown', async () => {
      const server = await serveAccount((_request, response) => {
        locks = false;
        response.end('[]');
      });
      await openAt(access, server.url, { environment: 'live', name: 'Practice\u3164' });
      messages.answers.push(typeButton);
      input.answers.push('Practice', 'Practice\\u{3164}');
      await run();
      assert.equal(
        input.asked[0]?.title,
        'LIVE · Practice\\u{3164} — cancel ALL open orders for real?',
      );
      assert.equal(input.asked[0].problems.length, 1);
      assert.equal(deletes(server), 1);
    });

    it('is not sent when the box is closed', async () => {
      const server = await serveAccount(() => assert.fail('a DELETE was sent'));
      await openAt(access, server.url, { environment: 'live' });
      messages.answers.push(typeButton);
      input.answers.push(escape);
      await run();
      assert.equal(deletes(server), 0);
    });
  });
});

describe('the receipts of cancel-alls', () => {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  const input = scriptedInput();
  const shown = shownDocuments();
  const access = activatedExtension();
  const folder = () => access.app.receipts.folder;

  beforeEach(() => access.app.receipts.deleteAll());

  async function cancelOnce(name: string): Promise<void> {
    const server = await serve((request, response) =>
      response.end(request.method === 'DELETE' ? '[]' : wire(anAccount({ orders: [] }))),
    );
    await openAt(access, server.url, { name });
    messages.answers.push(cancelButton);
    await vscode.commands.executeCommand(commands.cancelAllOrders);
  }

  /** Picks the receipt at `index` in the list. */
  async function pickReceipt(index: number): Promise<void> {
    input.answers.push(() => Promise.resolve(input.asked.at(-1)?.items[index]?.label ?? ''));
    await vscode.commands.executeCommand(commands.showReceipts);
  }

  it('are listed newest first with the icon of their outcome, and shown', async () => {
    await cancelOnce('First');
    await cancelOnce('Second');
    await pickReceipt(1);
    const items = input.asked[0]?.items ?? [];
    assert.deepEqual(
      items.map(({ description, iconPath }) => [description, (iconPath as vscode.ThemeIcon).id]),
      [
        ['TEST · Second · done', 'pass'],
        ['TEST · First · done', 'pass'],
      ],
    );
    assert.equal((await shown.latest()).account?.profile, 'First');
    await pickReceipt(1);
    assert.deepEqual([shown.panels.length, shown.panels[0]?.revealed], [1, 1]);
  });

  it('show what another window has stored since, in the open page', async () => {
    await cancelOnce('Mine');
    const [stored = assert.fail('no receipt')] = (await access.app.receipts.all()).receipts;
    const ofOther = {
      ...stored,
      id: `${stored.id}-other`,
      profile: 'Other',
      sentAt: stored.sentAt + 1,
    };
    await access.app.receipts.save({ ...ofOther, outcome: 'unknown', after: [] });
    await pickReceipt(0);
    assert.equal(wordOf(await shown.latest()), 'unknown');
    await access.app.receipts.save(ofOther);
    await pickReceipt(0);
    assert.equal(wordOf(await shown.latest()), 'done');
    assert.equal(shown.panels.length, 1);
  });

  it('are shown again after a reload, and not when they are gone', async () => {
    await cancelOnce('Mine');
    const [receipt] = (await access.app.receipts.all()).receipts;
    const restore = async (state: unknown): Promise<FakePanel> => {
      const panel = new FakePanel();
      shown.panels.push(panel);
      await access.app.documents.deserializeWebviewPanel(panel.asPanel(), state);
      return panel;
    };
    const state = { v: 1, kind: 'receipt', key: receipt?.id, scroll: 0 };
    const restored = await restore(state);
    assert.match(restored.title, /^Cancel-All · \d\d:\d\d:\d\d/);
    assert.match(String(restored.iconPath), /\/media\/panel\/(live|test)\.svg$/);
    assert.equal(wordOf(await documentIn(restored)), 'done');
    for (const other of [state, { ...state, key: 'gone' }, { v: 2 }, undefined])
      assert.ok((await restore(other)).disposed);
  });

  it('are copied as Markdown and saved as JSON', async () => {
    await cancelOnce('Mine');
    await pickReceipt(0);
    const [panel = assert.fail('no panel')] = shown.panels;
    await shown.latest();
    const press = (action: string) => panel.ask('document/press', { action, at: [] });
    assert.equal((await press('copy')).body, 'Copied');
    const markdown = await vscode.env.clipboard.readText();
    assert.match(markdown, /^# Cancel-all receipt\n\nTEST · Mine · .*\n\n\*\*done\*\*\n/);
    await inPrivacy(access, async () => {
      assert.equal((await press('copy')).body, null, 'the question was not answered with yes');
      assert.equal((await press('save')).body, null);
    });
    const file = `${folder()}/saved.txt`;
    input.answers.push(file);
    await press('save');
    assert.match(input.asked.at(-1)?.value ?? '', /cancel-all-\d{4}-[\d-]+T[\d-]+Z\.json$/);
    const [stored] = (await access.app.receipts.all()).receipts;
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), stored);
    await rm(file);
  });

  it('contain no part of a key', async () => {
    await cancelOnce('Mine');
    for (const name of await readdir(folder()))
      assert.doesNotMatch(await readFile(`${folder()}/${name}`, 'utf8'), /MARKED/);
  });

  it('are deleted after a question, and not without', async () => {
    await cancelOnce('Mine');
    await vscode.commands.executeCommand(commands.deleteReceipts);
    assert.equal((await access.app.receipts.all()).receipts.length, 1);
    messages.answers.push('Delete');
    await vscode.commands.executeCommand(commands.deleteReceipts);
    assert.equal((await access.app.receipts.all()).receipts.length, 0);
  });
});

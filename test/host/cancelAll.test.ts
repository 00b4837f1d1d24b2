import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import * as vscode from 'vscode';
import { commands } from '../../src/host/contributions.ts';
import { anAccount, anOrder, someLocked, wire } from '../support/builders.ts';
import { activatedExtension, openAt } from '../support/extensionUnderTest.ts';
import { serversOfEachTest, type HostileServer } from '../support/hostileServer.ts';
import { escape, scriptedInput } from '../support/scriptedInput.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';
import { shownDocument } from '../support/shownDocument.ts';
import { writeUserSetting } from '../support/userSetting.ts';

const cancelButton = 'Cancel All Orders';
const keepButton = 'Keep Orders';

describe('cancel-all', () => {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  const input = scriptedInput();
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

  /** The text of the document that has been opened; it is closed. */
  async function shownText(): Promise<string> {
    const document = await shownDocument();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    return document.getText();
  }

  const run = () => vscode.commands.executeCommand(commands.cancelAllOrders);

  it('asks first: whose orders, what they lock, and what the API does not list', async () => {
    const server = await serveAccount(() => assert.fail('a DELETE was sent'));
    await openAt(access, server.url);
    messages.answers.push(keepButton);
    await run();
    const [question, ...others] = messages.shown;
    assert.deepEqual(others, []);
    assert.equal(question?.text, 'Cancel ALL open orders on Mine (TEST)?');
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
      /^Mine · TEST, \d\d:\d\d:\d\d UTC.*: 1 order cancelled\. Nothing is locked now\.$/;
    assert.match(outcome.text, report);
    assert.equal(deletes(server), 1);
    assert.equal(server.requests.at(-1)?.method, 'GET');
    const { state } = access.app.active;
    assert.deepEqual(
      state.kind === 'open' && state.session.store.state.snapshot?.account.orders,
      [],
    );
  });

  it('shows its receipt, every field and digit in it', async () => {
    const { time: updatedAt, ...order } = anOrder({ status: 'CANCELED', price: '1.10E-7' });
    const server = await serveAccount((_request, response) => {
      locks = false;
      response.end(
        wire([{ ...order, updatedAt }]).replace(/\}\]$/, ',"postOnly":true,"fee":1.10}]'),
      );
    });
    await openAt(access, server.url);
    messages.answers.push(cancelButton, 'Show Receipt');
    await run();
    const text = await shownText();
    assert.match(text, /^Mine · TEST$/m);
    assert.match(text, new RegExp(`^${server.url}$`, 'm'));
    assert.match(text, /^sent .*\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC/m);
    assert.match(text, /^Locked before:\nbtc_usdt: Buy 2 · 100 locked$/m);
    const { extra, ...fields } = { ...order, updatedAt };
    assert.deepEqual(extra, {});
    const shown = { ...fields, price: '0.00000011', averageExecutionPrice: '49,999.5' };
    for (const [name, value] of Object.entries({ ...shown, postOnly: 'true', fee: '1.10' }))
      assert.match(
        text,
        new RegExp(`^${name} +${String(value).replaceAll('.', '\\.')}(?: |$)`, 'm'),
      );
    assert.match(text, /^Locked at .*:\nnothing$/m);
  });

  it('says loudly that the outcome is unknown, names what is locked, and sends nothing more', async () => {
    const server = await serveAccount((request) => request.socket.destroy());
    await openAt(access, server.url);
    messages.answers.push(cancelButton);
    await run();
    const outcome = messages.shown[1];
    assert.equal(outcome?.severity, 'error');
    assert.match(
      outcome.text,
      /^Mine · TEST, [^:]+:\d\d:\d\d UTC.*?: Result unknown\. The request was sent once and not retried\./,
    );
    assert.match(
      outcome.text,
      /Still locked: btc_usdt: Buy 2 · 100 locked\. Re-checking for 15 s\.$/,
    );
    assert.equal(deletes(server), 1);
  });

  it('asks again when another account was opened while the question was open', async () => {
    const server = await serveAccount(() => assert.fail('a DELETE was sent'));
    const other = await serveAccount(() => assert.fail('a DELETE was sent'));
    await openAt(access, server.url);
    const show = vscode.window.showWarningMessage;
    const window = vscode.window as unknown as Record<string, unknown>;
    window.showWarningMessage = async (...args: Parameters<typeof show>) => {
      if (args[0].includes('Mine')) await openAt(access, other.url, { name: 'Other' });
      return show(...args);
    };
    messages.answers.push(cancelButton, keepButton);
    await run();
    const [, again] = messages.shown;
    assert.equal(again?.text, 'Cancel ALL open orders on Other (TEST)?');
    assert.match(
      again.detail,
      /^Another account was opened after you confirmed\. Nothing was sent/,
    );
    assert.equal(deletes(server) + deletes(other), 0);
  });

  it('sends nothing for a read-only profile, and says why', async () => {
    const server = await serveAccount(() => assert.fail('a DELETE was sent'));
    await openAt(access, server.url, { readOnly: true });
    await run();
    assert.match(
      messages.shown[0]?.text ?? '',
      /^“Mine” is a read-only profile, so nothing was sent\./,
    );
    assert.equal(deletes(server), 0);
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
      assert.equal(input.asked[0]?.title, 'Cancel ALL open orders on Mine (LIVE)?');
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
      assert.equal(input.asked[0]?.title, 'Cancel ALL open orders on Practice\\u{3164} (LIVE)?');
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

    it('asks by the button for a test system', async () => {
      const server = await serveAccount(() => assert.fail('a DELETE was sent'));
      await openAt(access, server.url);
      messages.answers.push(keepButton);
      await run();
      assert.deepEqual(messages.shown[0]?.buttons, [cancelButton, keepButton]);
    });
  });
});

describe('the receipts of cancel-alls', () => {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  const input = scriptedInput();
  const access = activatedExtension();
  const folder = () => access.app.receipts.folder;

  beforeEach(() => access.app.receipts.deleteAll());

  async function cancelOnce(environment: 'live' | 'test'): Promise<void> {
    const server = await serve((request, response) =>
      response.end(request.method === 'DELETE' ? '[]' : wire(anAccount({ orders: [] }))),
    );
    await openAt(access, server.url, { environment });
    messages.answers.push(cancelButton);
    await vscode.commands.executeCommand(commands.cancelAllOrders);
  }

  it('are listed newest first, and shown', async () => {
    await cancelOnce('test');
    await cancelOnce('live');
    input.answers.push(escape);
    await vscode.commands.executeCommand(commands.showReceipts);
    const descriptions = input.asked[0]?.items.map(({ description }) => description);
    assert.deepEqual(descriptions, ['Mine · LIVE · done', 'Mine · TEST · done']);
    input.answers.push(input.asked[0]?.items[1]?.label ?? '');
    await vscode.commands.executeCommand(commands.showReceipts);
    assert.match((await shownDocument()).getText(), /^Mine · TEST$/m);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('hold no part of a key', async () => {
    await cancelOnce('test');
    for (const name of await readdir(folder()))
      assert.doesNotMatch(await readFile(`${folder()}/${name}`, 'utf8'), /MARKED/);
  });

  it('are none at first', async () => {
    await vscode.commands.executeCommand(commands.showReceipts);
    assert.match(messages.shown[0]?.text ?? '', /^No receipts yet\./);
    assert.equal(input.asked.length, 0);
  });

  it('name a damaged one and set it aside', async () => {
    await cancelOnce('test');
    messages.shown.length = 0;
    await writeFile(`${folder()}/0000000000001000-x.json`, '{"v":');
    input.answers.push(escape);
    await vscode.commands.executeCommand(commands.showReceipts);
    assert.match(
      messages.shown[0]?.text ?? '',
      /set aside, not deleted: 0000000000001000-x\.json\.damaged\.$/,
    );
    assert.equal(input.asked[0]?.items.length, 1);
    await rm(`${folder()}/0000000000001000-x.json.damaged`);
  });

  it('are deleted after a question, and not without', async () => {
    await cancelOnce('test');
    await vscode.commands.executeCommand(commands.deleteReceipts);
    assert.equal((await access.app.receipts.all()).receipts.length, 1);
    messages.answers.push('Delete');
    await vscode.commands.executeCommand(commands.deleteReceipts);
    assert.equal((await access.app.receipts.all()).receipts.length, 0);
  });
});

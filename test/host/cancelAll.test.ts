import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/extension.ts';
import { commands } from '../../src/host/contributions.ts';
import { anAccount, anOrder, someLocked, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { extensionUnderTest, openAt } from '../support/extensionUnderTest.ts';
import { serversOfEachTest, type HostileServer } from '../support/hostileServer.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';

const cancelButton = 'Cancel Every Open Order';
const keepButton = 'Keep Orders';

describe('cancel-all', () => {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  let access: TestAccess;
  let locks: boolean;

  before(async () => {
    access = await extensionUnderTest();
  });
  beforeEach(() => {
    locks = true;
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

  it('asks first: whose orders, what they lock, and what the interface cannot tell', async () => {
    const server = await serveAccount(() => assert.fail('a DELETE was sent'));
    await openAt(access, server.url);
    messages.answers.push(keepButton);
    await run();
    const [question, ...others] = messages.shown;
    assert.deepEqual(others, []);
    assert.equal(question?.text, 'Cancel every open order of Mine (TEST)?');
    assert.ok(question.modal);
    assert.deepEqual(question.buttons, [cancelButton, keepButton]);
    assert.match(question.detail, /btc_usdt: bids 2 \(locked 100\)$/m);
    assert.equal(question.detail.match(/cannot list single open orders/g)?.length, 1);
    assert.equal(deletes(server), 0);
  });

  it('says that the figures are old while the exchange wants a pause', async () => {
    let isPaused = false;
    const server = await serve((_request, response) => {
      if (isPaused) response.writeHead(429, { 'retry-after': '60' }).end();
      else response.end(wire(anAccount({ orders: [someLocked()] })));
    });
    await openAt(access, server.url);
    isPaused = true;
    await vscode.commands.executeCommand(commands.refresh);
    messages.answers.push(keepButton);
    await run();
    const detail = messages.shown[0]?.detail ?? '';
    assert.match(detail, /^The exchange wants a pause, so the account was not read anew\.$/m);
    assert.match(detail, /^Locked by open orders when it was read last:\nbtc_usdt: bids 2/m);
    assert.doesNotMatch(detail, /now/);
    assert.equal(deletes(server), 0);
  });

  it('sends nothing when the question is closed', async () => {
    const server = await serveAccount(() => assert.fail('a DELETE was sent'));
    await openAt(access, server.url);
    await run();
    assert.equal(messages.shown.length, 1);
    assert.equal(deletes(server), 0);
  });

  it('cancels once, reads back, and says what became of it', async () => {
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
    assert.equal(outcome.text, 'Mine (TEST): 1 order cancelled. Nothing is locked now.');
    assert.equal(deletes(server), 1);
    assert.equal(server.requests.at(-1)?.method, 'GET');
    const { state } = access.app.active;
    assert.deepEqual(
      state.kind === 'open' && state.session.store.state.snapshot?.account.orders,
      [],
    );
  });

  it('shows the cancelled orders with every field and every digit', async () => {
    const { time: updatedAt, ...order } = anOrder({ status: 'CANCELED', price: '1.10E-7' });
    const server = await serveAccount((_request, response) => {
      locks = false;
      response.end(wire([{ ...order, updatedAt }]));
    });
    await openAt(access, server.url);
    messages.answers.push(cancelButton, 'Show Orders');
    await run();
    const opened = () => vscode.window.activeTextEditor?.document;
    const document = await eventually('the document', () =>
      opened()?.uri.scheme === 'margin-desk' ? opened() : undefined,
    );
    const text = document.getText();
    assert.match(text, /^Mine · TEST$/m);
    const { extra, ...fields } = { ...order, updatedAt };
    assert.deepEqual(extra, {});
    const shown = { ...fields, price: '0.00000011', averageExecutionPrice: '49,999.5' };
    for (const [name, value] of Object.entries(shown))
      assert.match(
        text,
        new RegExp(`^${name} +${String(value).replaceAll('.', '\\.')}(?: |$)`, 'm'),
      );
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
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
      /^Mine \(TEST\): Unknown whether orders were cancelled; it was not sent again\./,
    );
    assert.match(outcome.text, /Still locked: btc_usdt: bids 2/);
    assert.equal(deletes(server), 1);
  });

  it('gives a refusal in the exchange’s words, without its links', async () => {
    const server = await serveAccount((_request, response) =>
      response.writeHead(403).end('{"message":"[read only](command:workbench.action.quit)"}'),
    );
    await openAt(access, server.url);
    messages.answers.push(cancelButton);
    await run();
    const outcome = messages.shown[1];
    assert.match(
      outcome?.text ?? '',
      /Refused, no order was cancelled\..*“\[read only\] \(command/,
    );
    assert.equal(deletes(server), 1);
  });

  it('does not ask when the account cannot be read: nobody confirms blindly', async () => {
    const server = await serve((_request, response) => response.writeHead(500).end());
    await openAt(access, server.url);
    await run();
    assert.deepEqual(
      messages.shown.map(({ modal, severity }) => [modal, severity]),
      [[false, 'error']],
    );
    assert.match(messages.shown[0]?.text ?? '', /problem of its own during reading the account/);
  });

  it('joins a second press to the first', async () => {
    const server = await serveAccount((_request, response) => {
      locks = false;
      response.end('[]');
    });
    await openAt(access, server.url);
    messages.answers.push(cancelButton, cancelButton);
    await Promise.all([run(), run()]);
    assert.equal(deletes(server), 1);
    assert.equal(messages.shown.filter(({ modal }) => modal).length, 1);
  });

  it('sends nothing when another account was opened while the question stood', async () => {
    const server = await serveAccount(() => assert.fail('a DELETE was sent'));
    const other = await serveAccount(() => assert.fail('a DELETE was sent'));
    await openAt(access, server.url);
    const show = vscode.window.showWarningMessage;
    const window = vscode.window as unknown as Record<string, unknown>;
    window.showWarningMessage = async (...args: Parameters<typeof show>) => {
      if (args[0].startsWith('Cancel every')) await openAt(access, other.url);
      return show(...args);
    };
    messages.answers.push(cancelButton);
    await run();
    await eventually('the warning', () => messages.shown[1]);
    assert.match(messages.shown[1]?.text ?? '', /Nothing was sent: another account was opened/);
    assert.equal(deletes(server) + deletes(other), 0);
  });
});

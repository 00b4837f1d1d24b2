import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Account } from '../../src/exchange/records.ts';
import { commands } from '../../src/host/shared/contributions.ts';
import { anAccount, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import {
  activatedExtension,
  hoverText,
  openAt,
  inPrivacy,
  drawn,
} from '../support/extensionUnderTest.ts';
import { serversOfEachTest } from '../support/hostileServer.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';

const listNames = ['positions', 'assets', 'orders'] as const;

describe('an account of which only a part can be read', () => {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  const access = activatedExtension();
  let account: Account;

  async function openWith(fields: Partial<Account>): Promise<void> {
    account = anAccount(fields);
    const { url } = await serve((_request, response) => response.end(wire(account)));
    await openAt(access, url);
  }

  const unreadable = (field: string, type: string) =>
    `A part of the account could not be read: $.${field} should be ${type} and is null.`;

  it('shows its rows without an unknown figure, and names that in the first view and the status bar', async () => {
    await openWith({ upl: null });
    const { positions, assets, lockedOrders, statusItem } = access.app;
    for (const tree of [positions, assets, lockedOrders]) assert.equal(drawn(tree).length, 1);
    const problem = unreadable('upl', 'a number');
    assert.deepEqual(
      [positions.view.message, assets.view.message, lockedOrders.view.message],
      [problem, '', ''],
    );
    assert.equal(statusItem.item.text, 'TEST 12,012.5 —');
    assert.match(
      hoverText(statusItem.item.tooltip),
      /^Problem: .*upl should be a number and is null/m,
    );
  });

  it('keeps an unknown figure apart from a hidden one in privacy mode', async () => {
    await openWith({ upl: null });
    await inPrivacy(access, () => {
      assert.equal(access.app.statusItem.item.text, 'TEST ••• —');
    });
  });

  it('never calls a missing list empty, and shows its rows when it is back', async () => {
    await openWith({ positions: null, assets: null, orders: null });
    const { positions, assets, lockedOrders, statusItem } = access.app;
    const views = [positions.view, assets.view, lockedOrders.view];
    assert.deepEqual(
      views.map(({ message }) => message),
      listNames.map((name) => unreadable(name, 'a list')),
    );
    assert.equal(statusItem.item.text, 'TEST 12,012.5 +12.5 · positions unknown');
    account = anAccount();
    await vscode.commands.executeCommand(commands.refresh);
    await eventually('the rows', () => drawn(positions).length === 1);
    assert.deepEqual(
      views.map(({ message }) => message),
      ['', '', ''],
    );
  });

  it('asks about a cancel-all of unknown orders without a claim that none are open', async () => {
    await openWith({ orders: null });
    messages.answers.push('Keep Orders');
    await vscode.commands.executeCommand(commands.cancelAllOrders);
    const [question] = messages.shown;
    const expected = `It is unknown what open orders lock now.\n${unreadable('orders', 'a list')}\n`;
    assert.ok(question?.detail.startsWith(expected), question?.detail);
    assert.ok(question?.buttons.includes('Cancel All Orders'));
  });
});

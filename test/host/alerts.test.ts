import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Profile } from '../../src/account/profile.ts';
import { mask } from '../../src/base/display.ts';
import type { TestAccess } from '../../src/extension.ts';
import type { Account } from '../../src/exchange/records.ts';
import { commands } from '../../src/host/contributions.ts';
import { Polling } from '../../src/host/polling.ts';
import { anAccount, anOrder, aPosition, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { extensionUnderTest, openAt } from '../support/extensionUnderTest.ts';
import { serversOfEachTest } from '../support/hostileServer.ts';
import { scriptedInput } from '../support/scriptedInput.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';

const write = (key: string, value: unknown) =>
  vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Global);

const kinds = ['positions', 'liquidations', 'equity', 'connection'];

async function switchAlerts(areOn: boolean): Promise<void> {
  for (const kind of kinds) await write(`marginDesk.alerts.${kind}`, areOn);
}

const calm = aPosition({ markPrice: '100', liquidationPrice: '50' });
const critical = aPosition({ markPrice: '100', liquidationPrice: '96.0050' });

describe('alerts', () => {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  const input = scriptedInput();
  let access: TestAccess;
  let account: Partial<Account>;
  let orders: string;

  before(async () => {
    access = await extensionUnderTest();
  });
  beforeEach(async () => {
    account = { positions: [calm] };
    orders = '';
    await switchAlerts(true);
  });
  afterEach(async () => {
    for (const kind of ['positions', 'equity']) await write(`marginDesk.alerts.${kind}`, undefined);
  });

  async function open(fields: Partial<Profile> = {}): Promise<void> {
    const server = await serve((request, response) => {
      const page = `{"content":[${orders}],"size":100,"totalPages":1,"totalElements":1}`;
      if (request.url?.startsWith('/api/v1/accounts')) response.end(wire(anAccount(account)));
      else if (request.url?.includes('/history')) response.end(page);
      else response.writeHead(404).end();
    });
    await openAt(access, server.url, fields);
  }

  async function sees(fields: Partial<Account>): Promise<void> {
    account = fields;
    const { refresher } = await access.app.active.session();
    await refresher.refresh();
  }

  const timeOfDay = /\d\d:\d\d:\d\d UTC\S*?(?=[,.])/g;
  const texts = () =>
    messages.shown.map(({ severity, text }) => `${severity}: ${text.replace(timeOfDay, 'TIME')}`);

  it('notify once of a position that stays critical', async () => {
    await open();
    for (let times = 0; times < 5; times += 1) await sees({ positions: [critical] });
    assert.deepEqual(texts(), [
      'error: Mine · TEST: a position is in danger of liquidation: btc_usdt 3.99 % (critical), as of TIME.',
    ]);
    assert.deepEqual(messages.shown[0]?.buttons, ['Show Positions', 'Do Not Show Again']);
  });

  it('put many positions into one notification, and count what they do not name', async () => {
    await open();
    const near = { markPrice: '100', liquidationPrice: '91.5' };
    const symbols = ['b_usdt', 'c_usdt', 'd_usdt', '[e](command:x)'];
    await sees({
      positions: [...symbols.map((symbol) => aPosition({ ...near, symbol })), critical],
    });
    assert.deepEqual(texts(), [
      'error: Mine · TEST: 5 positions are in danger of liquidation: btc_usdt 3.99 % (critical), b_usdt 8.50 % (near), c_usdt 8.50 % (near) and 2 more, as of TIME.',
    ]);
  });

  it('show the positions when asked to', async () => {
    await open();
    await vscode.commands.executeCommand('workbench.view.explorer');
    messages.answers.push('Show Positions');
    await sees({ positions: [critical] });
    await eventually('the view', () => access.app.positions.view.visible);
  });

  it('name their account instead of showing the positions of another', async () => {
    await open();
    messages.answers.push(async () => {
      account = { positions: [calm] };
      await open({ name: 'Other' });
      await vscode.commands.executeCommand('workbench.view.explorer');
      await eventually('no view', () => !access.app.positions.view.visible);
      return 'Show Positions';
    }, 'Switch Profile');
    await sees({ positions: [critical] });
    await eventually('the profiles to choose from', () => input.asked.length);
    assert.equal(access.app.positions.view.visible, false);
    assert.deepEqual(messages.shown.at(-1), {
      severity: 'warning',
      text: 'The account of this alert is not open any more: Mine · TEST.',
      modal: false,
      detail: '',
      buttons: ['Switch Profile'],
    });
  });

  it('stay away once somebody has had enough of their kind', async () => {
    await open();
    messages.answers.push('Do Not Show Again');
    await sees({ positions: [critical] });
    const isOff = () =>
      vscode.workspace.getConfiguration().get('marginDesk.alerts.positions') === false;
    await eventually('the setting', isOff);
    await sees({ positions: [aPosition({ ...critical, symbol: 'eth_usdt' })] });
    assert.equal(messages.shown.length, 1);
  });

  it('tell of a fall of equity, without its digits in privacy', async () => {
    await open();
    const fall = { equity: '9876.54', positions: [calm] };
    await vscode.commands.executeCommand(commands.togglePrivacy);
    try {
      await sees(fall);
    } finally {
      await vscode.commands.executeCommand(commands.togglePrivacy);
    }
    const [text = ''] = texts();
    assert.equal(
      text,
      'warning: Mine · TEST: equity is 17.78 % below the first figure of the day, by loss or by withdrawal: ••• at TIME, ••• at TIME.',
    );
    assert.equal(text.split(mask).length, 3);
  });

  it('tell of a liquidation by the account’s own records', async () => {
    await open();
    orders = wire(anOrder({ status: 'LIQUIDATED', time: String(Date.now()) }));
    await sees({ positions: [] });
    await eventually('the alert', () => messages.shown.length);
    assert.deepEqual(texts(), [
      'error: Mine · TEST: liquidated: btc_usdt. The position is gone, and the order history has an order with the status LIQUIDATED.',
    ]);
  });
});

describe('polling', () => {
  const messages = scriptedMessages();
  const keys = [
    'marginDesk.statusBarAlignment',
    'marginDesk.pollSeconds.focused',
    'marginDesk.pollSeconds.unfocused',
  ];
  let intervals: (number | undefined)[];
  let polling: Polling;
  let view: { visible: boolean; onDidChangeVisibility: vscode.Event<never> };
  let visibility: vscode.EventEmitter<never>;

  before(async () => {
    await extensionUnderTest();
  });
  beforeEach(async () => {
    await switchAlerts(true);
    intervals = [];
    visibility = new vscode.EventEmitter();
    view = { visible: false, onDidChangeVisibility: visibility.event };
    const active = { setIntervalMs: (ms: number | undefined) => void intervals.push(ms) };
    polling = new Polling({ active, views: [view] });
  });
  afterEach(async () => {
    polling.dispose();
    visibility.dispose();
    for (const key of keys) await write(key, undefined);
    await switchAlerts(false);
  });

  const set = async (key: string, value: unknown, expected: number | undefined) => {
    await write(key, value);
    await eventually(`${key} ${String(value)}`, () => intervals.at(-1) === expected);
  };

  it('goes by the focus and the settings', async () => {
    const { focused } = vscode.window.state;
    assert.deepEqual(intervals, [focused ? 15_000 : 60_000]);
    await set(`marginDesk.pollSeconds.${focused ? 'focused' : 'unfocused'}`, 5, 5000);
  });

  it('is off while nobody looks and no alert is wanted, and on again once somebody looks', async () => {
    await switchAlerts(false);
    assert.ok(intervals.at(-1));
    await write('marginDesk.statusBarAlignment', 'hidden');
    await eventually('no polling', () => intervals.at(-1) === undefined);
    Object.assign(view, { visible: true });
    visibility.fire(undefined as never);
    assert.ok(intervals.at(-1));
    Object.assign(view, { visible: false });
    visibility.fire(undefined as never);
    assert.equal(intervals.at(-1), undefined);
    await write('marginDesk.alerts.connection', true);
    await eventually('polling', () => intervals.at(-1));
  });

  it('falls back to the default where a setting is out of range, with one sentence', async () => {
    for (const wrong of [4, 601, '15']) {
      messages.shown.length = 0;
      await write('marginDesk.pollSeconds.unfocused', wrong);
      await eventually('the sentence', () => messages.shown.length);
      assert.deepEqual(
        messages.shown.map(({ text }) => text),
        ['The setting marginDesk.pollSeconds.unfocused must be a number from 5 to 600: 60 counts.'],
      );
      assert.ok([15_000, 60_000].includes(intervals.at(-1) ?? 0));
      await write('marginDesk.pollSeconds.unfocused', undefined);
    }
  });
});

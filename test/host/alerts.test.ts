import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Profile } from '../../src/account/profile.ts';
import { mask } from '../../src/base/display.ts';
import type { TestAccess } from '../../src/extension.ts';
import type { Account } from '../../src/exchange/records.ts';
import { commands } from '../../src/host/contributions.ts';
import { AccountAlerts } from '../../src/host/alerts/accountAlerts.ts';
import { Polling } from '../../src/host/polling.ts';
import { anAccount, anOrder, aPosition, aTransaction, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { extensionUnderTest, openAt } from '../support/extensionUnderTest.ts';
import { serversOfEachTest } from '../support/hostileServer.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { scriptedInput } from '../support/scriptedInput.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';
import { writeUserSetting } from '../support/userSetting.ts';

const kinds = ['positions', 'liquidations', 'equity', 'connection'];

async function switchAlerts(areOn: boolean): Promise<void> {
  for (const kind of kinds) await writeUserSetting(`marginDesk.alerts.${kind}`, areOn);
}

const pageOf = (content: string): string =>
  `{"content":[${content}],"size":100,"totalPages":1,"totalElements":1}`;

const calm = aPosition({ markPrice: '100', liquidationPrice: '50' });
const critical = aPosition({ markPrice: '100', liquidationPrice: '96.0050' });

describe('alerts', () => {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  const input = scriptedInput();
  let access: TestAccess;
  let account: Partial<Account>;
  let orders: string;
  let transactions: string;
  /** Of the account's answers. */
  let status: number;

  before(async () => {
    access = await extensionUnderTest();
  });
  beforeEach(async () => {
    account = { positions: [calm] };
    orders = '';
    transactions = '';
    status = 200;
    await switchAlerts(true);
  });
  afterEach(async () => {
    for (const kind of kinds) await writeUserSetting(`marginDesk.alerts.${kind}`, undefined);
  });

  async function open(fields: Partial<Profile> = {}): Promise<void> {
    const server = await serve((request, response) => {
      if (request.url?.startsWith('/api/v1/accounts'))
        response.writeHead(status).end(wire(anAccount(account)));
      else if (request.url?.startsWith('/api/v1/transactions')) response.end(pageOf(transactions));
      else if (request.url?.includes('/history')) response.end(pageOf(orders));
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
    await onlyOff('positions');
    await sees({ positions: [aPosition({ ...critical, symbol: 'eth_usdt' })] });
    assert.equal(messages.shown.length, 1);
  });

  it('of a liquidation are switched off by themselves alone', async () => {
    await open();
    orders = wire(anOrder({ status: 'LIQUIDATED', time: String(Date.now()) }));
    messages.answers.push('Do Not Show Again');
    await sees({ positions: [] });
    await onlyOff('liquidations');
  });

  it('of a fall of equity are switched off by themselves alone', async () => {
    await open();
    messages.answers.push('Do Not Show Again');
    await sees({ equity: '9876.54', positions: [calm] });
    await onlyOff('equity');
  });

  it('tell of a minute without an answer, and are switched off by themselves alone', async () => {
    await open();
    const { active, display, risk } = access.app;
    const clock = new FakeClock(Date.now());
    const alerts = new AccountAlerts({
      active,
      display,
      globalState: access.context.globalState,
      clock,
      risk,
      log: access.app.log,
    });
    const failing = async (): Promise<void> => {
      await assert.rejects(sees({ positions: [calm] }));
    };
    status = 400;
    messages.answers.push('Do Not Show Again');
    await failing();
    await clock.advance(61_000);
    await failing();
    await onlyOff('connection');
    alerts.dispose();
    assert.equal(messages.shown.length, 1);
    // Why is not asserted: this suite is a bundle of its own, to which the extension's errors are strange.
    assert.match(
      texts()[0] ?? '',
      /^warning: Mine · TEST: the account could not be read since TIME\. /,
    );
  });

  /** That one kind's setting was written, and no other's. */
  async function onlyOff(kind: string): Promise<void> {
    const off = (): string[] =>
      kinds.filter(
        (one) => vscode.workspace.getConfiguration().get(`marginDesk.alerts.${one}`) === false,
      );
    await eventually('the setting', () => off().length);
    assert.deepEqual(off(), [kind]);
  }

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

  it('tell of a fee that names no position', async () => {
    await open();
    transactions = wire(aTransaction({ type: 'LIQUIDATION_FEE', time: String(Date.now()) }));
    await sees({ positions: [] });
    await eventually('the alert', () => messages.shown.length);
    assert.deepEqual(texts(), [
      'error: Mine · TEST: gone: btc_usdt. Since then there is a LIQUIDATION_FEE, which does not say for which position.',
    ]);
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
    for (const key of keys) await writeUserSetting(key, undefined);
    await switchAlerts(false);
  });

  const set = async (key: string, value: unknown, expected: number | undefined) => {
    await writeUserSetting(key, value);
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
    await writeUserSetting('marginDesk.statusBarAlignment', 'hidden');
    await eventually('no polling', () => intervals.at(-1) === undefined);
    Object.assign(view, { visible: true });
    visibility.fire(undefined as never);
    assert.ok(intervals.at(-1));
    Object.assign(view, { visible: false });
    visibility.fire(undefined as never);
    assert.equal(intervals.at(-1), undefined);
    await writeUserSetting('marginDesk.alerts.connection', true);
    await eventually('polling', () => intervals.at(-1));
  });

  it('falls back to the default where a setting is out of range, with one sentence', async () => {
    const [which, seconds] = vscode.window.state.focused ? ['focused', 15] : ['unfocused', 60];
    const key = `marginDesk.pollSeconds.${which}`;
    for (const wrong of [4, 601, '15']) {
      await set(key, 7, 7000);
      messages.shown.length = 0;
      await set(key, wrong, seconds * 1000);
      await eventually('the sentence', () => messages.shown.length);
      assert.deepEqual(
        messages.shown.map(({ text }) => text),
        [`The setting ${key} must be a number from 5 to 600: ${seconds} counts.`],
      );
    }
  });
});

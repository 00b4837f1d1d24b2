import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { clientKey } from '../../src/exchange/client.ts';
import type { AccountSession } from '../../src/account/session/accountSession.ts';
import { ActiveAccount } from '../../src/account/session/activeAccount.ts';
import { PollInterval } from '../../src/host/window.ts';
import { anAccount, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import {
  openSession,
  activatedExtension,
  extensionUnderTest,
  loginAt,
} from '../support/extensionUnderTest.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { accountReads, serversOfEachTest, type HostileServer } from '../support/hostileServer.ts';
import { signedSession } from '../support/signedSession.ts';
import { switchAlerts, writeUserSetting } from '../support/userSetting.ts';

const hourMs = 3_600_000;
const keys = [
  'marginDesk.statusBarAlignment',
  'marginDesk.pollSeconds.focused',
  'marginDesk.pollSeconds.unfocused',
];

/** No alerts and no status item: nothing needs the account. */
async function switchEverythingOff(): Promise<void> {
  await switchAlerts(false);
  await writeUserSetting('marginDesk.statusBarAlignment', 'hidden');
}

/** A view that a test shows and hides. */
class FakeView {
  visible = false;
  private readonly visibility = new vscode.EventEmitter<never>();
  readonly onDidChangeVisibility = this.visibility.event;

  setVisible(visible: boolean): void {
    this.visible = visible;
    this.visibility.fire(undefined as never);
  }
}

/** Called in a `describe`: each test sets the window's focus, which the window has at first. */
function scriptedFocus(): (isFocused: boolean) => void {
  const replaced = ['state', 'onDidChangeWindowState'] as const;
  const { window } = vscode;
  const originals = replaced.map((name) => Object.getOwnPropertyDescriptor(window, name));
  let didChange: vscode.EventEmitter<vscode.WindowState>;
  let focused: boolean;
  const state = () => ({ focused, active: focused });
  beforeEach(() => {
    didChange = new vscode.EventEmitter();
    focused = true;
    const { event } = didChange;
    Object.defineProperty(window, 'state', { configurable: true, get: state });
    Object.defineProperty(window, 'onDidChangeWindowState', { configurable: true, value: event });
  });
  afterEach(() => {
    for (const [index, name] of replaced.entries())
      Object.defineProperty(window, name, originals[index] ?? {});
    didChange.dispose();
  });
  return (isFocused) => {
    focused = isFocused;
    didChange.fire(state());
  };
}

describe('polling, from the window to the exchange', () => {
  const serve = serversOfEachTest();
  const focus = scriptedFocus();
  let clock: FakeClock;
  let active: ActiveAccount;
  let polling: PollInterval;
  let view: FakeView;
  let server: HostileServer;
  let session: AccountSession;

  before(async () => {
    await extensionUnderTest();
  });
  beforeEach(async () => {
    clock = new FakeClock();
    active = new ActiveAccount();
    view = new FakeView();
    server = await serve((_request, response) => response.end(wire(anAccount())));
  });
  afterEach(async () => {
    polling.dispose();
    active.dispose();
    for (const key of keys) await writeUserSetting(key, undefined);
    await switchAlerts(false);
  });

  async function open(): Promise<void> {
    polling = new PollInterval({ active, views: [view] });
    session = signedSession(server, { readOnly: true, clock });
    await active.open('Mine', () => Promise.resolve(session));
  }

  /** What the server got until now; a request of our own comes after all that were sent before. */
  async function requestsSoFar(): Promise<string[]> {
    await (await fetch(`${server.url}/last`)).text();
    const paths = server.requests.map(({ path }) => path.split('?')[0] ?? '');
    return paths.filter((path) => path !== '/last');
  }

  const reads = async (): Promise<number> => (await requestsSoFar()).length;

  /** Waits until the read that is due now has ended, as the one of this number. */
  async function untilRead(number: number): Promise<void> {
    await clock.advance(0);
    const isRead = () => session.store.state.snapshot?.asOf === clock.now();
    await eventually(`read ${number}`, isRead, { everyMs: 1 });
    assert.deepEqual(await requestsSoFar(), Array<string>(number).fill('/api/v1/accounts'));
  }

  /** Waits for the read of this number, which starts after exactly this time. */
  async function untilReadAfter(delayMs: number, number: number): Promise<void> {
    await clock.advance(delayMs - 1);
    assert.equal(await reads(), number - 1);
    await clock.advance(1);
    await untilRead(number);
  }

  for (const [what, switchOn] of [
    ['a view is shown', () => Promise.resolve().then(() => view.setVisible(true))],
    ['the status item is shown', () => writeUserSetting('marginDesk.statusBarAlignment', 'right')],
    ['one alert is on', () => writeUserSetting('marginDesk.alerts.equity', true)],
  ] as const)
    it(`sends no request for hours while nothing is visible, until ${what}`, async () => {
      await switchEverythingOff();
      await open();
      await clock.advance(hourMs);
      assert.deepEqual(await requestsSoFar(), []);
      await switchOn();
      await eventually('polling', async () => {
        await clock.advance(0);
        return reads();
      });
      await untilRead(1);
      await clock.advance(15_000);
      await untilRead(2);
      view.setVisible(false);
      await switchEverythingOff();
      await clock.advance(24 * hourMs);
      assert.equal(await reads(), 2);
      assert.equal(session.refresher.intervalMs, 15_000);
    });

  it('reads every 15 s while the window has the focus, and every 60 s while not', async () => {
    await open();
    await untilRead(1);
    await untilReadAfter(15_000, 2);
    focus(false);
    await untilReadAfter(60_000, 3);
  });

  it('follows the settings', async () => {
    await open();
    await untilRead(1);
    await writeUserSetting('marginDesk.pollSeconds.focused', 5);
    await eventually('the setting', () => session.refresher.intervalMs === 5000);
    await untilReadAfter(5000, 2);
  });
});

describe('polling in the extension', () => {
  const serve = serversOfEachTest();
  const access = activatedExtension();

  beforeEach(async () => {
    await switchEverythingOff();
    await vscode.commands.executeCommand('workbench.view.explorer');
    const { positions, assets, lockedOrders } = access.app;
    const trees = [positions, assets, lockedOrders];
    await eventually('no view', () => trees.every(({ view }) => !view.visible));
  });
  afterEach(async () => {
    await access.app.connection.close();
    for (const key of keys) await writeUserSetting(key, undefined);
    await switchAlerts(false);
  });

  it('opens an account without a request while nothing is visible, and reads it once a view is shown', async () => {
    const server = await serve((_request, response) => response.end(wire(anAccount())));
    const session = await openSession(access.app, loginAt(server.url));
    // Our own: the first introduces the exchange, the second takes its turn after a read that was due.
    for (const count of [1, 2]) {
      await session[clientKey].accounts({ priority: 'refresh' });
      assert.equal(accountReads(server).length, count);
    }
    await vscode.commands.executeCommand('marginDesk.assets.focus');
    await eventually('a read', () => accountReads(server).length > 2);
  });
});

import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ActiveAccount } from '../../src/account/session/activeAccount.ts';
import type { Profile } from '../../src/account/session/profile.ts';
import type { Account } from '../../src/exchange/records.ts';
import type { TestAccess } from '../../src/extension.ts';
import { AlertNotifications } from '../../src/host/alerts/alertNotifications.ts';
import { alertSettingKeys } from '../../src/host/settings/settings.ts';
import { userSetting } from '../../src/host/settings/userSetting.ts';
import { anAccount, aPosition, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { extensionUnderTest, openAt } from '../support/extensionUnderTest.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { serversOfEachTest, type HostileServer } from '../support/hostileServer.ts';
import { scriptedInput } from '../support/scriptedInput.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';
import { signedSession } from '../support/signedSession.ts';
import { switchAlerts, writeUserSetting } from '../support/userSetting.ts';

const equityFall = 'marginDesk.alerts.equityFallPercent';

const calm = aPosition({ markPrice: '100', liquidationPrice: '50' });
const critical = aPosition({ markPrice: '100', liquidationPrice: '96.0050' });

describe('alerts', () => {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  const input = scriptedInput();
  let access: TestAccess;
  let account: Partial<Account>;
  /** Of the account's answers. */
  let status: number;

  before(async () => {
    access = await extensionUnderTest();
  });
  beforeEach(async () => {
    account = { positions: [calm] };
    status = 200;
    await switchAlerts(true);
  });
  afterEach(() => writeUserSetting(equityFall, undefined));
  after(() => switchAlerts(false));

  async function open(fields: Partial<Profile> = {}): Promise<void> {
    const { url } = await exchange();
    await openAt(access, url, fields);
  }

  function exchange(): Promise<HostileServer> {
    return serve((request, response) => {
      if (request.url?.startsWith('/api/v1/accounts'))
        response.writeHead(status).end(wire(anAccount(account)));
      else response.writeHead(404).end();
    });
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
      'error: TEST · Mine: a position is close to liquidation: btc_usdt 3.9 % (critical), as of TIME.',
    ]);
    assert.deepEqual(messages.shown[0]?.buttons, ['Show Positions', 'Do Not Show Again']);
  });

  /** The notifications of an account that the app does not know, with the test's clock. */
  function alertsOf(active: ActiveAccount, clock: FakeClock): AlertNotifications {
    const { display, risk, log } = access.app;
    const { globalState } = access.context;
    return new AlertNotifications({ active, display, globalState, clock, risk, log });
  }

  it('show the positions after Show Positions', async () => {
    await open();
    await vscode.commands.executeCommand('workbench.view.explorer');
    messages.answers.push('Show Positions');
    await sees({ positions: [critical] });
    await eventually('the view', () => access.app.positions.view.visible);
  });

  it('come no more after Do Not Show Again, which is written into the user settings', async () => {
    await open();
    messages.answers.push('Do Not Show Again');
    await sees({ positions: [critical] });
    const { positions } = alertSettingKeys;
    await eventually('the setting', () => userSetting(positions) === false);
    await sees({ positions: [calm] });
    await sees({ positions: [critical] });
    assert.equal(texts().length, 1);
  });

  it('name their account instead of showing another account’s positions', async () => {
    await open();
    messages.answers.push(async () => {
      account = { positions: [calm] };
      await open({ name: 'Other' });
      await vscode.commands.executeCommand('workbench.view.explorer');
      await eventually('no view', () => !access.app.positions.view.visible);
      return 'Show Positions';
    }, 'Switch Profile…');
    await sees({ positions: [critical] });
    await eventually('the profiles to choose from', () => input.asked.length);
    assert.equal(access.app.positions.view.visible, false);
    assert.deepEqual(messages.shown.at(-1), {
      severity: 'warning',
      text: 'The account of this alert is no longer open: TEST · Mine.',
      modal: false,
      detail: '',
      buttons: ['Switch Profile…'],
    });
  });

  it('do not come for positions of the practice exchange, whose view shows the danger', async () => {
    account = { positions: [critical] };
    await open({ name: 'Practice', environment: 'practice' });
    await sees({ positions: [critical], equity: '1' });
    await eventually('the alert about equity', () => messages.shown.length);
    assert.deepEqual(
      texts().filter((text) => text.includes('close to liquidation')),
      [],
    );
  });

  it('use a changed percentage from the next read on', async () => {
    await open();
    await sees({ equity: '11500', positions: [calm] });
    assert.deepEqual(texts(), []);
    await writeUserSetting(equityFall, 4);
    await sees({ equity: '11500', positions: [calm] });
    assert.match(texts()[0] ?? '', /^warning: TEST · Mine: equity is 4\.2 % below /);
    assert.equal(texts().length, 1);
  });

  it('offer what to do if the sign-in was refused, and say when the next try is', async () => {
    const clock = new FakeClock(Date.now());
    const active = new ActiveAccount();
    const alerts = alertsOf(active, clock);
    const session = signedSession(await exchange(), { readOnly: true, clock });
    await active.open('Mine', () => Promise.resolve(session));
    await session.refresher.refresh();
    status = 401;
    await assert.rejects(session.refresher.refresh());
    await clock.advance(61_000);
    await eventually('the alert', () => messages.shown.length === 1);
    assert.match(texts()[0] ?? '', /rejected the credentials .* Next try in \d+ s\.$/);
    assert.deepEqual(messages.shown[0]?.buttons, [
      'Set Credentials…',
      'Test Connection',
      'Retry',
      'Do Not Show Again',
    ]);
    for (const part of [alerts, active]) part.dispose();
  });
});

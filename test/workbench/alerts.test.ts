import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { eventually } from '../support/eventually.ts';
import { screenshot } from '../support/workbench/appearance.ts';
import { runCommand } from '../support/workbench/commands.ts';
import { pressInDialog, readDialog } from '../support/workbench/dialog.ts';
import {
  notification,
  pressInNotification,
  readNotifications,
} from '../support/workbench/notifications.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { webview } from '../support/workbench/webview.ts';

const danger = /Practice · PRACTICE: \d+ positions are in danger of liquidation: /;

describe('alerts in a real workbench', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({
      settings: { 'marginDesk.alerts.positions': true, 'marginDesk.pollSeconds.focused': 5 },
    });
  });
  after(() => workbench.close());

  const page = () => workbench.page;

  it('are told once, with every position in one notification', async () => {
    await runCommand(page(), 'Margin Desk: Try the Practice Exchange');
    const alert = notification(page(), 'are in danger of liquidation');
    await alert.waitFor();
    assert.match(await alert.innerText(), danger);
    await screenshot(page(), 'alert');
    for (let times = 0; times < 3; times += 1) await runCommand(page(), 'Margin Desk: Refresh');
    const told = (await readNotifications(page())).filter((text) => danger.test(text));
    assert.equal(told.length, 1);
  });

  it('write their setting when somebody has had enough of them', async () => {
    const alert = notification(page(), 'are in danger of liquidation');
    await pressInNotification(alert, 'Do Not Show Again');
    const settings = path.join(workbench.dataDir, 'data/User/settings.json');
    await eventually('the setting', async () =>
      /"marginDesk.alerts.positions": false/.test(await readFile(settings, 'utf8')),
    );
  });

  it('newer rows are offered beside the age of the rows, until somebody refreshes', async () => {
    await runCommand(page(), 'Margin Desk: Open Order History');
    const panel = webview(page());
    await panel.getByRole('gridcell').first().waitFor();
    const offer = panel.getByText('There may be newer rows');
    assert.equal(await offer.count(), 0);
    await runCommand(page(), 'Margin Desk: Cancel All Open Orders');
    await readDialog(page());
    await pressInDialog(page(), 'Cancel Every Open Order');
    await offer.waitFor();
    await screenshot(page(), 'newer-rows');
    await panel.getByRole('button', { name: 'Refresh' }).click();
    await offer.waitFor({ state: 'detached' });
  });
});

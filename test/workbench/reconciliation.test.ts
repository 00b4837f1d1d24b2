import assert from 'node:assert/strict';
import { anAccount, wire } from '../support/builders.ts';
import { hostileServer, type HostileServer } from '../support/hostileServer.ts';
import { findingsIn } from '../support/workbench/axe.ts';
import { runAndPick, runCommand } from '../support/workbench/commands.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { webview } from '../support/workbench/webview.ts';

/** One window: each test goes on where the one before it ended. */
describe('the reconciliation in a real workbench', () => {
  let exchange: HostileServer;
  let workbench: Workbench;

  before(async () => {
    exchange = await hostileServer((_request, response) => void response.end(wire(anAccount())));
    const main = { baseUrl: exchange.url, auth: { scheme: 'none' }, environment: 'live' };
    workbench = await openWorkbench({ settings: { 'marginDesk.profiles': { Main: main } } });
  });
  after(async () => {
    await workbench.close();
    await exchange.close();
  });

  const page = () => workbench.page;
  const text = (shown: string) => webview(page()).getByText(shown);

  it('says so while no account is open', async () => {
    await runCommand(page(), 'Margin Desk: Open Reconciliation');
    await text('No account is open.').waitFor();
    assert.deepEqual(await findingsIn(page()), []);
  });

  it('shows whose it is, and that the account has no ledger', async () => {
    await runAndPick(page(), 'Margin Desk: Switch Profile', 'Main');
    await text('This account has no ledger.').waitFor();
    assert.equal(await webview(page()).locator('.environment').innerText(), 'LIVE');
    await webview(page()).getByRole('button', { name: 'Refresh' }).click();
    await text('This account has no ledger.').waitFor();
    assert.deepEqual(await findingsIn(page()), []);
  });
});

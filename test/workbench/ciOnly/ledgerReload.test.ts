import { reloadWindow, runCommand } from '../../support/workbench/commands.ts';
import { downloadHistory } from '../../support/workbench/downloadHistory.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/openWorkbench.ts';
import { webview } from '../../support/workbench/webview.ts';

describe('the ledger of the practice account in a real workbench', () => {
  let workbench: Workbench;

  before(async () => {
    // The ledger is not filled by itself then.
    workbench = await openWorkbench({ settings: { 'marginDesk.ledger.keepCurrent': false } });
    await runCommand(page(), 'Margin Desk: Open Practice Account');
  });
  after(() => workbench.close());

  const page = () => workbench.page;
  const ledger = () => webview(page());
  const history = (label: string) =>
    ledger()
      .locator('article')
      .filter({ has: ledger().getByRole('heading', { name: label, exact: true }) });

  it('opens without a question, and is there again after a reload', async () => {
    await runCommand(page(), 'Margin Desk: Open Ledger');
    await ledger().getByText('Nothing was downloaded yet.').waitFor();
    await downloadHistory(page(), 'Order History', 'Trade History', 'Transaction History · FUTURE');
    const summary = history('Transaction History · SPOT').locator('.summary');
    await summary.getByText(/ · complete from .* to /).waitFor();
    const [count = ''] = (await summary.innerText()).split(' · ');
    await reloadWindow(page());
    await history('Transaction History · SPOT')
      .getByText(new RegExp(`^${count}`))
      .waitFor();
  });
});

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { eventually } from '../../support/eventually.ts';
import { runCommand } from '../../support/workbench/commands.ts';
import { pressInDialog } from '../../support/workbench/dialog.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/openWorkbench.ts';
import { quickInput } from '../../support/workbench/quickInput.ts';
import { showView, treeMessage, treeRow } from '../../support/workbench/tree.ts';
import { webview } from '../../support/workbench/webview.ts';

/** One window: each test goes on where the one before it ended. */
describe('the walkthrough in a real workbench', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({
      viewport: { width: 1440, height: 900 },
      settings: { 'workbench.colorTheme': 'Light Modern' },
    });
    await showView(page(), 'Margin Desk');
  });
  after(() => workbench.close());

  const page = () => workbench.page;
  const welcome = () => page().locator('.part.sidebar .welcome-view-content:visible');
  const steps = () => page().locator('.getting-started-step');
  const step = (title: string) => steps().filter({ hasText: title });
  const isDone = (title: string) => step(title).locator('.complete:visible').count();

  it('opens from a view that says what to do', async () => {
    await welcome().getByRole('button', { name: 'Open Practice Account' }).waitFor();
    await welcome().locator('a', { hasText: 'walkthrough' }).click();
    await steps().nth(4).waitFor();
    assert.equal(await steps().count(), 5);
  });

  it('completes each step through its link', async () => {
    const links: [title: string, link: string, does: () => Promise<void>][] = [
      ['Try it without a key', 'Open Practice Account', practiceIsOpen],
      ['Read your positions', 'Show Positions', () => treeRow(page(), 'btc_usdt').waitFor()],
      ['Browse your history', 'Open Order History', historyIsThere],
      [
        'Cancel all open orders',
        'Cancel All Open Orders…',
        () => pressInDialog(page(), 'Keep Orders'),
      ],
    ];
    for (const [title, link, does] of links) {
      await press(title, link);
      await does();
      await eventually(`${title} to be ticked`, () => isDone(title));
    }
  });

  it('completes “Connect” only once there is a profile', async () => {
    await press('Connect with a read-only key', 'Add Profile…');
    // The walkthrough may take the focus back from the question, which stays open.
    const question = page().locator('.quick-input-widget:visible', { hasText: 'Add Profile' });
    await question.locator('input.input').press('Escape');
    assert.equal(await isDone('Connect with a read-only key'), 0);
  });

  /** Presses a link of a step. */
  async function press(title: string, link: string): Promise<void> {
    await step(title).locator('h3').click();
    await page().locator('.getting-started-step.expanded', { hasText: title }).waitFor();
    await step(title).locator('a, button', { hasText: link }).last().click();
  }

  async function practiceIsOpen(): Promise<void> {
    await page()
      .locator('.part.statusbar', { hasText: /PRACTICE [\d,.]+/ })
      .waitFor();
  }

  /** Sees the panel that covers the walkthrough, and closes it. */
  async function historyIsThere(): Promise<void> {
    await webview(page()).getByRole('heading', { level: 1, name: 'Order History' }).waitFor();
    await runCommand(page(), 'View: Close Editor');
    await steps().first().waitFor();
  }

  it('has a picture for each step', async () => {
    assert.equal(await steps().count(), 5);
    for (const one of await steps().all()) {
      await one.locator('h3').click();
      await one.and(page().locator('.expanded')).waitFor();
      await page().locator('.getting-started-media:visible').first().waitFor();
    }
  });

  it('imports profiles from a file, completes “Connect”, and asks for credentials in the view', async () => {
    const file = path.join(workbench.folder, 'desk.json');
    const mine = { baseUrl: 'https://host.example', environment: 'test', readOnly: true };
    await writeFile(file, JSON.stringify({ Mine: mine, Bad: { baseUrl: 'ftp://far' } }));
    const { title, input, rows, widget } = quickInput(page());
    const isListed = () => title.getByText('Import Profiles from').isVisible();
    // The dialog takes no answer while it still reads the folder, and closes when a page behind it
    // takes the focus late: then its user opens it again.
    await eventually(
      'the list of profiles',
      async () => {
        if (!(await widget.isVisible())) await runCommand(page(), 'Margin Desk: Import Profiles…');
        await input.fill(file, { timeout: 2000 });
        await input.press('Enter', { timeout: 2000 });
        return eventually('the list', isListed, { deadlineMs: 2000 });
      },
      { deadlineMs: 40_000 },
    );
    await rows.nth(1).waitFor();
    const spoken = await rows.evaluateAll((all) =>
      all.map((row) => row.getAttribute('aria-label')),
    );
    assert.equal(spoken.length, 2);
    assert.match(spoken[0] ?? '', /^Mine, TEST · host\.example · read-only/);
    assert.match(spoken[1] ?? '', /^Bad, invalid, Profile “Bad”, baseUrl: The base URL must/);
    await widget.getByRole('button', { name: 'OK' }).click();
    await page().getByText('Imported: “Mine”.').first().waitFor();
    await eventually('the step to be ticked', () => isDone('Connect with a read-only key'));
    await runCommand(page(), 'Margin Desk: Switch Profile…');
    await rows.filter({ hasText: 'Mine' }).click();
    await title.getByText('Credentials of “Mine”').waitFor();
    await page().keyboard.press('Escape');
    await treeRow(page(), 'Set Credentials…').waitFor();
    assert.match(
      await treeMessage(page(), 'Positions').innerText(),
      /“Mine” has no credentials yet/,
    );
  });
});

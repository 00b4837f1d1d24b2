import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { projectRoot } from '../../support/project.ts';
import { runAndPick, runCommand } from '../../support/workbench/commands.ts';
import { pressInDialog } from '../../support/workbench/dialog.ts';
import { downloadHistory } from '../../support/workbench/downloadHistory.ts';
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
      settings: {
        'workbench.colorTheme': 'Light Modern',
        // The ledger is not filled by itself then.
        'marginDesk.ledger.keepCurrent': false,
      },
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
    await steps().nth(7).waitFor();
    assert.equal(await steps().count(), 8);
    for (const one of await steps().all())
      assert.equal(await one.locator('.complete:visible').count(), 0);
  });

  it('completes the first steps once the practice account is open, however that was opened', async () => {
    await runAndPick(page(), 'Margin Desk: Switch Profile…', 'Practice');
    await practiceIsOpen();
    await backToSteps();
    await isTicked('Try it without a key');
    await isTicked('Read your positions');
    assert.equal(await isDone('Keep your history, and see what you earned'), 0);
    assert.equal(await isDone('Connect with a read-only key'), 0);
  });

  it('completes a step by its state, not by its link', async () => {
    await press('Keep your history, and see what you earned', 'Download History…');
    await webview(page()).getByRole('button', { name: 'Download', exact: true }).waitFor();
    await runCommand(page(), 'View: Close Editor');
    await backToSteps();
    assert.equal(await isDone('Keep your history, and see what you earned'), 0);
    // The picture of a step is a webview, too.
    await runCommand(page(), 'View: Close All Editors');
    await downloadHistory(page(), 'Transaction History · SPOT');
    await runCommand(page(), 'Margin Desk: Open Analysis');
    await webview(page()).getByRole('application').first().waitFor();
    await runCommand(page(), 'Margin Desk: Open Trade History');
    await webview(page()).getByRole('heading', { level: 1, name: 'Trade History' }).waitFor();
    await backToSteps();
    await isTicked('Keep your history, and see what you earned');
    await isTicked('Browse your history');
    await press('Cancel all open orders', 'Cancel All Open Orders…');
    await pressInDialog(page(), 'Keep Orders');
    assert.equal(await isDone('Cancel all open orders'), 0);
  });

  async function isTicked(title: string): Promise<void> {
    await eventually(`${title} to be ticked`, () => isDone(title));
  }

  async function backToSteps(): Promise<void> {
    await runCommand(page(), 'Margin Desk: Open Walkthrough');
    await steps().first().waitFor();
  }

  /** Presses a link of a step. */
  async function press(title: string, link: string): Promise<void> {
    const shown = step(title).locator('a, button', { hasText: link }).last();
    // VS Code expands another step a moment after one is ticked.
    await eventually(`the link ${link}`, async () => {
      if (!(await shown.isVisible())) await step(title).locator('h3').click();
      await shown.click({ timeout: 2000 });
      return true;
    });
  }

  async function practiceIsOpen(): Promise<void> {
    await page()
      .locator('.part.statusbar', { hasText: /PRACTICE [\d,.]+/ })
      .waitFor();
  }

  it('has a picture for each step, and shows each without scrolling', async () => {
    await backToSteps();
    assert.equal(await steps().count(), 8);
    await expandEach(() => page().locator('.getting-started-media:visible').first().waitFor());
    await page().setViewportSize({ width: 1200, height: 800 });
    const footer = page().locator(
      '.gettingStartedDetailsContent .getting-started-footer, .part.statusbar',
    );
    await expandEach(async (one) => {
      const [box, end] = await Promise.all([
        steps().last().boundingBox(),
        footer.last().boundingBox(),
      ]);
      const bottom = (box?.y ?? Infinity) + (box?.height ?? 0);
      await page().screenshot({ path: path.join(projectRoot, '.screenshots/walkthrough.png') });
      assert.ok(bottom <= (end?.y ?? 0), `${await one.innerText()}: ${bottom}`);
    });
  });

  async function expandEach(check: (one: Locator) => Promise<void>): Promise<void> {
    for (const one of await steps().all()) {
      await one.locator('h3').click();
      await one.and(page().locator('.expanded')).waitFor();
      await check(one);
    }
  }

  it('imports profiles from a file, and asks for credentials in the view', async () => {
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
    // It is not connected yet.
    assert.equal(await isDone('Connect with a read-only key'), 0);
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

describe('the walkthrough after the practice account was opened', () => {
  it('has the steps checked whose state was reached before', async () => {
    const workbench = await openWorkbench();
    const { page } = workbench;
    try {
      await runCommand(page, 'Margin Desk: Open Practice Account');
      await page.locator('.part.statusbar', { hasText: /PRACTICE [\d,.]+/ }).waitFor();
      await runCommand(page, 'Margin Desk: Open Walkthrough');
      for (const title of ['Try it without a key', 'Read your positions'])
        await page
          .locator('.getting-started-step', { hasText: title })
          .locator('.complete')
          .locator('visible=true')
          .waitFor();
    } finally {
      await workbench.close();
    }
  });
});

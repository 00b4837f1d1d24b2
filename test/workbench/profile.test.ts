import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { serveExchange, type ServedExchange } from '../../src/practice/http/practiceServer.ts';
import { eventually } from '../support/eventually.ts';
import { practiceClock } from '../support/practiceTime.ts';
import { findingsIn } from '../support/workbench/axe.ts';
import { runAndPick, runCommand } from '../support/workbench/commands.ts';
import { pressInDialog, readDialog } from '../support/workbench/dialog.ts';
import { clearNotifications, notification } from '../support/workbench/notifications.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { answer, pick, quickInput } from '../support/workbench/quickInput.ts';
import { statusBarItem } from '../support/workbench/statusBar.ts';
import { webview } from '../support/workbench/webview.ts';

/** One account from its first prompt to its removal: each test goes on where the one before it ended. */
describe('a profile in a real workbench', () => {
  let workbench: Workbench;
  let venue: ServedExchange;

  before(async () => {
    venue = await serveExchange({ seed: 2, clock: practiceClock() });
    workbench = await openWorkbench();
  });
  after(async () => {
    await workbench.close();
    await venue.close();
  });

  const page = () => workbench.page;
  const input = () => quickInput(page());
  const host = () => new URL(venue.url).hostname;
  const equity = () => statusBarItem(page(), 'marginDesk.equity');

  async function equityShown(): Promise<string> {
    return eventually(
      'equity in the status bar',
      async () => /LIVE [\d,.]+…? [+−][\d,.]+…?/.exec(await equity().innerText())?.[0],
      { deadlineMs: 60_000 },
    );
  }

  /** Waits for the step that is named so, as a person would before typing. */
  async function step(title: RegExp): Promise<void> {
    // An input box may stay open without the focus; answering it brings the focus back.
    const shown = page().locator('.quick-input-widget:visible .quick-input-title');
    await eventually(String(title), async () => title.test(await shown.innerText()));
  }

  /** How much VS Code keeps in its secret storage; it is encrypted, and next to nothing when empty. */
  async function secretsLength(): Promise<number> {
    return page().evaluate(() => localStorage.getItem('secrets.provider')?.length ?? 0);
  }

  /** Waits until the account of the profile is open, as the header of its views says. */
  async function accountOpened(): Promise<void> {
    const header = page().locator('.pane-header', { hasText: `LIVE · ${host()}` });
    await header.first().waitFor();
  }

  it('goes from the palette, in seven prompts, to equity on the screen within a minute', async () => {
    const startedAt = performance.now();
    await runCommand(page(), 'Margin Desk: Add Profile…');
    await step(/^Add Profile: Base URL \(1\/7\)$/);
    await answer(page(), 'http://host.example');
    await eventually('the sentence', async () =>
      (await input().message.innerText()).includes('must begin with https://'),
    );
    await answer(page(), venue.url);
    await step(/^Add Profile: Authentication \(2\/7\)$/);
    await input().input.press('Enter');
    await step(/^Add Profile: API Key \(3\/7\)$/);
    assert.equal(await input().input.getAttribute('type'), 'password');
    await answer(page(), venue.apiKey);
    await step(/^Add Profile: API Secret \(4\/7\)$/);
    assert.equal(await input().input.getAttribute('type'), 'password');
    await answer(page(), venue.apiSecret);
    await step(/^Add Profile: Name \(5\/7\)$/);
    assert.equal(await input().input.inputValue(), host());
    await input().input.press('Enter');
    await step(/^Add Profile: Environment \(6\/7\)$/);
    await input().input.press('Enter');
    await step(/^Add Profile: Access \(7\/7\)$/);
    await input().input.press('Enter');
    assert.match(await input().title.innerText(), /Access/, 'Enter alone must not choose');
    await pick(page(), 'Allow Cancel All Orders');
    await notification(page(), `LIVE · ${host()} — Connected.`).waitFor();
    await clearNotifications(page());
    await equityShown();
    assert.ok(performance.now() - startedAt < 60_000);
    await accountOpened();
  });

  it('is saved in the user settings without a key', async () => {
    const file = path.join(workbench.dataDir, 'data/User/settings.json');
    const text = await eventually('the setting', async () => {
      const now = await readFile(file, 'utf8');
      return now.includes('marginDesk.profiles') ? now : undefined;
    });
    const settings = JSON.parse(text) as Record<string, unknown>;
    assert.deepEqual(settings['marginDesk.profiles'], {
      [host()]: {
        baseUrl: venue.url,
        environment: 'live',
        readOnly: false,
        auth: { scheme: 'hmacQuery' },
      },
    });
  });

  it('says what works of the connection, and shows the report, in which nothing is amiss', async () => {
    await runCommand(page(), 'Margin Desk: Test Connection');
    await notification(page(), `LIVE · ${host()} — Connected.`).waitFor();
    await page().getByRole('button', { name: 'Show Report' }).click();
    const report = webview(page());
    await report.getByRole('heading', { name: 'API conventions' }).waitFor();
    assert.equal(await report.locator('.checklist [data-state=problem]').count(), 0);
    assert.deepEqual(await findingsIn(page()), []);
  });

  it('is still there, with its key, after VS Code restarts', async () => {
    await accountOpened();
    await equityShown();
    await workbench.restart();
    await equityShown();
  });

  it('switches to the practice exchange and back', async () => {
    await runAndPick(page(), 'Margin Desk: Switch Profile…', 'Practice');
    await eventually('practice', async () =>
      /PRACTICE [\d,]+\.\d\d/.test(await equity().innerText()),
    );
    await runAndPick(page(), 'Margin Desk: Switch Profile…', host());
    await equityShown();
  });

  it('leaves no secret behind when it is removed', async () => {
    assert.ok((await secretsLength()) > 300);
    await runAndPick(page(), 'Margin Desk: Remove Profile…', host());
    assert.equal((await readDialog(page())).message, `Remove the profile “${host()}”?`);
    await pressInDialog(page(), 'Remove');
    await notification(page(), 'and its credentials were removed').waitFor();
    await equity().waitFor({ state: 'detached' });
    await eventually('the secret to be gone', async () => (await secretsLength()) < 150);
    const file = path.join(workbench.dataDir, 'data/User/settings.json');
    await eventually(
      'the setting to be gone',
      async () => !(await readFile(file, 'utf8')).includes('marginDesk.profiles'),
    );
    // Credentials that were left behind would be listed instead.
    await runCommand(page(), 'Margin Desk: Edit Profile…');
    await notification(page(), 'There are no profiles yet.').waitFor();
  });

  it('was never written down with its key: no log, setting or state on disk has it', async () => {
    const names = await readdir(path.join(workbench.dataDir, 'data'), {
      recursive: true,
      withFileTypes: true,
    });
    const files = names.filter((entry) => entry.isFile());
    assert.ok(files.some(({ name }) => name === 'Margin Desk.log'));
    for (const { parentPath, name } of files) {
      const content = await readFile(path.join(parentPath, name));
      for (const secret of [venue.apiKey, venue.apiSecret])
        for (const form of [secret, btoa(secret)]) assert.ok(!content.includes(form), name);
    }
  });
});

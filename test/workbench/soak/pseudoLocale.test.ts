import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { settings } from '../../../src/host/shared/contributions.ts';
import { eventually } from '../../support/eventually.ts';
import { manifestWords } from '../../support/l10n/extract.ts';
import { englishIn, pseudo } from '../../support/l10n/pseudo.ts';
import { pseudoLocale, pseudoVsix } from '../../support/l10n/pseudoVsix.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/project.ts';
import { runCommand } from '../../support/workbench/commands.ts';
import { pressInDialog, readDialog } from '../../support/workbench/dialog.ts';
import { readHover } from '../../support/workbench/hover.ts';
import {
  clearNotifications,
  notification,
  pressInNotification,
} from '../../support/workbench/notifications.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/openWorkbench.ts';
import { quickInput } from '../../support/workbench/quickInput.ts';
import { statusBarItem } from '../../support/workbench/statusBar.ts';
import { readRows, showView, treeMessage } from '../../support/workbench/tree.ts';
import { webview, webviewFrame } from '../../support/workbench/webview.ts';

/** Text that is the same in every language: names and values of the API, symbols, units, product names. */
const data =
  /^(?:[A-Z][A-Z_\d-]+|[a-z]+_[a-z]+|(?:btc|eth|sol|usdt|usdc)|Margin|Desk|VS|Code|Practice|Ctrl|Y|[a-z]+[A-Z]\w*|true|false|[\da-fA-F-]{8,}|UTC.*|json|desk|host|explorer|example|prefix|Main|Bad|baseUrl)$/;

/** One window in a made-up language: whatever is in English there cannot be translated. */
describe('a workbench in a pseudo-locale', () => {
  let folder: TemporaryFolder;
  let workbench: Workbench;

  before(async () => {
    folder = await temporaryFolder();
    const vsix = await pseudoVsix(folder.path);
    workbench = await openWorkbench({
      vsix,
      locale: pseudoLocale,
      viewport: { width: 1440, height: 900 },
      settings: { 'marginDesk.timeZone': 'UTC' },
    });
    await showView(page(), 'Margin Desk');
  });
  after(async () => {
    await workbench.close();
    await folder.remove();
  });

  const page = () => workbench.page;
  const words = manifestWords();
  const title = (key: string) => `Margin Desk: ${pseudo(words[key] ?? key)}`;

  function assertPseudo(...texts: readonly (string | null)[]): void {
    for (const text of texts)
      assert.deepEqual(englishIn(withoutDay(text ?? ''), data), [], text ?? '');
  }

  it('says what to do before there is an account', async () => {
    const welcome = page().locator('.welcome-view-content:visible');
    await welcome.first().waitFor();
    assertPseudo(...(await welcome.allInnerTexts()));
    assert.match(await welcome.first().innerText(), /⟦Ñóŧ ćóññéćŧéđ/);
  });

  it('shows an account: rows, hovers, the status bar', async () => {
    await runCommand(page(), title('command.tryPractice'));
    const status = statusBarItem(page(), 'marginDesk.equity');
    await eventually('the figures', async () => /[+−][\d,.]+$/.test(await status.innerText()));
    for (const { label, description, spoken } of await readRows(page()))
      assertPseudo(label, description, spoken);
    assertPseudo(...(await treeMessage(page()).allInnerTexts()));
    assertPseudo(...(await page().locator('.part.sidebar .pane-header').allInnerTexts()));
    assertPseudo(await status.innerText(), await status.getAttribute('aria-label'));
    assertPseudo(await readHover(page(), status, 'usdt'));
  });

  for (const [key, table] of [
    ['command.openOrderHistory', 'orders'],
    ['command.openLiquidationHistory', 'lots'],
    ['command.openTransactionHistory', 'transactions'],
    ['command.openExchangeInformation', 'exchange information'],
    ['command.openFeeTiers', 'fee tiers'],
  ] as const)
    it(`shows ${table} in a panel`, async () => {
      await runCommand(page(), title(key));
      await webview(page()).getByRole('gridcell').first().waitFor();
      const frame = await webviewFrame(page());
      assertPseudo(...(await frame.evaluate<string[]>(visibleTexts)));
    });

  it('says what is wrong with a filter, and that nothing matches', async () => {
    await runCommand(page(), title('command.openOrderHistory'));
    const panel = webview(page());
    await panel.getByRole('gridcell').first().waitFor();
    await panel.getByRole('button', { name: pseudo('Symbol'), exact: true }).click();
    await page().keyboard.type('nosuch_symbol');
    await page().keyboard.press('Enter');
    await panel.getByRole('heading', { level: 2 }).waitFor();
    const frame = await webviewFrame(page());
    assertPseudo(...(await frame.evaluate<string[]>(visibleTexts)));
  });

  it('asks before it cancels, and reports the outcome', async () => {
    await runCommand(page(), title('command.cancelAllOrders'));
    const { message, detail, buttons } = await readDialog(page());
    assertPseudo(message, detail, ...buttons);
    await pressInDialog(page(), pseudo('Keep Orders'));
  });

  it('reports the outcome of a cancel-all, and writes its receipt', async () => {
    await runCommand(page(), title('command.cancelAllOrders'));
    await readDialog(page());
    await pressInDialog(page(), pseudo('Cancel All Orders'));
    const report = notification(page(), pseudo('Nothing is locked now.'));
    await report.waitFor();
    assertPseudo(await report.locator('.notification-list-item-message').innerText());
    await pressInNotification(report, pseudo('Show Receipt'));
    const receipt = webview(page());
    await receipt.getByRole('heading', { name: pseudo('Cancel-all receipt') }).waitFor();
    const ours = receipt.locator('h2, h3, button, .notice p, .step p, .checks dd, .remark');
    for (const text of await ours.allInnerTexts()) assertPseudo(text);
    await clearNotifications(page());
    await runCommand(page(), title('command.showReceipts'));
    const { rows, widget, title: heading } = quickInput(page());
    await heading.getByText(pseudo('Cancel-All Receipts')).waitFor();
    assertPseudo(await rows.first().getAttribute('aria-label'));
    await page().keyboard.press('Escape');
    await widget.waitFor({ state: 'hidden' });
  });

  it('describes every setting', async () => {
    const { width, height } = page().viewportSize() ?? assert.fail('no viewport');
    await page().setViewportSize({ width, height: 4000 });
    await runCommand(page(), 'Preferences: Open Settings (UI)');
    const editor = page().locator('.settings-editor');
    await editor.locator('.settings-header .monaco-editor').click();
    await page().keyboard.type('@ext:margin-desk.margin-desk');
    const items = editor.locator('.settings-tree-container .setting-item-contents');
    const { length } = Object.keys(settings);
    await eventually('every setting', async () => (await items.count()) === length);
    const texts = await items
      .locator('.setting-item-description')
      .evaluateAll((all) => all.map(({ innerHTML }) => innerHTML));
    assert.equal(texts.length, length);
    for (const text of texts.map(describedBy)) {
      assert.match(text, /⟦[^⟧]+⟧/);
      assertPseudo(text);
    }
    await items.filter({ hasText: 'Http' }).locator('.monaco-select-box').click();
    const choice = page().locator('.monaco-select-box-dropdown-container .select-box-details-pane');
    const first = describedBy(await choice.innerHTML());
    await page().keyboard.press('ArrowDown');
    const second = describedBy(await choice.innerHTML());
    assert.notEqual(first, second);
    assertPseudo(first, second);
    await page().keyboard.press('Escape');
    await page().setViewportSize({ width, height });
  });

  it('lists the profiles of a file, and says why one cannot be imported', async () => {
    const file = path.join(folder.path, 'desk.json');
    const profiles = { Main: { baseUrl: 'https://host.example' }, Bad: { baseUrl: 'x' } };
    await writeFile(file, JSON.stringify(profiles));
    await runCommand(page(), title('command.importProfiles'));
    const { widget, title: heading, rows, input } = quickInput(page());
    // The dialog takes no answer while it still reads the folder.
    await eventually('the list of profiles', async () => {
      await input.fill(file);
      await input.press('Enter');
      await heading.getByText('desk.json').waitFor({ timeout: 2000 });
      return true;
    });
    await rows.nth(1).waitFor();
    const spoken = await rows.evaluateAll((all) =>
      all.map((row) => row.getAttribute('aria-label')),
    );
    assertPseudo(await heading.innerText(), ...spoken);
    await page().keyboard.press('Escape');
    await widget.waitFor({ state: 'hidden' });
  });

  it('has commands, settings and the walkthrough in its words', async () => {
    await page().keyboard.press('F1');
    const { input, rows } = quickInput(page());
    await input.fill('>Margin Desk');
    await rows.nth(5).waitFor();
    const labels = await rows.allInnerTexts();
    assertPseudo(...labels.map((label) => label.split('\n')[0] ?? ''));
    await page().keyboard.press('Escape');
    await runCommand(page(), title('command.openWalkthrough'));
    const steps = page().locator('.getting-started-step');
    await steps.nth(4).waitFor();
    assertPseudo(...(await steps.allInnerTexts()));
  });
});

/** Every text of the page, and every word that is only read out. */
const visibleTexts = `[
  document.body.innerText,
  ...[...document.querySelectorAll('[aria-label], [title], [label], [placeholder]')].flatMap((element) =>
    ['aria-label', 'title', 'label', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
  ),
]`;

/** A setting's description without what is code, or the name that VS Code gives to another setting. */
function describedBy(html: string): string {
  return html.replace(/<code>.*?<\/code>|<a [^>]*"#.*?<\/a>|<[^>]*>/gs, ' ');
}

/** The day of a time is in VS Code's own language. */
function withoutDay(text: string): string {
  return text.replace(/\p{L}+, \p{L}+ \d+, \d{4}/gu, '');
}

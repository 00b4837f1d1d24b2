import type { Locator, Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { extensionShown } from './openWorkbench.ts';
import { quickInput } from './quickInput.ts';

/**
 * Runs the command whose full label, `Category: Title`, is `label`, from the command palette, once.
 * What the command before it still focuses, such as a view or a panel, closes the palette: then it is
 * opened again, as its user does.
 */
export async function runCommand(page: Page, label: string): Promise<void> {
  let row: Locator;
  do row = await offered(page, label);
  while (!(await row.evaluate(pressIfVisible)));
}

/** Opens the palette and types until it offers the command; gives its row, and runs nothing. */
function offered(page: Page, label: string): Promise<Locator> {
  const { input, widget } = quickInput(page);
  const name = JSON.stringify(label);
  const exact = `[aria-label=${name}], [aria-label^=${JSON.stringify(`${label}, `)}]`;
  const row = widget.locator('.monaco-list-row').and(page.locator(exact)).first();
  return eventually(
    `the command ${label}`,
    async () => {
      await page.keyboard.press('F1');
      await input.fill(`>${label}`, patience);
      await row.waitFor(patience);
      return row;
    },
    { deadlineMs: 30_000 },
  );
}

const patience = { timeout: 3000 };

/**
 * Runs in the page, where nothing comes between the look and the press: false means that the palette
 * had closed and nothing ran, so that it can be opened again without running a command twice.
 */
function pressIfVisible(row: PageElement): boolean {
  if (!row.checkVisibility()) return false;
  row.click?.();
  return true;
}

/** What is needed of the page's element; its full type is unknown here. */
type PageElement = { checkVisibility(): boolean; click?(): void };

/** Reloads the window as its user does, and waits until the extension is there again. */
export async function reloadWindow(page: Page): Promise<void> {
  const reloaded = page.waitForEvent('load');
  await runCommand(page, 'Developer: Reload Window');
  await reloaded;
  await extensionShown(page);
}

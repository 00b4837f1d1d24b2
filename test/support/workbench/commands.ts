import type { Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { extensionShown } from './openWorkbench.ts';
import { pickIfOpen, pressIfOpen, quickInput } from './quickInput.ts';

/**
 * Runs the command whose full label, `Category: Title`, is `label`, from the command palette, once.
 * What the command before it still focuses, such as a view or a panel, closes the palette: then it is
 * opened again, as its user does.
 */
export async function runCommand(page: Page, label: string): Promise<void> {
  const { input, widget } = quickInput(page);
  const name = JSON.stringify(label);
  const exact = `[aria-label=${name}], [aria-label^=${JSON.stringify(`${label}, `)}]`;
  const row = widget.locator('.monaco-list-row').and(page.locator(exact)).first();
  // A busy machine lists the commands late: each attempt waits longer than the one before it.
  let timeout = 1500;
  await eventually(
    `the command ${label}`,
    async () => {
      timeout *= 2;
      await page.keyboard.press('F1');
      await input.fill(`>${label}`, { timeout });
      return row.evaluate(pressIfOpen, undefined, { timeout });
    },
    { deadlineMs: 45_000 },
  );
}

/**
 * Runs a command and picks from its list. What still takes the focus closes the list: then the command is
 * run again, as its user does.
 */
export async function runAndPick(page: Page, label: string, choice: string): Promise<void> {
  await eventually(
    `the choice ${choice}`,
    async () => {
      await runCommand(page, label);
      return pickIfOpen(page, choice);
    },
    { deadlineMs: 60_000 },
  );
}

/** Reloads the window as its user does, and waits until the extension is there again. */
export async function reloadWindow(page: Page): Promise<void> {
  const reloaded = page.waitForEvent('load');
  await runCommand(page, 'Developer: Reload Window');
  await reloaded;
  await extensionShown(page);
}

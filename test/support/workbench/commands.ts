import type { Page } from 'playwright-core';
import { extensionShown } from './openWorkbench.ts';
import { quickInput } from './quickInput.ts';

/** Runs the command whose full label, `Category: Title`, is `label`, from the command palette. */
export async function runCommand(page: Page, label: string): Promise<void> {
  await page.keyboard.press('F1');
  const { input, widget } = quickInput(page);
  await input.fill(`>${label}`);
  const name = JSON.stringify(label);
  const exact = `[aria-label=${name}], [aria-label^=${JSON.stringify(`${label}, `)}]`;
  await widget.locator('.monaco-list-row').and(page.locator(exact)).first().click();
}

/** Reloads the window as its user does, and waits until the extension is there again. */
export async function reloadWindow(page: Page): Promise<void> {
  const reloaded = page.waitForEvent('load');
  await runCommand(page, 'Developer: Reload Window');
  await reloaded;
  await extensionShown(page);
}

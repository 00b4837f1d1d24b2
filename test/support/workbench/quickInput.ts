import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../eventually.ts';

/** The one widget in which VS Code asks: command palette, quick pick and input box. */
export type QuickInput = {
  readonly widget: Locator;
  readonly title: Locator;
  readonly input: Locator;
  /** What an input box says of the text typed so far. */
  readonly message: Locator;
  /** Its aria-label is `label, description, detail`. */
  readonly rows: Locator;
};

/** As long as it is open, which is as long as it has the focus: closed, it can be seen until it has faded out. */
export function quickInput(page: Page): QuickInput {
  const widget = page.locator('.quick-input-widget:visible:focus-within');
  return {
    widget,
    title: widget.locator('.quick-input-title'),
    input: widget.locator('input.input'),
    message: widget.locator('.quick-input-message'),
    rows: widget.locator('.monaco-list-row'),
  };
}

/** Picks the row of an open quick pick whose label is `label`, and waits until the list is gone. */
export async function pick(page: Page, label: string): Promise<void> {
  const chosen = rowNamed(page, label);
  await focused(page, chosen);
  await eventually(`the choice ${label}`, () => pickIfOpen(page, label));
}

/** The same, but false if the list is closed, or closes before the row can be picked. */
export async function pickIfOpen(page: Page, label: string): Promise<boolean> {
  const chosen = rowNamed(page, label);
  if (!(await chosen.evaluate(pressIfOpen, undefined, { timeout: 3000 }))) return false;
  await chosen.waitFor({ state: 'hidden' });
  return true;
}

function rowNamed(page: Page, label: string): Locator {
  const row = page.locator('.monaco-list-row', {
    has: page.locator('.label-name').getByText(label, { exact: true }),
  });
  return quickInput(page).widget.locator(row).first();
}

/**
 * Presses a row. Runs in the page, where nothing comes between the look and the press. A quick input that
 * lost the focus is closed, and takes no press, although it can be seen until it has faded out: then
 * false, and nothing was chosen.
 */
export function pressIfOpen(row: PageElement): boolean {
  const isOpen = row.matches('.quick-input-widget:focus-within *');
  if (isOpen) row.click?.();
  return isOpen;
}

/** What is needed of the page's element; its full type is unknown here. */
type PageElement = { matches(selector: string): boolean; click?(): void };

/**
 * Waits for a part of the open quick input. A panel or dialog that changed before may take the focus from
 * a quick input that stays open without it: then its user clicks into it.
 */
export async function focused(page: Page, part: Locator): Promise<void> {
  const anyInput = page.locator('.quick-input-widget:visible input.input');
  await part.waitFor({ timeout: 5000 }).catch(() => anyInput.focus());
  await part.waitFor();
}

/** Types into an open input box and accepts. */
export async function answer(page: Page, text: string): Promise<void> {
  const { input } = quickInput(page);
  await focused(page, input);
  await input.fill(text);
  await input.press('Enter');
}

/** Answers a dialog that asks for a folder, and waits until it is gone. */
export async function chooseFolder(page: Page, dialog: string, folder: string): Promise<void> {
  const { input, title } = quickInput(page);
  const asked = title.getByText(dialog);
  await asked.waitFor();
  // The dialog takes no answer while it still reads the folder, and a new value makes it read again.
  await eventually('the dialog to take the folder', async () => {
    if (!(await asked.isVisible())) return true;
    if (path.resolve(await input.inputValue({ timeout: 2000 })) !== folder) {
      await input.fill(`${folder}/`, { timeout: 2000 });
      return false;
    }
    await input.press('Enter', { timeout: 2000 });
    await asked.waitFor({ state: 'hidden', timeout: 2000 });
    return true;
  });
}

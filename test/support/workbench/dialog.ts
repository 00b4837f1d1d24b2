import type { Page } from 'playwright-core';
import { eventually } from '../eventually.ts';

export type ModalDialog = {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
};

/** Waits for a modal dialog and reads it. */
export async function readDialog(page: Page): Promise<ModalDialog> {
  const box = page.locator('.monaco-dialog-box');
  await box.waitFor();
  const detail = box.locator('.dialog-message-detail');
  return {
    message: await box.locator('.dialog-message-text').innerText(),
    detail: (await detail.count()) > 0 ? await detail.innerText() : '',
    buttons: await box.locator('.dialog-buttons .monaco-button').allInnerTexts(),
  };
}

/** Presses a button of the open modal dialog, the first of its name, and waits until the dialog is gone. */
export async function pressInDialog(page: Page, button: string): Promise<void> {
  const box = page.locator('.monaco-dialog-box');
  await box.locator('.dialog-buttons').getByText(button, { exact: true }).first().click();
  await box.waitFor({ state: 'detached' });
}

/** Confirms a question on LIVE, which takes a press within 700 ms for an accidental key. */
export async function confirmOnLive(page: Page, button: string): Promise<void> {
  await readDialog(page);
  const readAt = performance.now();
  await eventually('a question that was read', () => performance.now() - readAt > 700);
  await pressInDialog(page, button);
}

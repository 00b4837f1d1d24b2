import type { Locator, Page } from 'playwright-core';
import { runCommand } from './commands.ts';

/** The status bar's item of a folder that is not trusted. */
export function restrictedMode(page: Page): Locator {
  return page.locator('.statusbar-item', { hasText: 'Restricted Mode' });
}

/** Trusts the open folder in VS Code's own editor, which stays open. */
export async function trustFolder(page: Page): Promise<void> {
  await runCommand(page, 'Workspaces: Manage Workspace Trust');
  const editor = page.locator('.workspace-trust-editor');
  await editor.locator('.monaco-button', { hasText: /^Trust$/ }).click();
  await restrictedMode(page).waitFor({ state: 'detached' });
}

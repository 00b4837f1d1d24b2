import type { Page } from 'playwright-core';
import { runCommand } from './commands.ts';
import { clearNotifications, notification } from './notifications.ts';
import { webview } from './webview.ts';

/** Downloads 90 days of what the page chooses, without these histories, and closes the page. */
export async function downloadHistory(page: Page, ...without: readonly string[]): Promise<void> {
  await runCommand(page, 'Margin Desk: Download History…');
  const panel = webview(page);
  await panel.getByRole('heading', { level: 1, name: 'Download history' }).waitFor();
  for (const label of without) await panel.getByRole('checkbox', { name: label }).uncheck();
  await panel.getByRole('button', { name: 'Download', exact: true }).click();
  await notification(page, 'is downloaded.').waitFor({ timeout: 300_000 });
  await clearNotifications(page);
  await runCommand(page, 'View: Close Editor');
}

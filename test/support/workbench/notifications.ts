import type { Locator, Page } from 'playwright-core';
import { runCommand } from './commands.ts';

/** The first notification shown whose message contains `text`, as toast or in the center. */
export function notification(page: Page, text: string): Locator {
  return notifications(page).filter({ hasText: text }).first();
}

/** Presses a notification's button, again if the notification stays: a press while it moves may be lost. */
export async function pressInNotification(item: Locator, button: string): Promise<void> {
  const target = item.locator('.monaco-button', { hasText: button }).first();
  await target.click();
  await target
    .waitFor({ state: 'hidden', timeout: 5000 })
    .catch(() => target.click({ timeout: 5000 }).catch(() => undefined));
}

/** Leaves no notification behind for the next test. */
export async function clearNotifications(page: Page): Promise<void> {
  await runCommand(page, 'Notifications: Clear All Notifications');
  await notifications(page).first().waitFor({ state: 'detached' });
}

function notifications(page: Page): Locator {
  return page.locator(
    ':is(.notifications-toasts, .notifications-center) .notification-list-item:visible',
  );
}

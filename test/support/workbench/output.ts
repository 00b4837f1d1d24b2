import type { Page } from 'playwright-core';
import { runCommand } from './commands.ts';
import { pick } from './quickInput.ts';

/** Shows an output channel and gives the lines in sight, as text. */
export async function readOutput(page: Page, channel: string): Promise<string> {
  await runCommand(page, 'Output: Show Output Channels...');
  await pick(page, channel);
  const lines = page.locator('.part.panel .view-line');
  await lines.first().waitFor();
  const texts = await lines.allInnerTexts();
  return texts.join('\n').replaceAll('\u00a0', ' ');
}

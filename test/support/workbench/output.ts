import type { Page } from 'playwright-core';
import { runAndPick } from './commands.ts';

/** Shows an output channel and gives the lines in sight, as text. */
export async function readOutput(page: Page, channel: string): Promise<string> {
  await runAndPick(page, 'Output: Show Output Channels...', channel);
  const lines = page.locator('.part.panel .view-line');
  await lines.first().waitFor();
  const texts = await lines.allInnerTexts();
  return texts.join('\n').replaceAll('\u00a0', ' ');
}

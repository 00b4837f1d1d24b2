import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder } from '../support/project.ts';
import type { StartSession } from '../support/startSession.ts';
import { startServed } from '../support/startServed.ts';
import { launchChromium } from '../support/chromium.ts';

describe('the first window of npm start, served', () => {
  it('opens the practice account with the side bar and the overview, by itself', async () => {
    const folder = await temporaryFolder();
    const workspace = path.join(folder.path, 'workspace');
    await mkdir(workspace);
    const settings = { 'workbench.startupEditor': 'none' };
    const session: StartSession = { folder: folder.path, workspace, settings, endings: [] };
    const browser = await launchChromium();
    try {
      const { address } = await startServed(session);
      const page = await browser.newPage();
      await page.goto(address);
      await page.getByRole('tab', { name: 'Overview · Practice' }).waitFor();
      await page.locator('.part.sidebar').getByText('Positions', { exact: true }).waitFor();
    } finally {
      await browser.close();
      for (const end of session.endings) await end();
      await folder.remove();
    }
  });
});

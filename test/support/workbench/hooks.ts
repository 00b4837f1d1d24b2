import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../project.ts';
import { closeBrowser } from './browser.ts';
import { openPages } from './openWorkbench.ts';

/** For Mocha: a test that fails leaves a picture of each open window in `.screenshots/failed`. */
export const mochaHooks = {
  async afterEach(this: Mocha.Context): Promise<void> {
    const { currentTest } = this;
    if (currentTest?.state !== 'failed') return;
    const folder = path.join(projectRoot, '.screenshots/failed');
    const name = currentTest.fullTitle().replace(/\W+/g, '-');
    await mkdir(folder, { recursive: true });
    for (const [index, page] of [...openPages].entries())
      await page.screenshot({ path: path.join(folder, `${name}-${index + 1}.png`) });
  },
};

/** For Mocha: ends the browser of this process after all files. The end of a parallel worker ends its own. */
export const mochaGlobalTeardown = closeBrowser;

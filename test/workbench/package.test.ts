import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { eventually } from '../support/eventually.ts';
import { largestPackageBytes, packagedVsix } from '../support/vsix.ts';
import { runCommand } from '../support/workbench/commands.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { quickInput } from '../support/workbench/quickInput.ts';

describe('the package', () => {
  it('is below a megabyte', async () => {
    const { size } = await stat(await packagedVsix());
    assert.ok(size > 0 && size < largestPackageBytes, `${size} bytes`);
  });

  it('loads its entrance alone into a window without an account, and the rest when used', async () => {
    const workbench = await openWorkbench();
    try {
      await eventually('the extension to be activated', () => isActivated(workbench));
      assert.equal(await hasChannel(workbench), false);
      await runCommand(workbench.page, 'Margin Desk: Show Log');
      await workbench.page.locator('.part.panel .monaco-editor').waitFor();
      assert.equal(await hasChannel(workbench), true);
    } finally {
      await workbench.close();
    }
  });
});

/** As VS Code's own log of the extension host tells. */
async function isActivated({ dataDir }: Workbench): Promise<boolean> {
  const logs = path.join(dataDir, 'data/logs');
  const files = (await readdir(logs, { recursive: true })).filter((file) =>
    file.endsWith('exthost.log'),
  );
  const texts = await Promise.all(files.map((file) => readFile(path.join(logs, file), 'utf8')));
  return texts.some((text) => text.includes('_doActivateExtension margin-desk.margin-desk'));
}

/** Whether the app behind the entrance is there: it has an output channel from its start. */
async function hasChannel({ page }: Workbench): Promise<boolean> {
  await runCommand(page, 'Output: Show Output Channels...');
  const { input, rows } = quickInput(page);
  await rows.first().waitFor();
  await input.fill('Margin Desk');
  await rows.filter({ hasNotText: 'Margin Desk' }).first().waitFor({ state: 'detached' });
  const isThere = (await rows.count()) > 0;
  await page.keyboard.press('Escape');
  return isThere;
}

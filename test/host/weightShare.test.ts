import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { clientKey } from '../../src/exchange/client.ts';
import { operations } from '../../src/api/operations.ts';
import { anAccount, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { activatedExtension, hoverText, openAt } from '../support/extensionUnderTest.ts';
import { minuteLimit } from '../support/hostileExchange/options.ts';
import { serversOfEachTest } from '../support/hostileServer.ts';
import { writeUserSetting } from '../support/userSetting.ts';

const setting = 'marginDesk.weightShare';

describe(setting, () => {
  const serve = serversOfEachTest();
  const access = activatedExtension();

  // A panel that another test left open reads too when an account opens.
  before(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  afterEach(() => writeUserSetting(setting, undefined));

  it('changes the share in a running window, also for waiting requests', async () => {
    const server = await serve(({ url = '' }, response) => {
      if (url.includes('/system/')) response.end(`{"rateLimits":${minuteLimit(200)},"symbols":[]}`);
      else response.end(url.includes('/accounts') ? wire(anAccount()) : '[]');
    });
    // An overview that another test left open reads the rates as well.
    access.app.overview.get('')?.dispose();
    await openAt(access, server.url);
    const { rateLimiter, [clientKey]: client } = await access.app.active.session();
    // The hexadecimal signature of another request can contain “fee”.
    const asked = (): number =>
      server.requests.filter(({ path }) => path.split('?')[0] === operations.feeTiers.path).length;
    assert.deepEqual([rateLimiter.usage.ownShare, rateLimiter.usage.limit], [100, 200]);

    // Of 10 then, 5 stay free for a cancel-all; the account was read for more than what is left.
    await writeUserSetting(setting, 0.05);
    await eventually('the smaller share', () => rateLimiter.usage.ownShare === 10);
    const tiers = client.list('feeTiers', { priority: 'refresh' });
    await eventually('one who waits', () => rateLimiter.usage.waiting > 0);
    assert.equal(asked(), 0);

    await writeUserSetting(setting, 1);
    assert.deepEqual((await tiers).value, []);
    assert.deepEqual([asked(), rateLimiter.usage.ownShare], [1, 200]);
    await eventually('the hover to say it', () =>
      hoverText(access.app.statusItem.item.tooltip).includes('/ 200 (limit 200 per 60 s)'),
    );
  });
});

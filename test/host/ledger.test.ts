import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { always } from '../../src/base/interval.ts';
import { dayMs } from '../../src/base/time.ts';
import { commands } from '../../src/host/shared/contributions.ts';
import { eventually } from '../support/eventually.ts';
import type { HostileServer } from '../support/hostileServer.ts';
import { downloadPage, pressDownload } from '../support/pressDownload.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';
import { folderOfEachTest } from '../support/project.ts';
import { scriptedProgress } from '../support/scriptedProgress.ts';
import { hourlyTrades, tradedExchange } from '../support/tradedExchange.ts';
import { blockOf } from '../support/shownDocument.ts';

describe('the ledger of a profile', () => {
  const harness = profilesUnderTest();
  const { access, messages, input, serve, run, opened, remove, untilRead, set } = harness;
  const progress = scriptedProgress();
  const folder = folderOfEachTest();
  const ledger = () => access().app.ledger;
  const linksOf = (name: string) => ledger().profileLedgers.links.of(name);
  const shown = () => ledger().shown.current;
  const rows = async (): Promise<number> => {
    const query = {
      history: 'trades',
      period: always,
      filters: {},
      search: '',
      sort: null,
    } as const;
    return (await shown()?.reader.rows(query, 0, 1))?.total ?? assert.fail('no ledger is shown');
  };
  const texts = (): string[] => messages.shown.map(({ text }) => text);

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const name of ['Main', 'Renamed', 'Practice'])
      await ledger().profileLedgers.removeOfProfile(name);
  });

  /** The trades of 90 days. */
  async function download(): Promise<void> {
    await pressDownload(ledger());
    const end = await eventually('the end of the download', () =>
      texts().find((text) => /is downloaded\.$|continues from there\.$/.test(text)),
    );
    assert.match(end, /is downloaded\.$/);
  }

  /** 30 trades; those of the key `other-key` are of another account, and `empty-key` has none. */
  const traded = (): Promise<HostileServer> =>
    serve(
      tradedExchange({
        trades: ({ headers: { 'x-api-key': key } }) =>
          hourlyTrades(key === 'empty-key' ? 0 : 30, key === 'other-key' ? 1030 : 30, 70),
      }),
    );

  it('starts with a download, whose page says what is stored, and keeps what was downloaded', async () => {
    await opened('Main', await traded());
    await run(commands.openLedger);
    assert.deepEqual(linksOf('Main'), []);
    await run(commands.backUpLedger);
    assert.match(texts().at(-1) ?? '', /^The open account has no ledger\./);
    assert.deepEqual(messages.shown.at(-1)?.buttons, ['Download History…']);
    const { panel, document } = await downloadPage(ledger());
    const { texts: said } = blockOf(document, 'notice');
    assert.match(said.join(' '), /keeps the history of LIVE · Main on this machine.*plain text/);
    panel.dispose();
    assert.equal(shown(), undefined);
    await download();
    assert.equal(await rows(), 30);
    assert.ok(progress.titles.includes('Downloading the history of LIVE · Main'));
    const again = await downloadPage(ledger());
    assert.deepEqual(blockOf(again.document, 'notice').texts, ['The ledger has all of it.']);
    again.panel.dispose();
  });

  it('is filled by itself from the practice exchange, without a notification', async () => {
    await vscode.commands.executeCommand(commands.tryPractice);
    const ofNinetyDays = async (): Promise<boolean> => {
      const reads = (await shown()?.writer.coverage('trades')) ?? [];
      return reads.some(({ from, to }) => to - from > 89 * dayMs);
    };
    // The weight limit of the practice exchange may have been used up before.
    await eventually('the trades of ninety days', ofNinetyDays, { deadlineMs: 55_000 });
    assert.ok((await rows()) > 1000);
    assert.deepEqual(texts(), []);
    assert.deepEqual(progress.titles, []);
  });

  it('opens without a question while the practice profile is still opening', async () => {
    await Promise.all([
      vscode.commands.executeCommand(commands.tryPractice),
      eventually('an account', () =>
        access()
          .app.active.session()
          .catch(() => undefined),
      ).then(() => run(commands.openLedger)),
    ]);
    assert.deepEqual(texts(), []);
    assert.equal(linksOf('Practice').length, 1);
  });

  it('follows a profile that is renamed, and is deleted with it', async () => {
    await opened('Main', await traded());
    await download();
    const [link] = linksOf('Main');
    await run(commands.editProfile, 'Main', 'Name', 'Renamed');
    await untilRead('Renamed');
    assert.deepEqual(linksOf('Main'), []);
    assert.deepEqual(linksOf('Renamed'), [{ ...link, profile: 'Renamed' }]);
    assert.equal(await rows(), 30);
    input.answers.push('Renamed');
    await remove('Renamed');
    const question = messages.shown.find(({ text }) => text.startsWith('Remove the profile'));
    assert.match(question?.detail ?? '', /local ledger are deleted/);
    assert.deepEqual(linksOf('Renamed'), []);
    assert.equal(shown(), undefined);
  });

  it('is not shown for another account', async () => {
    await opened('Main', await traded());
    await download();
    const [first] = linksOf('Main');
    messages.answers.push('Another Account');
    await run(commands.setCredentials, 'other-key', 'secret');
    await eventually('another ledger', () => linksOf('Main').length === 2);
    assert.ok(texts().some((text) => text.startsWith('The credentials of LIVE · Main changed.')));
    await eventually('the new ledger', shown);
    assert.equal(await rows(), 0);
    assert.deepEqual(linksOf('Main')[1], first);
  });

  it('goes on with other credentials of the same account, once its rows were compared', async () => {
    await opened('Main', await traded());
    await download();
    const [{ id } = assert.fail('no ledger')] = linksOf('Main');
    messages.answers.push('Same Account');
    await run(commands.setCredentials, 'second-key', 'secret');
    await eventually('the ledger', shown);
    assert.equal(linksOf('Main')[0]?.id, id);
    assert.equal(await rows(), 30);
  });

  it('is refused to an account without its rows, whatever the answer', async () => {
    await opened('Main', await traded());
    await download();
    await run(commands.setCredentials, 'other-key', 'secret');
    await eventually('the question', () => texts().find((text) => text.startsWith('The credent')));
    messages.answers.push('Same Account');
    await run(commands.openLedger);
    assert.match(texts().at(-1) ?? '', /belongs to another account and is not shown/);
    assert.equal(shown(), undefined);
  });

  it('is shown if the exchange lists none of its rows and the user says that it is theirs', async () => {
    await opened('Main', await traded());
    await download();
    await run(commands.setCredentials, 'empty-key', 'secret');
    await eventually('the question', () => texts().find((text) => text.startsWith('The credent')));
    messages.answers.push('Same Account');
    await run(commands.openLedger);
    assert.match(texts().at(-1) ?? '', /^Is this ledger of LIVE · Main/);
    assert.equal(shown(), undefined);
    messages.answers.push('Same Account', 'Show This Ledger');
    await run(commands.openLedger);
    await eventually('the ledger', shown);
    assert.equal(await rows(), 30);
  });

  it('stores what is read of the account, unless a setting turns that off', async () => {
    const stored = async (): Promise<number> =>
      (await shown()?.reader.checkpoints({ from: 0, to: Number.MAX_SAFE_INTEGER }))?.length ?? 0;
    await set('marginDesk.ledger.keepCurrent', false);
    await opened('Main', await traded());
    await download();
    await run(commands.refresh);
    assert.equal(await stored(), 0);
    await set('marginDesk.ledger.keepCurrent', undefined);
    await run(commands.refresh);
    await eventually('a checkpoint', async () => (await stored()) > 0);
  });

  it('is backed up, deleted after a question, and restored', async () => {
    await opened('Main', await traded());
    await download();
    const backup = path.join(folder.path, 'backup.sqlite');
    await run(commands.backUpLedger, backup);
    await run(commands.deleteLedger);
    assert.equal(await rows(), 30);
    const { text, detail, buttons } = messages.shown.at(-1) ?? assert.fail('no question');
    assert.match(text, /^Delete the ledger of LIVE · Main\?$/);
    assert.match(detail, /^It has 30 rows, from \d{4}-.* to \d{4}-.*\.\n/);
    // The first one has the focus.
    assert.deepEqual(buttons, ['Keep Ledger', 'Delete Ledger', 'Keep Ledger']);
    messages.answers.push('Delete Ledger');
    await run(commands.deleteLedger);
    assert.equal(shown(), undefined);
    assert.deepEqual(linksOf('Main'), []);
    messages.answers.push('Keep History');
    await run(commands.restoreLedger, backup);
    assert.match(texts().at(-1) ?? '', /was restored/);
    assert.equal(await rows(), 30);
  });

  it('does not take the backup of another account', async () => {
    await opened('Main', await traded());
    await download();
    const backup = path.join(folder.path, 'backup.sqlite');
    await run(commands.backUpLedger, backup);
    messages.answers.push('Another Account');
    await run(commands.setCredentials, 'other-key', 'secret');
    await eventually('the other ledger', shown);
    messages.answers.push('Replace');
    await run(commands.restoreLedger, backup);
    assert.match(texts().at(-1) ?? '', /belongs to another account and is not shown/);
    assert.equal(await rows(), 0);
  });
});

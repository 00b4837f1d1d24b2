import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { always } from '../../src/base/interval.ts';
import { dayMs } from '../../src/base/time.ts';
import { commands } from '../../src/host/shared/contributions.ts';
import { anAccount, aTrade, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { FakePanel } from '../support/fakePanel.ts';
import { minuteLimit } from '../support/hostileExchange/options.ts';
import type { HostileServer } from '../support/hostileServer.ts';
import { chosenIn, downloadPage, pressDownload } from '../support/pressDownload.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';
import { folderOfEachTest } from '../support/project.ts';
import { scriptedProgress } from '../support/scriptedProgress.ts';
import { blockOf, blocksOf, changesIn, openedIn } from '../support/shownDocument.ts';

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

  /**
   * An exchange with 30 trades in an account; those of the key `other-key` are of another account, and
   * `empty-key` has none. Its limit is so high that a download does not wait for weight.
   */
  const traded = (): Promise<HostileServer> =>
    serve(({ url = '', headers }, response) => {
      const firstId = headers['x-api-key'] === 'other-key' ? 1001 : 1;
      const now = Date.now();
      if (url.includes('exchangeInfo'))
        response.end(
          `{"rateLimits":${minuteLimit(1_000_000)},"timezone":"UTC","serverTime":${now},"symbols":[]}`,
        );
      else if (url.includes('/accounts')) response.end(wire(anAccount()));
      else if (url.includes('/trades') && headers['x-api-key'] !== 'empty-key')
        response.end(pageOf(url, trades(firstId, now)));
      else response.end('{"content":[],"totalElements":0}');
    });

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

  it('is not downloaded as another page asked of the account before', async () => {
    const server = await traded();
    await opened('Main', server);
    ledger().fill([{ history: 'orders', from: 0, to: 1000 }]);
    await opened('Renamed', server);
    await download();
    assert.equal(await rows(), 30);
  });

  it('says how many rows there are of what is chosen, and what they take', async () => {
    await opened('Main', await traded(), { dialect: { dates: 'epochMs', firstPage: 0 } });
    await run(commands.downloadHistory);
    const { panel, document } = await downloadPage(ledger());
    assert.deepEqual(
      chosenIn(document).map(({ label, isChosen, requests }) => [label, isChosen, requests]),
      [
        ['Order History', true, 'at least 1'],
        ['Trade History', true, 'at least 1'],
        ['Liquidation Auctions', false, 'at least 1'],
        ['Transaction History · FUTURE', true, 'at least 1'],
        ['Transaction History · SPOT', true, 'at least 1'],
      ],
    );
    const counted = await eventually('the counts', () =>
      changesIn(panel).find(
        (changed) => chosenIn(changed).filter(({ rows }) => rows !== '—').length === 4,
      ),
    );
    assert.deepEqual(
      chosenIn(counted).map(({ rows: count, requests }) => [count, requests]),
      [
        ['0', '4'],
        ['30', '4'],
        ['—', 'at least 1'],
        ['0', '4'],
        ['0', '4'],
      ],
    );
    assert.match(
      blockOf(counted, 'notice').texts[0] ?? '',
      /^Takes about \d+ requests · weight \d+ · /,
    );
    panel.dispose();
  });

  it('belongs to the practice profile without a question', async () => {
    await vscode.commands.executeCommand(commands.tryPractice);
    await eventually('the practice ledger', shown);
    assert.deepEqual(texts(), []);
    assert.equal(linksOf('Practice').length, 1);
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

  it('shows its coverage, and follows it', async () => {
    await opened('Main', await traded());
    const panel = new FakePanel();
    ledger().page.restore(panel.asPanel(), '');
    const { document: before } = await openedIn(panel);
    assert.match(JSON.stringify(before.sections), /This account has no ledger\. Download /);
    await download();
    const [orders, tradeMap] = await eventually('the rows', () =>
      changesIn(panel)
        .map((document) => blocksOf(document, 'map')[0]?.lines ?? [])
        .find((lines) => lines.some(({ summary }) => summary.startsWith('30 rows · '))),
    );
    assert.match(orders?.summary ?? '', /^0 rows · never read$/);
    assert.match(tradeMap?.summary ?? '', /^30 rows · /);
    assert.ok((tradeMap?.months.length ?? 0) >= 3);
    panel.dispose();
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

const hourMs = 3_600_000;

/** An hour apart, the newest an hour old. */
function trades(firstId: number, now: number) {
  const newest = Math.floor(now / hourMs) * hourMs - hourMs;
  const spacingMs = 70 * hourMs;
  return Array.from({ length: 30 }, (_, index) =>
    aTrade({ tradeId: String(firstId + 29 - index), time: String(newest - index * spacingMs) }),
  );
}

function pageOf(url: string, all: ReturnType<typeof trades>): string {
  const query = new URL(url, 'http://localhost').searchParams;
  const from = Number(query.get('dateFrom') ?? 0);
  const to = Number(query.get('dateTo') ?? Infinity);
  const [page, size] = [Number(query.get('page') ?? 0), Number(query.get('size') ?? 100)];
  const own = all.filter(({ time }) => Number(time) >= from && Number(time) <= to);
  const content = own.slice(page * size, (page + 1) * size);
  return `{"content":${wire(content)},"totalElements":${own.length}}`;
}

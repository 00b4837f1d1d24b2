import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands } from '../../src/host/shared/contributions.ts';
import { eventually } from '../support/eventually.ts';
import { metaOf } from '../support/testExporter.ts';
import { activatedExtension, openAt } from '../support/extensionUnderTest.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { minuteLimit, type HostileExchangeOptions } from '../support/hostileExchange/options.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';
import { parseCsv } from '../support/parseCsv.ts';
import { folderOfEachTest } from '../support/project.ts';
import { scriptedInput } from '../support/scriptedInput.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';
import { scriptedProgress } from '../support/scriptedProgress.ts';

describe('export all', () => {
  const exchange = exchangesOfEachTest();
  const messages = scriptedMessages();
  const input = scriptedInput();
  const progress = scriptedProgress();
  const access = activatedExtension();
  afterEach(() => access.app.connection.close());
  const folder = folderOfEachTest();

  const file = () => path.join(folder.path, 'trades.csv');
  const run = async (): Promise<void> => {
    await vscode.commands.executeCommand(commands.exportTable);
  };
  const texts = () => messages.shown.map(({ text }) => text);

  /** Opens an account with 600 trades that come 50 a page. */
  async function openBusy(options: Partial<HostileExchangeOptions> = {}) {
    const server = await exchange({
      // None stands on a whole second, where one more is answered than was asked for.
      rows: { trades: rowsOf('trades', 600, { newestAt: 1_700_000_000_123 }) },
      reading: { maxPageSize: 50 },
      rateLimits: minuteLimit(1_000_000),
      ...options,
    });
    await openAt(access, server.url);
    return server;
  }

  /** Answers every question of an export of all trades to `file`. */
  function answerAll(): void {
    input.answers.push('Trade History', 'CSV', file());
  }

  /** Presses Cancel, once, when this many rows are there. */
  function cancelAt(rows: number): void {
    progress.onReport = () => {
      if (Number.parseInt(progress.messages.at(-1) ?? '', 10) < rows) return;
      progress.onReport = () => undefined;
      progress.cancel();
    };
  }

  it('asks for history, format and file, then shows its progress and its result', async () => {
    await openBusy();
    answerAll();
    await run();
    assert.deepEqual(
      input.asked.map(({ kind, title }) => `${kind}: ${title}`),
      [
        'pick: Export History',
        'pick: Export trades · all days',
        'save: Export of the trade history of TEST · Mine',
      ],
    );
    const [, , dialog] = input.asked;
    assert.match(path.basename(dialog?.value ?? ''), /^trades-Mine-until-\d{8}T\d{6}Z\.csv$/);
    assert.deepEqual(progress.titles, ['Exporting the trade history of TEST · Mine']);
    assert.ok(progress.messages.some((text) => /^\d+ rows · weight \d+ · .* left$/.test(text)));
    assert.equal(parseCsv(await readFile(file(), 'utf8')).length, 601);
    await eventually('the report', () => texts().length);
    assert.deepEqual(texts(), [
      'Exported all 600 matching rows of the trade history of TEST · Mine to trades.csv.',
    ]);
    assert.equal(messages.shown[0]?.severity, 'information');
    assert.equal(messages.shown[0].buttons[0], 'Open File');
    assert.equal((await metaOf(file())).environment, 'TEST');
  });

  it('writes a new folder of Parquet files, and none into one that exists', async () => {
    await openBusy();
    const parts = path.join(folder.path, 'parts');
    const answers = ['Trade History', 'Parquet by Month', parts];
    input.answers.push(...answers);
    await run();
    await eventually('the report', () => texts().length);
    assert.deepEqual(texts(), [
      'Exported all 600 matching rows of the trade history of TEST · Mine to parts.',
    ]);
    const month = path.join(parts, 'account=Mine', 'operation=trades', 'month=2023-11');
    assert.ok(existsSync(path.join(month, 'rows.parquet')));
    input.answers.push(...answers);
    await run();
    await eventually('the refusal', () => texts().length === 2);
    assert.match(texts()[1] ?? '', /^Nothing was exported: “parts” already exists\./);
  });

  for (const given of [[], ['Trade History'], ['Trade History', 'CSV']]) {
    it(`does nothing when cancelled after ${given.length} answers`, async () => {
      const server = await openBusy();
      input.answers.push(...given);
      await run();
      assert.deepEqual([progress.titles, messages.shown], [[], []]);
      assert.equal(server.seen('trades').length, 0);
    });
  }

  it('goes on by itself in another format, and says until when its rows are', async () => {
    await openBusy();
    input.answers.push('Trade History', 'JSON', `${file()}.json`);
    cancelAt(240);
    await run();
    assert.equal(existsSync(`${file()}.json`), false);
    answerAll();
    await run();
    assert.match(
      input.asked.at(-1)?.title ?? '',
      /^Unfinished export of the trade history of TEST · Mine until \d/,
    );
    assert.equal(parseCsv(await readFile(file(), 'utf8')).length, 601);
    answerAll();
    await run();
    assert.match(input.asked.at(-1)?.title ?? '', /^Export of/, 'nothing is left to resume');
  });

  it('says why it failed, saves the rows, and Resume asks nothing again', async () => {
    const fault = { kind: 'status', status: 400 } as const;
    await openBusy({ faults: [{ on: 'trades', from: 6, times: 1, fault }] });
    answerAll();
    messages.answers.push('Resume');
    await run();
    await eventually('the file', () => texts().length === 2);
    const [failure, end] = messages.shown;
    assert.match(
      failure?.text ?? '',
      /^Could not read the trade history: the exchange refused the request \(HTTP 400/,
    );
    assert.match(failure?.text ?? '', /\d+ rows saved for 24 hours/);
    assert.match(end?.text ?? '', /^Exported all 600 matching rows/);
    assert.equal(input.asked.length, 3);
    assert.equal(parseCsv(await readFile(file(), 'utf8')).length, 601);
  });

  it('can be resumed after another account was opened', async () => {
    const other = await exchange();
    await openBusy();
    answerAll();
    let switching: Promise<unknown> | undefined;
    progress.onReport = () => {
      if (!progress.messages.at(-1)?.startsWith('0 rows'))
        switching ??= openAt(access, other.url, { name: 'Other' });
    };
    await run();
    await switching;
    assert.match(texts()[0] ?? '', /cancelled\. \d+ rows saved for 24 hours/);
    assert.equal(existsSync(file()), false);
  });
});

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { exportFormats } from '../../src/account/export/exportFormats.ts';
import type { HistoryName } from '../../src/api/operations.ts';
import type { HistorySelection } from '../../src/exchange/history/records.ts';
import { fetchers, type Fetch } from '../../src/exchange/http/fetch.ts';
import { serveExchange } from '../../src/practice/http/practiceServer.ts';
import { runToEnd } from '../support/childProcess.ts';
import { ensureOnDebian } from '../support/debian.ts';
import { clientFor, type Target } from '../support/exchangeClient.ts';
import { TestExporter } from '../support/testExporter.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { hostileExchange } from '../support/hostileExchange.ts';
import { practiceStart } from '../support/practiceTime.ts';
import { temporaryFolder } from '../support/project.ts';
import { script } from '../support/script.ts';
import { statsOf, writeStats } from '../support/testTotals.ts';
import { writeAnalyses } from './analysedWorlds.ts';
import { awkwardRows } from './awkwardRows.ts';
import { writePositionBooks } from './positionBooks.ts';

const now = Date.parse(practiceStart);

const histories: readonly HistorySelection[] = [
  { operation: 'orders', filters: {} },
  { operation: 'trades', filters: {} },
  { operation: 'lots', filters: {} },
  { operation: 'transactions', filters: { accountType: 'FUTURE' } },
];

/**
 * Exports rows in every form and has Python read them beside what the wire had, and has it compute what the
 * analysis of a ledger says.
 */
await script(async () => {
  await ensureOnDebian('python3', 'python3');
  const scratch = await temporaryFolder();
  try {
    const exports = path.join(scratch.path, 'exports');
    const analyses = path.join(scratch.path, 'analyses');
    await exportAwkward(path.join(exports, 'awkward'));
    await exportPractice(path.join(exports, 'practice'));
    await writeAnalyses(analyses);
    const books = path.join(scratch.path, 'books');
    await writePositionBooks(books);
    const reader = path.join(import.meta.dirname, 'read.py');
    const { code, output } = await runToEnd('python3', [reader, exports, analyses, books]);
    process.stdout.write(output);
    const lines = output.split('\n');
    const [passed, failed] = ['  ok ', '  FAILED '].map((begin) =>
      lines.filter((line) => line.startsWith(begin)),
    );
    writeStats(statsOf(passed?.length ?? 0, failed ?? []));
    return code;
  } finally {
    await scratch.remove();
  }
});

async function exportAwkward(folder: string): Promise<void> {
  const rows = Object.fromEntries(
    histories.map(({ operation }) => [operation, awkwardRows(operation)]),
  );
  const exchange = await hostileExchange({ rows });
  try {
    await exportAll(folder, exchange, new FakeClock(now));
  } finally {
    await exchange.close();
  }
}

/** Its time stands still, so that every form is made of the same rows. */
async function exportPractice(folder: string): Promise<void> {
  const clock = new FakeClock(now);
  const exchange = await serveExchange({ seed: 1, weightLimit: 1_000_000, clock });
  try {
    await exportAll(folder, exchange, clock);
  } finally {
    await exchange.close();
  }
}

/** Every history in every form, and beside them the answers that they were made of. */
async function exportAll(folder: string, exchange: Target, clock: FakeClock): Promise<void> {
  for (const request of histories) {
    const wire = path.join(folder, request.operation, 'wire');
    await mkdir(wire, { recursive: true });
    const client = clientFor(exchange, { clock, fetch: recording(wire, request.operation) });
    const exporter = new TestExporter(path.dirname(wire), clock);
    for (const format of exportFormats)
      await exporter.export(client, request, { format, name: `rows.${format}` });
  }
}

/** Fetches as ever, and keeps every answer of a history as a file, byte for byte. */
function recording(folder: string, operation: HistoryName): Fetch {
  let count = 0;
  return async (url, request) => {
    const answer = await fetchers['node-fetch'](url, request);
    if (!url.includes('/history') || answer.body === null) return answer;
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    await writeFile(path.join(folder, `${operation}-${(count += 1)}.json`), bytes);
    const { status, headers } = answer;
    return { status, headers, body: new Blob([bytes]).stream() };
  };
}

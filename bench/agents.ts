import { execFile } from 'node:child_process';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Grants } from '../src/agents/grants.ts';
import { AgentService } from '../src/agents/service.ts';
import type { LedgerClient } from '../src/ledger/ledgerClient.ts';
import { Ledgers } from '../src/ledger/ledgers.ts';
import { projectRoot, temporaryFolder } from '../test/support/project.ts';
import { medianTimeOf, percentile, timeOf, type Figure } from './figures.ts';
import { beginWalk, tradesFrom } from './ledger.ts';
import { sizes } from './sizes.ts';

const run = promisify(execFile);

type Question = readonly [tool: string, asked: object];

const lookups: readonly Question[] = [
  ['get_coverage', {}],
  ['find_records', { history: 'trades' }],
  ['find_records', { history: 'trades', symbol: 'btc_usdt', limit: 200 }],
  ['find_records', { history: 'trades', side: 'SELL', symbol: 'eth_usdt' }],
  ['find_records', { history: 'trades', side: 'SELL', orderId: '1' }],
  ['explain_order', { id: '49990000' }],
];
const summaries = (['realizedPl', 'fees', 'cash'] as const).map((view): Question => {
  return ['summarize', { view, groupBy: 'day', splitBy: view === 'cash' ? 'asset' : 'symbol' }];
});
const pageSize = 500;
/** As often as pages of weight 10 can come within 1,000 a minute. */
const pauseMs = 600;

/** What agents wait for over many trades, and what a window that writes waits for them, beside a scan by SQLite. */
export async function agentFigures(): Promise<Figure[]> {
  const folder = await temporaryFolder();
  const workerFile = path.join(projectRoot, 'dist/ledgerWorker.cjs');
  const ledgers = new Ledgers({ folder: folder.path, workerFile });
  const id = ledgers.create();
  const ledger = path.join(folder.path, `${id}.sqlite`);
  const writer = ledgers.open(id);
  const grants = new Grants(path.join(folder.path, 'agents'));
  const allowed = { account: 'Bench', environment: 'practice', ledger } as const;
  grants.put({ ...allowed, amounts: 'shown', lasts: 'always' }, 'bench');
  const service = new AgentService(grants, workerFile);
  const ask = ([tool, asked]: Question): Promise<object> =>
    service.answer(tool, { account: 'Bench', ...asked });
  try {
    await store(writer, sizes.agentTrades);
    // 100 ms where nothing else runs: what is looked up may take 200 ms, a sum 3 s, and a write 250 ms.
    const scanMs = await medianTimeOf(3, () => scan(ledger));
    const figure = (name: string, value: number, timesPeer: number): Figure => ({
      ...{ name, unit: 'ms', value, peers: { 'a scan by SQLite': scanMs }, bar: { timesPeer } },
    });
    const times = async (questions: readonly Question[]): Promise<number[]> => {
      const taken: number[] = [];
      for (let turn = 0; turn < sizes.turns; turn += 1)
        for (const question of questions) taken.push(await timeOf(() => ask(question)));
      return taken;
    };
    const alone = [await times(lookups), await times(summaries)] as const;
    const stop = new AbortController();
    const writing = writePages(writer, stop.signal);
    const meanwhile = [await times(lookups), await times(summaries)] as const;
    stop.abort();
    const waits = await writing;
    return [
      await startFigure(path.join(folder.path, 'agents')),
      figure('an agent finds, explains, asks for coverage, p90', percentile(alone[0], 0.9), 2),
      figure('the same while rows are written', percentile(meanwhile[0], 0.9), 2),
      figure('the longest sum', Math.max(...alone[1]), 30),
      figure('the same while rows are written', Math.max(...meanwhile[1]), 30),
      figure('the longest write of a page meanwhile', Math.max(...waits), 2.5),
    ];
  } finally {
    await service.close();
    await writer.close();
    await folder.remove();
  }
}

async function store(writer: LedgerClient, count: number): Promise<void> {
  const { id } = await beginWalk(writer, 'download');
  for (let first = 0; first < count; first += 5000)
    await writer.saveStep(id, tradesFrom(first), first);
  await writer.endWalk(id, { completeness: 'complete', reason: null });
}

/** The times of pages of 500 trades, as an exchange has them. */
async function writePages(writer: LedgerClient, signal: AbortSignal): Promise<number[]> {
  const { id } = await beginWalk(writer, 'current');
  const taken: number[] = [];
  for (let first = sizes.agentTrades; !signal.aborted; first += pageSize) {
    const page = tradesFrom(first).slice(0, pageSize);
    taken.push(await timeOf(() => writer.saveStep(id, page, first)));
    await setTimeout(pauseMs);
  }
  return taken;
}

function scan(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  database.prepare("SELECT count(*) FROM trades WHERE symbol = 'nothing'").get();
  database.close();
}

/** Beside a Node that does nothing. */
async function startFigure(grants: string): Promise<Figure> {
  const dist = (name: string): string => path.join(projectRoot, 'dist', name);
  const args = [dist('ledgerServer.cjs'), grants, dist('ledgerWorker.cjs'), '1'];
  const start = async (): Promise<void> => {
    const client = new Client({ name: 'bench', version: '1' });
    const flags = ['--disallow-code-generation-from-strings'];
    const command = { command: process.execPath, args: [...flags, ...args] };
    await client.connect(new StdioClientTransport(command));
    await client.close();
  };
  const value = await medianTimeOf(5, start);
  const peers = {
    'a start of Node': await medianTimeOf(5, () => run(process.execPath, ['-e', '0'])),
  };
  return { name: 'the server is ready', unit: 'ms', value, peers, bar: { timesPeer: 7 } };
}

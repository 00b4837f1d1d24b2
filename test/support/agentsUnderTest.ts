import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { Grants, type Grant } from '../../src/agents/grants.ts';
import { AgentService, accountTools } from '../../src/agents/service.ts';
import type { LedgerCalls } from '../../src/ledger/storedLedger.ts';
import { writeLedger, type LedgerContent } from './analysedLedger.ts';
import { ledgerInThisThread, ledgerWorkerFile } from './ledgerUnderTest.ts';
import { practiceLedger } from './practiceLedger.ts';
import { folderOfEachTest } from './project.ts';

export const practiceDays = { from: Date.UTC(2026, 9, 1), to: Date.UTC(2026, 9, 11) } as const;

let practice: LedgerContent | undefined;
/** Its ledger as it is in a file, once one was written. */
let practiceFile: Buffer | undefined;

/** Ten days of the practice account, all of them read completely, with the fee table. */
export const practiceContent = (): LedgerContent => (practice ??= newPracticeContent());

function newPracticeContent(): LedgerContent {
  const { checkpoints, records } = practiceLedger(1, practiceDays, 3_600_000);
  const table = [{ tier: '0', maker: '-0.0001', taker: '0.0005' }];
  const fees = { tier: '0', discount: '0', rates: table[0] ?? null, table };
  return { checkpoints: checkpoints.map((each) => ({ ...each, fees })), records };
}

function ledgerOfPractice(file: string): LedgerCalls {
  if (!practiceFile) {
    writeLedger(file, practiceContent()).close();
    practiceFile = readFileSync(file);
  }
  writeFileSync(file, practiceFile);
  return ledgerInThisThread({ file });
}

export type AgentsUnderTest = {
  readonly folder: string;
  readonly grants: Grants;
  readonly service: AgentService;
  ledger(content: LedgerContent, grant?: Partial<Grant>): LedgerCalls;
  /** The rows of all answers that a cursor continues. */
  askAll(tool: string, question: object): Promise<PracticeAnswer['rows']>;
  ask<Answer = PracticeAnswer>(tool: string, question?: object): Promise<Answer>;
};

/** What tests look at in an answer. */
export type PracticeAnswer = {
  readonly account: string;
  readonly coverage: {
    readonly isComplete: boolean;
    readonly completeTo: string | null;
    readonly rowsWithoutTime: number;
    readonly rowsLackingFigures: number;
    readonly gaps: readonly object[];
  };
  readonly truncated: boolean;
  readonly cursor: string | null;
  readonly evidence: readonly { readonly history: string; readonly id: string }[];
  readonly rows: readonly Readonly<Record<string, string | number | boolean | null>>[];
  readonly [fact: string]: unknown;
};

/** Called in a `describe`: each test has grants, ledgers and a service of its own. */
export function agentsOfEachTest(): AgentsUnderTest {
  const folder = folderOfEachTest();
  let service: AgentService | undefined;
  const ledgers: LedgerCalls[] = [];
  afterEach(async () => {
    await service?.close();
    service = undefined;
    for (const ledger of ledgers.splice(0)) ledger.close();
  });
  const grantsFolder = (): string => path.join(folder.path, 'agents');
  const own = {
    get folder() {
      return folder.path;
    },
    get grants() {
      return new Grants(grantsFolder());
    },
    get service() {
      service ??= new AgentService(own.grants, ledgerWorkerFile);
      return service;
    },
    ledger: (content: LedgerContent, grant: Partial<Grant> = {}): LedgerCalls => {
      const file = path.join(folder.path, `${crypto.randomUUID()}.sqlite`);
      const ledger = content === practice ? ledgerOfPractice(file) : writeLedger(file, content);
      ledgers.push(ledger);
      const base = { account: 'Practice', environment: 'practice', lasts: 'always' } as const;
      own.grants.put({ ...base, ledger: file, amounts: 'shown', ...grant }, 'window');
      return ledger;
    },
    askAll: async (tool: string, question: object) => {
      const rows: PracticeAnswer['rows'][number][] = [];
      let cursor: string | null | undefined;
      do {
        const answer: PracticeAnswer = await own.ask(tool, {
          ...question,
          ...(cursor && { cursor }),
        });
        if (answer.truncated !== (answer.cursor !== null)) throw new Error('No cursor.');
        rows.push(...answer.rows);
        ({ cursor } = answer);
      } while (cursor !== null);
      return rows;
    },
    ask: async <Answer>(tool: string, question: object = {}): Promise<Answer> => {
      const answer = await own.service.answer(tool, { account: 'Practice', ...question });
      const { output } = accountTools.find(({ name }) => name === tool) ?? {};
      if (output) v.assert(output, answer);
      if (JSON.stringify(answer).length > 20_000) throw new Error('The answer is too long.');
      return answer as Answer;
    },
  };
  return own;
}

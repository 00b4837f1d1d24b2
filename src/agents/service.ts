import * as fs from 'node:fs';
import { LedgerClient } from '../ledger/ledgerClient.ts';
import { LedgerError } from '../ledger/ledgerError.ts';
import type { RowPlace } from '../ledger/ledger.ts';
import { readArguments, refuse, Refusal } from './arguments.ts';
import { checkAccount } from './checkTools.ts';
import { summarize } from './figureTools.ts';
import type { Grant, Grants } from './grants.ts';
import { explainOrder, findRecords, getCoverage } from './recordTools.ts';
import { shown } from './shown.ts';
import { getAccount, getRules, listPositions } from './stateTools.ts';
import { mostEvidence, type Found, type Tool } from './tool.ts';

/** The questions about one account. None of them writes, or asks an exchange. */
export const accountTools: readonly Tool[] = [
  ...[getCoverage, getAccount, findRecords, summarize],
  ...[listPositions, explainOrder, checkAccount, getRules],
];

/** Longer answers are cut, with a cursor; there is room for that. */
const mostCharacters = 19_900;
const mostCursors = 100;

/** What an answer goes on with: the rest of what was found, which is not computed again, or where to read on. */
type Rest = Found | RowPlace;

type Answer = { readonly value: object; readonly rows: number };

/** Answers the questions of an agent from the ledgers that a person allowed, and notes each of them. */
export class AgentService {
  private readonly grants: Grants;
  private readonly workerFile: string;
  private readonly open = new Map<string, LedgerClient>();
  private readonly cursors = new Map<string, { readonly question: string; readonly rest: Rest }>();

  /** With the worker of ledgers. */
  constructor(grants: Grants, workerFile: string) {
    this.grants = grants;
    this.workerFile = workerFile;
  }

  /** Rejects with a Refusal. */
  async answer(tool: string, given: unknown): Promise<object> {
    try {
      const { value, rows } = await this.answerOf(tool, given);
      this.grants.note(tool, given, `${rows} rows`);
      return value;
    } catch (error) {
      const refusal = refusalOf(error);
      this.grants.note(tool, given, refusal.code);
      throw refusal;
    }
  }

  /** Closes the ledgers, but those of these grants. */
  async close(kept: readonly Grant[] = []): Promise<void> {
    for (const [file, client] of this.open) {
      if (kept.some(({ ledger }) => ledger === file)) continue;
      this.open.delete(file);
      await client.close();
    }
  }

  private async answerOf(tool: string, given: unknown): Promise<Answer> {
    const asked = accountTools.find(({ name }) => name === tool);
    if (!asked) return this.accounts(given);
    const { account, cursor, ...own } = readArguments(asked.input, given) as {
      readonly account: string;
      readonly cursor?: string;
    };
    const grant = this.grantOf(account);
    const reader = this.ledgerOf(grant);
    // Rejects if the ledger is gone.
    await reader.versions();
    const ledger = [grant.ledger, fileIdentity(grant.ledger)];
    const question = JSON.stringify([tool, ledger, grant.environment, account, own]);
    const rest = cursor === undefined ? null : this.restOf(cursor, question);
    const isFound = rest !== null && 'rows' in rest;
    const found = isFound ? rest : await asked.find({ reader, now: Date.now() }, own, rest);
    const answer = await fitted(grant, found, (next) => this.cursorTo(question, next));
    // It may have been revoked, or hidden, while it was read.
    if (JSON.stringify(this.grantOf(account)) !== JSON.stringify(grant))
      throw new Refusal('notAllowed', 'What agents may read has changed. Ask again.');
    return answer;
  }

  private cursorTo(question: string, rest: Rest): string {
    const [oldest = ''] = this.cursors.size >= mostCursors ? this.cursors.keys() : [];
    this.cursors.delete(oldest);
    const cursor: string = crypto.randomUUID();
    this.cursors.set(cursor, { question, rest });
    return cursor;
  }

  private restOf(cursor: string, question: string): Rest {
    const known = this.cursors.get(cursor);
    if (known?.question === question) return known.rest;
    return refuse('cursor', 'of this session and these arguments');
  }

  private accounts(given: unknown): Answer {
    readArguments({}, given);
    const accounts = this.grants.read().map(({ ledger: _file, ...grant }) => {
      return { ...grant, environment: grant.environment.toUpperCase() };
    });
    return { value: { accounts }, rows: accounts.length };
  }

  private grantOf(account: string): Grant {
    const grant = this.grants.read().find((each) => each.account === account);
    if (grant) return grant;
    const text = 'account: not one that agents may read now. Ask list_accounts.';
    throw new Refusal('notAllowed', text, 'account');
  }

  private ledgerOf({ ledger: file }: Grant): LedgerClient {
    const { workerFile } = this;
    const client = this.open.get(file) ?? new LedgerClient({ workerFile, file, readOnly: true });
    this.open.set(file, client);
    return client;
  }
}

/** A file that is deleted and replaced may get the number of the old one. */
function fileIdentity(file: string): string {
  const stats = fs.statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.birthtimeNs}` : '';
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof LedgerError && error.problem === 'missing')
    return new Refusal('noLedger', 'This account has no ledger now.');
  return new Refusal('unavailable', 'The ledger could not be read. Try again later.');
}

/** As many rows as an answer has room for. */
async function fitted(
  { account, environment, amounts }: Grant,
  found: Found,
  cursorTo: (rest: Rest) => string,
): Promise<Answer> {
  const { known, facts, evidence = [], rows, placeAfter } = found;
  const head = { account, environment: environment.toUpperCase(), ...known, ...facts };
  const different = new Map(evidence.map((each) => [JSON.stringify(each), each]));
  const own = { ...head, evidence: [...different.values()].slice(0, mostEvidence), rows };
  const { rows: shownRows, ...begin } = shown(own, amounts === 'hidden') as {
    readonly rows: readonly object[];
  };
  let room = mostCharacters - JSON.stringify(begin).length;
  const fits = shownRows.findIndex((row) => (room -= JSON.stringify(row).length + 1) < 0);
  if (fits === 0) throw new Refusal('unavailable', 'Too long for an answer: ask find_records.');
  const count = fits < 0 ? rows.length : fits;
  const left = rows.slice(count);
  const next = placeAfter
    ? await placeAfter(count)
    : left.length > 0
      ? { ...found, rows: left }
      : null;
  const end = { truncated: next !== null, cursor: next === null ? null : cursorTo(next) };
  return { value: { ...begin, ...end, rows: shownRows.slice(0, count) }, rows: count };
}

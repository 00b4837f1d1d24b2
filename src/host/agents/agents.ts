import * as v from 'valibot';
import * as vscode from 'vscode';
import {
  argument,
  periodOf,
  placeOf,
  readArguments,
  recordAsks,
  refusePeriod,
  type Asked,
} from '../../agents/arguments.ts';
import { UserFacingError } from '../../base/errors.ts';
import { isAlways } from '../../base/interval.ts';
import { recordsOf } from '../../ledger/relatedRecords.ts';
import type { AnalysisChoices } from '../analysis/choices.ts';
import type { FeatureContext } from '../feature/context.ts';
import { storedRow, type StoredRows } from '../reconciliation/storedRows.ts';
import { commands, languageModelTools, mcpProvider } from '../shared/contributions.ts';
import { t } from '../shared/translate.ts';
import { AgentAccess, type AgentNeeds } from './agentAccess.ts';

type Needs = AgentNeeds & {
  readonly showStored: (rows: StoredRows) => void;
  readonly showAnalysis: (choices: Partial<AnalysisChoices>) => void;
};

/** What agents can ask, in this window and outside of it. */
export function registerAgents(context: FeatureContext, needs: Needs) {
  const access = context.add(new AgentAccess(context, needs));
  const servers = () => serverDefinitions(context, access);
  // A fork of VS Code may have none of them.
  const { lm } = vscode as Partial<typeof vscode>;
  if (lm && 'registerMcpServerDefinitionProvider' in lm)
    context.add(
      lm.registerMcpServerDefinitionProvider(mcpProvider, {
        onDidChangeMcpServerDefinitions: access.onDidChange,
        provideMcpServerDefinitions: servers,
        resolveMcpServerDefinition: () => servers()[0],
      }),
    );
  if (lm && 'registerTool' in lm) registerTools(context, access, needs);
  return {
    servers,
    commands: {
      [commands.allowAgents]: () => access.allow(),
      [commands.revokeAgents]: () => access.revoke(),
      [commands.showAgentLog]: () => showLog(access),
      [commands.copyAgentConfiguration]: () => copyConfiguration(context, access),
    },
  };
}

/** How the server is started, in VS Code and elsewhere: by the Node of this VS Code. */
function serverOf({ file, storageFolder, version }: FeatureContext) {
  return {
    command: process.execPath,
    // Nothing that it loads may make code of a text.
    args: [
      ...['--disallow-code-generation-from-strings', '--disable-warning=ExperimentalWarning'],
      ...[file('dist/ledgerServer.cjs'), storageFolder('agents'), file('dist/ledgerWorker.cjs')],
      version,
    ],
    env: { ELECTRON_RUN_AS_NODE: '1' },
  };
}

/** What VS Code starts when an agent needs it; nothing while nothing is allowed. */
function serverDefinitions(context: FeatureContext, access: AgentAccess) {
  if (access.accounts.length === 0) return [];
  const { command, args, env } = serverOf(context);
  const label = t('Margin Desk Ledger');
  return [new vscode.McpStdioServerDefinition(label, command, args, env, context.version)];
}

async function copyConfiguration(context: FeatureContext, access: AgentAccess): Promise<void> {
  if (access.accounts.length === 0)
    throw new UserFacingError(t('Run Allow Agents… first: no agent may read an account.'));
  const { command, args, env } = serverOf(context);
  const servers = { mcpServers: { 'margin-desk': { command, args, env } } };
  await vscode.env.clipboard.writeText(JSON.stringify(servers, undefined, 2));
  void vscode.window.showInformationMessage(
    t('The configuration was copied. Copy it again after each update of Margin Desk.'),
  );
}

async function showLog({ grants }: AgentAccess): Promise<void> {
  const log = vscode.Uri.file(grants.logFile);
  try {
    await vscode.window.showTextDocument(log, { preview: true });
  } catch {
    throw new UserFacingError(t('No agent has asked anything yet.'));
  }
}

const pagesOfPeriods = ['analysis', 'positions'] as const;
const pageAsks = {
  page: v.picklist([...pagesOfPeriods, 'reconciliation']),
  ...{ from: argument.from, to: argument.to },
};

/** What needs this window: they open what a person can then see, and return no figure. */
function registerTools(context: FeatureContext, access: AgentAccess, needs: Needs): void {
  const add = <Entries extends v.ObjectEntries>(
    name: string,
    asks: Entries,
    open: (asked: Asked<Entries>) => Promise<object>,
  ): void => {
    const invoke = async ({ input }: { readonly input: unknown }) => {
      let outcome = 'refused';
      try {
        assertAllowed(context, access);
        const opened = await open(readArguments(asks, input));
        outcome = 'opened';
        return new vscode.LanguageModelToolResult([
          new vscode.LanguageModelTextPart(JSON.stringify({ opened })),
        ]);
      } finally {
        access.grants.note(name, input, outcome);
      }
    };
    context.add(vscode.lm.registerTool(name, { invoke }));
  };
  add(languageModelTools.showRecord, recordAsks, (asked) => showRecord(asked, needs));
  add(languageModelTools.openPage, pageAsks, (asked) => openPage(asked, needs));
}

/** Only the account of this window can be shown. */
function assertAllowed({ active: { state } }: FeatureContext, { accounts }: AgentAccess): void {
  const open = state.kind === 'open' ? state.session.profile.name : undefined;
  if (!accounts.some(({ account }) => account === open))
    throw new Error('Agents may not read the account that is open in this window.');
}

async function showRecord(
  asked: Asked<typeof recordAsks>,
  { ledger: { current }, showStored }: Needs,
): Promise<object> {
  const { id } = asked;
  const place = current ? await placeOf(asked, current.reader) : undefined;
  const [record] = current && place ? await recordsOf({ id, place }, current.reader) : [];
  if (!record) throw new Error('The ledger of the open account has no record with this id.');
  showStored(storedRow(record));
  return { page: record.history, ids: [id] };
}

async function openPage(
  { page, ...ends }: Asked<typeof pageAsks>,
  { showAnalysis }: Needs,
): Promise<object> {
  if (page === 'reconciliation') {
    refusePeriod(ends, pagesOfPeriods.join(', '));
    await vscode.commands.executeCommand(commands.openReconciliation);
  } else {
    const period = isAlways(periodOf(ends)) ? '' : `${ends.from ?? ''}/${ends.to ?? ''}`;
    showAnalysis({ period, view: page === 'positions' ? page : 'summary' });
  }
  return { page, ids: [] };
}

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as vscode from 'vscode';
import { Grants } from '../../src/agents/grants.ts';
import { commands, languageModelTools } from '../../src/host/shared/contributions.ts';
import { anOrder } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { activatedExtension, inPrivacy } from '../support/extensionUnderTest.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';
import { fakePanels } from '../support/shownReceipts.ts';
import { writeUserSetting } from '../support/userSetting.ts';

const order = anOrder({ orderId: '81763632800123' });

type ServerOfAgents = { readonly command: string; readonly args: string[] };

describe('agents', () => {
  const panels = fakePanels();
  const messages = scriptedMessages();
  const access = activatedExtension();
  const run = (command: string): Thenable<unknown> => vscode.commands.executeCommand(command);
  const servers = () => access.app.agents.servers();
  const grantsFolder = (): string => servers()[0]?.args.at(3) ?? assert.fail('no server');
  const hasTool = (): boolean =>
    vscode.lm.tools.some(({ name }) => name === languageModelTools.showRecord);

  beforeEach(async () => {
    await writeUserSetting('marginDesk.ledger.keepCurrent', false);
    await run(commands.tryPractice);
    const ledger = await eventually('the ledger', () => access.app.ledger.shown.current);
    await ledger.writer.storeRows('orders', [order], Date.now());
  });
  afterEach(async () => {
    await run(commands.revokeAgents);
    for (const key of ['marginDesk.agents', 'marginDesk.ledger.keepCurrent'] as const)
      await writeUserSetting(key, undefined);
    await access.app.connection.close();
    await access.app.ledger.profileLedgers.removeOfProfile('Practice');
  });

  async function allow(answer: string): Promise<void> {
    messages.answers.push(answer);
    await run(commands.allowAgents);
  }

  /** As VS Code starts it. */
  async function connected(
    work: (client: Client) => Promise<void>,
    [server]: readonly ServerOfAgents[] = servers(),
  ): Promise<void> {
    assert.ok(server);
    const { command, args } = server;
    const client = new Client({ name: 'test', version: '1' });
    const env = { ELECTRON_RUN_AS_NODE: '1' };
    await client.connect(new StdioClientTransport({ command, args, env }));
    try {
      await work(client);
    } finally {
      await client.close();
    }
  }
  async function findOrder(client: Client): Promise<string> {
    const asked = { account: 'Practice', history: 'orders' };
    const answer = await client.callTool({ name: 'find_records', arguments: asked });
    return JSON.stringify(answer.structuredContent ?? answer.content);
  }

  it('can read an account once a person allowed it, and no longer after one press', async () => {
    assert.deepEqual(servers(), []);
    for (const refusal of ['', 'Do Not Allow']) {
      await allow(refusal);
      assert.deepEqual(servers(), []);
    }
    await allow('Allow While This Window Is Open');
    const [{ text, modal, detail, buttons } = assert.fail()] = messages.shown;
    assert.deepEqual([text, modal], ['Allow agents to read Practice?', true]);
    assert.match(detail, /sent to the provider of its model/);
    // The first one has the focus.
    const [refuse, ...allowing] = ['Do Not Allow', 'Allow While This Window Is Open', 'Always'];
    assert.deepEqual(buttons, [refuse, ...allowing, refuse]);
    await connected(async (client) => {
      assert.match(await findOrder(client), new RegExp(order.orderId));
      await inPrivacy(access, async () => {
        assert.match(await findOrder(client), /"amount":"hidden"/);
      });
      await run(commands.revokeAgents);
      assert.match(await findOrder(client), /notAllowed/);
    });
    assert.deepEqual(servers(), []);
  });

  it('ends with its setting, and with another answer', async () => {
    for (const end of [
      () => writeUserSetting('marginDesk.agents', false),
      () => allow('Do Not Allow'),
    ]) {
      await allow('Always');
      assert.equal(servers().length, 1);
      await end();
      await eventually('the end', () => servers().length === 0);
    }
  });

  it('ends once the account has another ledger', async () => {
    await allow('Always');
    assert.equal(servers().length, 1);
    await access.app.connection.close();
    await access.app.ledger.profileLedgers.removeOfProfile('Practice');
    await run(commands.tryPractice);
    await eventually('another ledger', () => access.app.ledger.shown.current);
    await eventually('no access', () => servers().length === 0);
  });

  it('show a row of the open account in place of describing it', async () => {
    await allow('Always');
    await eventually('the tool', hasTool);
    const input = { id: order.orderId };
    const invoke = () =>
      vscode.lm.invokeTool(languageModelTools.showRecord, {
        input,
        toolInvocationToken: undefined,
      });
    const { content } = await invoke();
    const [part] = content as vscode.LanguageModelTextPart[];
    assert.deepEqual(JSON.parse(part?.value ?? ''), {
      opened: { page: 'orders', ids: [order.orderId] },
    });
    const panel = await eventually('a panel', () => panels.at(-1));
    assert.match(panel.title, /^Order History/);
    await run(commands.revokeAgents);
    await assert.rejects(async () => invoke());
  });

  it('open a page of a period, and are told which', async () => {
    const open = async (input: object): Promise<unknown> => {
      const options = { input, toolInvocationToken: undefined };
      const { content } = await vscode.lm.invokeTool(languageModelTools.openPage, options);
      const [part] = content as vscode.LanguageModelTextPart[];
      return JSON.parse(part?.value ?? '');
    };
    await assert.rejects(open({ page: 'analysis' }));
    await allow('Always');
    const period = { from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z' };
    for (const page of ['analysis', 'positions']) {
      assert.deepEqual(await open({ page, ...period }), { opened: { page, ids: [] } });
      const panel = await eventually('a panel', () => panels.at(-1));
      assert.match(panel.title, /^Analysis/);
    }
    const reconciliation = { page: 'reconciliation', ids: [] };
    assert.deepEqual(await open({ page: 'reconciliation' }), { opened: reconciliation });
    assert.match((await eventually('a panel', () => panels.at(-1))).title, /^Reconciliation/);
    await assert.rejects(open({ page: 'settings' }));
    await assert.rejects(open({ page: 'reconciliation', ...period }));
    await assert.rejects(open({ page: 'analysis', from: '2026-10-01' }));
    const log = readFileSync(new Grants(grantsFolder()).logFile, 'utf8').trim().split('\n');
    const noted = log.filter((line) => line.includes(languageModelTools.openPage));
    assert.ok(noted.at(-2)?.endsWith(`"to":"${period.to}"} → refused`), noted.at(-2));
    assert.ok(noted.some((line) => line.endsWith('{"page":"reconciliation"} → opened')));
  });

  it('are noted with what they asked, and start elsewhere as the copied configuration says', async () => {
    await run(commands.copyAgentConfiguration);
    assert.equal(messages.shown.at(-1)?.severity, 'error');
    await allow('Always');
    await run(commands.copyAgentConfiguration);
    const { mcpServers } = JSON.parse(await vscode.env.clipboard.readText()) as {
      mcpServers: Record<string, ServerOfAgents>;
    };
    assert.deepEqual(Object.keys(mcpServers), ['margin-desk']);
    await connected(async (client) => {
      assert.match(await findOrder(client), new RegExp(order.orderId));
    }, Object.values(mcpServers));
    await run(commands.showAgentLog);
    const log = await eventually('the log', () => vscode.window.activeTextEditor?.document);
    const lines = log.getText().trim().split('\n');
    const asked = 'find_records {"account":"Practice","history":"orders"} → 1 rows';
    assert.ok(lines.at(-1)?.endsWith(asked), lines.at(-1));
    assert.ok(!lines.at(-1)?.includes(order.orderId));
    await run('workbench.action.closeActiveEditor');
  });

  it('get nothing in a folder that is not trusted', async () => {
    await allow('Always');
    await eventually('the tool', hasTool);
    const trusted = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted');
    assert.ok(trusted);
    Object.defineProperty(vscode.workspace, 'isTrusted', { ...trusted, get: () => false });
    try {
      await eventually('no server', () => servers().length === 0);
      await allow('Always');
      assert.equal(messages.shown.at(-1)?.severity, 'error');
      const asked = { input: { id: order.orderId }, toolInvocationToken: undefined };
      await assert.rejects(async () => vscode.lm.invokeTool(languageModelTools.showRecord, asked));
    } finally {
      Object.defineProperty(vscode.workspace, 'isTrusted', trusted);
    }
    await eventually('the server again', () => servers().length === 1);
  });
});

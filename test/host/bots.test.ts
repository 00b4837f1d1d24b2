import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Profile } from '../../src/account/session/profile.ts';
import { commands } from '../../src/host/shared/contributions.ts';
import { anAccount, someLocked, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { activatedExtension, openAt } from '../support/extensionUnderTest.ts';
import { serversOfEachTest, type HostileServer } from '../support/hostileServer.ts';
import { folderOfEachTest } from '../support/project.ts';
import { scriptedInput } from '../support/scriptedInput.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';

describe('a bot that ended', () => {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  const input = scriptedInput();
  const folder = folderOfEachTest();
  const access = activatedExtension();
  const terminals: vscode.Terminal[] = [];
  let isLocked: boolean;
  let server: HostileServer;

  beforeEach(() => (isLocked = true));
  afterEach(async () => {
    for (const terminal of terminals.splice(0)) terminal.dispose();
    await eventually('no terminal', () => vscode.window.terminals.length === 0);
    await access.context.workspaceState.update('marginDesk.bots', undefined);
  });

  async function open(fields: Partial<Profile> = {}): Promise<void> {
    server = await serve((_request, response) => {
      response.end(wire(anAccount({ orders: isLocked ? [someLocked()] : [] })));
    });
    await openAt(access, server.url, fields);
  }

  function terminalOf(options: vscode.TerminalOptions): vscode.Terminal {
    const terminal = vscode.window.createTerminal(options);
    terminals.push(terminal);
    return terminal;
  }

  const ends = () => messages.shown.filter(({ text }) => text.includes('ended'));
  const theEnd = () => eventually('the notification', () => ends()[0]);
  const watch = (terminal: vscode.Terminal) =>
    vscode.commands.executeCommand(commands.watchTerminal, terminal);
  const deletes = () => server.requests.filter(({ method }) => method === 'DELETE').length;

  /** A terminal that is its own program: it waits for a line, and ends. */
  const waiting = (code: number): vscode.TerminalOptions => ({
    name: 'bot.sh',
    shellPath: '/bin/sh',
    shellArgs: ['-c', `read line; exit ${code}`],
  });

  async function watched(code = 4): Promise<vscode.Terminal> {
    const terminal = terminalOf(waiting(code));
    await watch(terminal);
    assert.match(messages.shown.at(-1)?.text ?? '', /no shell integration, .*when it closes\.$/);
    return terminal;
  }

  it('without shell integration is noticed when its terminal closes, and nothing is sent', async () => {
    await open();
    const terminal = await watched();
    messages.answers.push('Cancel All…');
    terminal.sendText('');
    const { text, severity, buttons } = await theEnd();
    assert.equal(text, 'TEST · Mine: “bot.sh” ended with 4 · orders of btc_usdt are open.');
    assert.deepEqual([severity, buttons], ['warning', ['Cancel All…', 'Show Orders']]);
    const question = await eventually('the question', () =>
      messages.shown.find(({ modal }) => modal),
    );
    assert.equal(question.text, 'TEST · Mine — cancel ALL open orders?');
    assert.equal(deletes(), 0);
  });

  it('in a shell is the program that was first to run, each time that it ends', async () => {
    await open();
    for (const [name, code] of [
      ['bot.sh', 3],
      ['other.sh', 5],
    ] as const)
      await writeFile(path.join(folder.path, name), `exit ${code}\n`);
    const terminal = terminalOf({ shellPath: '/bin/bash' });
    const shell = await eventually('shell integration', () => terminal.shellIntegration);
    await watch(terminal);
    assert.match(messages.shown.at(-1)?.text ?? '', /the next command .* as a bot\.$/);
    const run = async (name: string, end = ''): Promise<void> => {
      const script = path.join(folder.path, name);
      const execution = shell.executeCommand(`sh ${script} --key SECRET${end}`);
      await new Promise<void>((resolve) => {
        const listener = vscode.window.onDidEndTerminalShellExecution((event) => {
          if (event.execution !== execution) return;
          listener.dispose();
          resolve();
        });
      });
    };
    // The notification stands.
    messages.answers.push(() => new Promise(() => undefined));
    await run('bot.sh');
    const { text } = await theEnd();
    assert.equal(text, 'TEST · Mine: “bot.sh” ended with 3 · orders of btc_usdt are open.');
    await run('other.sh');
    // It runs on when the command ends.
    await run('bot.sh', ' &');
    await run('bot.sh');
    await eventually('another notification', () => ends().length === 2);
    assert.deepEqual(new Set(ends().map((end) => end.text)), new Set([text]));
    const stored = JSON.stringify(access.context.workspaceState.get('marginDesk.bots'));
    assert.match(stored, /bot\.sh/);
    assert.doesNotMatch(stored, /SECRET/);
  });

  it('that may have run before it was marked is noticed when its terminal closes', async () => {
    await open();
    const terminal = terminalOf({ name: 'early', shellPath: '/bin/bash' });
    await eventually('shell integration', () => terminal.shellIntegration);
    await watch(terminal);
    terminal.dispose();
    assert.match((await theEnd()).text, /“early” ended · orders of btc_usdt are open\.$/);
  });

  it('as a task is chosen from those that run, and can be left out again', async () => {
    await open();
    const script = new vscode.ProcessExecution('/bin/sh', ['-c', 'read line; exit 6']);
    const task = new vscode.Task(
      { type: 'bots' },
      vscode.TaskScope.Workspace,
      'grid',
      'test',
      script,
    );
    const start = async (): Promise<vscode.Terminal> => {
      await vscode.tasks.executeTask(task);
      return eventually('the terminal', () =>
        vscode.window.terminals.find(
          ({ name, exitStatus }) => name.includes('grid') && !exitStatus,
        ),
      );
    };
    const choose = async (...labels: string[]): Promise<void> => {
      input.answers.push(labels);
      await vscode.commands.executeCommand(commands.chooseBots);
    };
    const first = await start();
    terminals.push(first);
    await choose('grid');
    assert.equal(input.asked[0]?.title, 'Bots of TEST · Mine');
    first.sendText('');
    const { text } = await theEnd();
    assert.equal(text, 'TEST · Mine: “grid” ended with 6 · orders of btc_usdt are open.');
    first.dispose();
    await eventually('the end of its terminal', () => vscode.window.terminals.length === 0);
    const second = await start();
    terminals.push(second);
    await choose();
    const ended = new Promise<void>((resolve) => {
      const listener = vscode.tasks.onDidEndTaskProcess(() => {
        listener.dispose();
        resolve();
      });
    });
    second.sendText('');
    await ended;
    assert.deepEqual(access.context.workspaceState.get('marginDesk.bots', []), []);
    assert.equal(ends().length, 1);
  });

  it('of a read-only profile offers nothing to send', async () => {
    await open({ readOnly: true });
    const terminal = await watched();
    terminal.sendText('');
    assert.deepEqual((await theEnd()).buttons, ['Show Orders']);
  });

  it('of another account says that its orders are not known', async () => {
    await open();
    const terminal = await watched();
    await open({ name: 'Other' });
    terminal.sendText('');
    const { text, buttons } = await theEnd();
    assert.match(text, /^TEST · Mine: “bot\.sh” ended with 4 · another account .* not known\.$/);
    assert.deepEqual(buttons, ['Switch Profile…']);
  });
});

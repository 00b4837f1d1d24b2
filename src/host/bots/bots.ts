import * as v from 'valibot';
import * as vscode from 'vscode';
import { lockedIn, unreadableIn } from '../../account/cancelAll/lockedOrders.ts';
import type { AccountSession } from '../../account/session/accountSession.ts';
import { environments } from '../../account/session/profile.ts';
import { withinOrUndefined } from '../../base/abort.ts';
import type { Display } from '../../base/display.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import { UserFacingError } from '../../base/errors.ts';
import { storedList, type StoredList } from '../../base/storedValue.ts';
import { secondMs, systemClock } from '../../base/time.ts';
import { runForAccount } from '../alerts/accountOfAlert.ts';
import type { FeatureContext } from '../feature/context.ts';
import { accountKey } from '../ledger/profileLedgers.ts';
import { commands, views } from '../shared/contributions.ts';
import { logRejection } from '../shared/log.ts';
import { t } from '../shared/translate.ts';
import { errorText } from '../text/failureText.ts';
import { accountLabel, joined, untrustedText } from '../text/messageText.ts';
import { endedProgram, programOf } from './programOf.ts';

const botSchema = v.object({
  account: v.string(),
  name: v.string(),
  environment: v.picklist(environments),
  /** A terminal by the id of its process, which stays after a reload; a task by its names. */
  id: v.string(),
  /** What runs in the terminal, or is the next to run; null for a task, and before it is known. */
  program: v.nullable(v.string()),
});
/** A terminal or task that a person said is a bot of an account. */
type Bot = v.InferOutput<typeof botSchema>;

const mostBots = 100;
/** An exchange that does not answer must not hold the notification. */
const maxReadMs = 10 * secondMs;

/** Says that a bot ended while orders of its account are open. Sends nothing but a read of the account. */
class Bots extends DisposableOwner {
  private readonly context: FeatureContext;
  private readonly stored: StoredList<Bot>;
  private readonly running = new WeakMap<vscode.Terminal, string>();
  /** Their programs have ended and were not started again. */
  private readonly ended = new Set<string>();

  constructor(context: FeatureContext) {
    super();
    this.context = context;
    const { workspaceState } = context;
    this.stored = storedList(workspaceState, 'marginDesk.bots', botSchema, { limit: mostBots });
    const { window, tasks } = vscode;
    const logged =
      <Event>(handle: (event: Event) => Promise<void>) =>
      (event: Event) =>
        logRejection(context.log, 'watching a bot', handle(event));
    for (const listener of [
      window.onDidStartTerminalShellExecution(logged((event) => this.onStart(event))),
      window.onDidEndTerminalShellExecution(logged((event) => this.onEnd(event))),
      window.onDidCloseTerminal(logged((terminal) => this.onClose(terminal))),
      tasks.onDidEndTaskProcess(
        logged(async ({ execution: { task }, exitCode }) => {
          const bot = this.find(taskId(task));
          if (bot) await this.report(bot, task.name, exitCode);
        }),
      ),
    ])
      this.disposables.add(listener);
  }

  /** From the menu of a terminal. */
  async watchTerminal(given: unknown): Promise<void> {
    const session = await this.context.active.session();
    const terminal = isTerminal(given) ? given : vscode.window.activeTerminal;
    const id = terminal && (await terminalId(terminal));
    if (!id) throw new UserFacingError(t('This terminal has no process that can be watched.'));
    const program = this.running.get(terminal) ?? null;
    await this.mark([], [botOf(session, id, program)]);
    const said = watchedText(terminal, program);
    await vscode.window.showInformationMessage(`${accountLabel(session.profile)}: ${said}`);
  }

  /** Asks which terminals and tasks are bots of the open account. */
  async choose(): Promise<void> {
    const session = await this.context.active.session();
    const account = accountKey(session);
    const item = (label: string, description: string, id: string, program: string | null) => {
      const picked = this.find(id)?.account === account;
      return { label, description, picked, bot: botOf(session, id, program) };
    };
    const running = vscode.tasks.taskExecutions.map(({ task }) => task);
    // VS Code would ask whether the folder is to be trusted.
    const others = vscode.workspace.isTrusted ? await vscode.tasks.fetchTasks() : [];
    const known = [...running, ...others];
    const tasks = new Map(known.map((task) => [taskId(task), task]));
    // The terminal of a task has its name.
    const own = vscode.window.terminals.filter(
      (terminal) => !running.some(({ name }) => name === terminal.name),
    );
    const terminals = own.map(async (terminal) => {
      const program = this.running.get(terminal) ?? null;
      const id = await terminalId(terminal);
      return id ? item(terminal.name, program ?? t('terminal'), id, program) : [];
    });
    const items = [
      ...(await Promise.all(terminals)).flat(),
      ...[...tasks].map(([id, { name, source }]) => item(name, t('task · {0}', source), id, null)),
    ];
    const title = t('Bots of {0}', accountLabel(session.profile));
    const options = { title, canPickMany: true } as const;
    const chosen = await vscode.window.showQuickPick(items, options);
    if (!chosen) return;
    const isListed = ({ account: of, id }: Bot): boolean =>
      of === account && items.some(({ bot }) => bot.id === id);
    const kept = chosen.map(({ bot, picked }) => (picked ? this.find(bot.id) : undefined) ?? bot);
    await this.mark(this.stored.get().filter(isListed), kept);
  }

  private find(id: string): Bot | undefined {
    return this.stored.get().find((bot) => bot.id === id);
  }

  /** A terminal or task is a bot of one account. */
  private mark(removed: readonly Bot[], added: readonly Bot[]): Promise<void> {
    const ids = [...removed, ...added].map(({ id }) => id);
    for (const id of ids) this.ended.delete(id);
    return this.stored.update((bots) => [...bots.filter(({ id }) => !ids.includes(id)), ...added]);
  }

  private async onStart({ terminal, execution }: vscode.TerminalShellExecutionStartEvent) {
    const program = programOf(execution.commandLine.value);
    this.running.set(terminal, program);
    const bot = this.find(await terminalId(terminal));
    if (bot?.program === null) await this.mark([], [{ ...bot, program }]);
    else if (bot?.program === program) this.ended.delete(bot.id);
  }

  private async onEnd({ terminal, execution, exitCode }: vscode.TerminalShellExecutionEndEvent) {
    // Its program runs on.
    if (/&\s*$/.test(execution.commandLine.value)) return;
    const ended = programOf(execution.commandLine.value);
    const started = this.running.get(terminal);
    this.running.delete(terminal);
    const bot = this.find(await terminalId(terminal));
    const program = bot && endedProgram(bot.program, ended, started);
    if (!bot || program === undefined) return;
    if (bot.program === null) await this.mark([], [{ ...bot, program }]);
    this.ended.add(bot.id);
    await this.report(bot, program, exitCode);
  }

  /** Without shell integration, only this shows an end. A window that closes keeps its terminals. */
  private async onClose(terminal: vscode.Terminal): Promise<void> {
    const bot = this.find(await terminalId(terminal));
    const { exitStatus } = terminal;
    if (!bot || exitStatus?.reason === vscode.TerminalExitReason.Shutdown) return;
    const isKnownToRest = this.ended.has(bot.id);
    await this.mark([bot], []);
    if (!isKnownToRest) await this.report(bot, bot.program ?? terminal.name, exitStatus?.code);
  }

  /** Of the same words, VS Code keeps the newest notification only. */
  private async report(bot: Bot, program: string, code: number | undefined): Promise<void> {
    const { active, display } = this.context;
    const session = await active.session().catch(() => undefined);
    const isOpen = session !== undefined && accountKey(session) === bot.account;
    const orders = isOpen
      ? await openOrdersText(session, display.latest())
      : t('another account or none is open in this window, so its open orders are not known.');
    if (orders === undefined) return;
    const name = untrustedText(program, 40);
    const end = code === undefined ? t('“{0}” ended', name) : t('“{0}” ended with {1}', name, code);
    const cancel = t('Cancel All…');
    const show = t('Show Orders');
    const change = t('Switch Profile…');
    const mayCancel = isOpen && vscode.workspace.isTrusted && !session.profile.readOnly;
    const buttons = isOpen ? [...(mayCancel ? [cancel] : []), show] : [change];
    const text = `${accountLabel(bot)}: ${end} · ${orders}`;
    const chosen = await vscode.window.showWarningMessage(text, ...buttons);
    const run = (command: string) => vscode.commands.executeCommand(command);
    if (chosen === change) await run(commands.switchProfile);
    else if (chosen !== undefined && session)
      await runForAccount(active, session, () =>
        run(chosen === cancel ? commands.cancelAllOrders : `${views.lockedOrders}.focus`),
      );
  }
}

/** Reads the account: what was read before may lack orders. Undefined if no order is open. */
export async function openOrdersText(
  session: Pick<AccountSession, 'refresh'>,
  display: Display,
): Promise<string | undefined> {
  const unknown = t('it is not known whether orders are open.');
  try {
    const read = await withinOrUndefined(systemClock, maxReadMs, session.refresh());
    if (!read) return joined(unknown, t('The exchange does not answer.'));
    const [first, ...others] = lockedIn(read) ?? [];
    if (!first) return read.account.orders && unreadableIn(read).length === 0 ? undefined : unknown;
    return others.length === 0
      ? t('orders of {0} are open.', untrustedText(first.symbol, 40))
      : t('orders of {0} symbols are open.', display.count(others.length + 1));
  } catch (error) {
    return joined(unknown, errorText(error, display));
  }
}

function watchedText({ shellIntegration }: vscode.Terminal, program: string | null): string {
  if (!shellIntegration)
    return t('this terminal has no shell integration, so it is only noticed when it closes.');
  return program === null
    ? t('the next command of this terminal is watched as a bot.')
    : t('“{0}” in this terminal is watched as a bot.', untrustedText(program, 40));
}

function botOf(session: AccountSession, id: string, program: string | null): Bot {
  const { name, environment } = session.profile;
  return { account: accountKey(session), name, environment, id, program };
}

/** Empty if it has no process. */
async function terminalId({ processId }: vscode.Terminal): Promise<string> {
  const id = await processId;
  return id === undefined ? '' : `terminal ${id}`;
}

function taskId({ name, source, scope }: vscode.Task): string {
  const folder = typeof scope === 'object' ? scope.uri.toString() : String(scope);
  return `task ${JSON.stringify([folder, source, name])}`;
}

function isTerminal(given: unknown): given is vscode.Terminal {
  return typeof given === 'object' && given !== null && 'processId' in given;
}

export function registerBots(context: FeatureContext) {
  const bots = context.add(new Bots(context));
  return {
    [commands.watchTerminal]: (terminal: unknown) => bots.watchTerminal(terminal),
    [commands.chooseBots]: () => bots.choose(),
  };
}

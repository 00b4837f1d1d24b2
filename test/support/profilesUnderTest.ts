import * as vscode from 'vscode';
import type { Profile } from '../../src/account/session/profile.ts';
import type { Account } from '../../src/exchange/records.ts';
import type { TestAccess } from '../../src/extension.ts';
import { commands } from '../../src/host/shared/contributions.ts';
import { anAccount, wire } from './builders.ts';
import { eventually } from './eventually.ts';
import { markedCredentials } from './exchangeClient.ts';
import { extensionUnderTest } from './extensionUnderTest.ts';
import { serversOfEachTest, type HostileServer } from './hostileServer.ts';
import { scriptedInput, type Answer } from './scriptedInput.ts';
import { scriptedMessages } from './scriptedMessages.ts';
import { writeUserSetting } from './userSetting.ts';

const markerKey = 'marginDesk.credentialNames';
const reportedMissingKey = 'marginDesk.missedCredentials';
const memoryKey = 'marginDesk.activeProfile';

/**
 * Called in a `describe`: the extension with scripted prompts and messages, and what it stores of
 * profiles. Everything is removed after each test.
 */
export function profilesUnderTest() {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  const input = scriptedInput();
  let activated: TestAccess | undefined;
  before(async () => {
    activated = await extensionUnderTest();
  });
  const access = (): TestAccess => {
    if (!activated) throw new Error('the extension is not active yet');
    return activated;
  };
  const kept = keptBy(access);
  const faults = faultsOf(access);
  afterEach(async () => {
    faults.undoFaults();
    await access().app.connection.close();
    await kept.setProfiles(undefined);
    await kept.set('marginDesk.defaultProfile', undefined);
    for (const name of kept.marked()) await kept.storeSecret(name, undefined);
    await kept.mark(undefined);
    await kept.setReportedMissing(undefined);
  });

  /** An exchange that accepts every key. */
  const venue = (account: Partial<Account> = {}): Promise<HostileServer> =>
    serve((request, response) =>
      response.end(
        request.url?.includes('exchangeInfo')
          ? `{"rateLimits":[],"timezone":"UTC","serverTime":${Date.now()},"symbols":[]}`
          : wire(anAccount(account)),
      ),
    );

  /** The profile whose account is open. */
  function openProfile(): Profile | undefined {
    const { state } = access().app.active;
    return state.kind === 'open' ? state.session.profile : undefined;
  }

  async function untilRead(name: string): Promise<void> {
    await eventually(`${name} to be read`, () => {
      const { state } = access().app.active;
      return (
        openProfile()?.name === name && state.kind === 'open' && state.session.store.state.snapshot
      );
    });
  }

  /** Runs a command whose prompts get these answers, in order. */
  async function run(id: string, ...answers: Answer[]): Promise<void> {
    input.answers.push(...answers);
    await vscode.commands.executeCommand(id);
  }

  /** Writes a profile, enters the marked credentials for it and opens it. */
  async function opened(name: string, { url }: HostileServer, fields: object = {}): Promise<void> {
    await kept.setProfiles({ ...kept.profiles(), [name]: { baseUrl: url, ...fields } });
    await run(commands.switchProfile, name, ...Object.values(markedCredentials));
    await untilRead(name);
    input.asked.length = 0;
  }

  /** Clears credentials as Edit Profile offers it, also those that are only in memory. */
  async function clear(...names: string[]): Promise<void> {
    messages.answers.push('Clear');
    const [profile] = Object.keys(kept.profiles() ?? {});
    const first = profile === undefined ? [] : [profile, 'Clear Credentials…'];
    await run(commands.editProfile, ...first, names);
  }

  /** Removes a profile with the command. */
  async function remove(name: string): Promise<void> {
    messages.answers.push('Remove');
    await run(commands.removeProfile, name);
  }

  /** Of the one view that says what is wrong with the account. */
  const viewMessage = (): string => access().app.positions.view.message ?? '';
  /** The text of a message, the last one by default. */
  const shownText = (index = -1): string => messages.shown.at(index)?.text ?? '';
  const textsAndButtons = () => messages.shown.map(({ text, buttons }) => [text, buttons]);
  const accountState = () => access().app.active.state;
  return {
    ...kept,
    ...faults,
    access,
    serve,
    messages,
    input,
    venue,
    run,
    opened,
    clear,
    remove,
    openProfile,
    untilRead,
    viewMessage,
    shownText,
    textsAndButtons,
    accountState,
  };
}

/** What is stored of profiles in settings, secrets and state. */
function keptBy(access: () => TestAccess) {
  const context = () => access().context;
  const userSetting = (key: string): unknown =>
    vscode.workspace.getConfiguration().inspect(key)?.globalValue;
  const secretKey = (name: string) => `marginDesk.credentials:${name}`;
  return {
    set: writeUserSetting,
    userSetting,
    setProfiles: (value: unknown) => writeUserSetting('marginDesk.profiles', value),
    profiles: () => userSetting('marginDesk.profiles') as object | undefined,
    secretOf: async (name: string) => context().secrets.get(secretKey(name)),
    credentialsOf: async (name: string): Promise<unknown> =>
      JSON.parse((await context().secrets.get(secretKey(name))) ?? 'null'),
    /** As another window would, not through the extension. */
    storeSecret: async (name: string, text: string | undefined) => {
      if (text === undefined) await context().secrets.delete(secretKey(name));
      else await context().secrets.store(secretKey(name), text);
    },
    marked: () => context().globalState.get<string[]>(markerKey, []),
    mark: async (names: string[] | undefined) => context().globalState.update(markerKey, names),
    reportedMissing: () => context().globalState.get<string[]>(reportedMissingKey, []),
    setReportedMissing: async (names: string[] | undefined) =>
      context().globalState.update(reportedMissingKey, names),
    remembered: () => context().workspaceState.get<string>(memoryKey),
    remember: async (name: string) => context().workspaceState.update(memoryKey, name),
  };
}

/** Faults of VS Code, until the test ends or `undoFaults` is called. */
function faultsOf(access: () => TestAccess) {
  const undos: (() => void)[] = [];
  /** Puts `replacement` in the place of a method. */
  function replace(target: object, name: string, replacement: unknown): void {
    const earlier = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, { value: replacement, configurable: true, writable: true });
    undos.push(() => {
      if (earlier) Object.defineProperty(target, name, earlier);
      else Reflect.deleteProperty(target, name);
    });
  }
  return {
    undoFaults: () => undos.splice(0).forEach((undo) => undo()),
    /** Secrets are dropped silently, as without a keyring. */
    dropSecrets: () => replace(access().context.secrets, 'store', () => Promise.resolve()),
    /** No setting can be written, as with an invalid settings.json. */
    refuseSettings: () => {
      const getConfiguration = vscode.workspace.getConfiguration.bind(vscode.workspace);
      replace(vscode.workspace, 'getConfiguration', (...where: [string?]) => ({
        ...getConfiguration(...where),
        update: () => Promise.reject(new Error('settings.json is broken')),
      }));
    },
  };
}

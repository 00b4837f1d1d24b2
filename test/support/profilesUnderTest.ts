import * as vscode from 'vscode';
import type { Profile } from '../../src/account/profile.ts';
import type { TestAccess } from '../../src/extension.ts';
import { commands } from '../../src/host/contributions.ts';
import { anAccount, wire } from './builders.ts';
import { eventually } from './eventually.ts';
import { markedCredentials } from './exchangeClient.ts';
import { extensionUnderTest } from './extensionUnderTest.ts';
import { serversOfEachTest, type HostileServer } from './hostileServer.ts';
import { scriptedInput } from './scriptedInput.ts';
import { scriptedMessages } from './scriptedMessages.ts';
import { writeUserSetting } from './userSetting.ts';

const markerKey = 'marginDesk.credentialNames';
const toldKey = 'marginDesk.missedCredentials';
const memoryKey = 'marginDesk.activeProfile';

/**
 * Called in a `describe`: the extension with its prompts and messages scripted, and what it keeps of
 * profiles. After each test nothing of them is left.
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
    faults.mend();
    await access().app.accounts.close();
    await kept.setProfiles(undefined);
    await kept.set('marginDesk.defaultProfile', undefined);
    for (const name of kept.marked()) await kept.storeSecret(name, undefined);
    await kept.mark(undefined);
    await kept.tell(undefined);
  });

  /** An exchange with one account that everybody may read. */
  const venue = (): Promise<HostileServer> =>
    serve((request, response) =>
      response.end(
        request.url?.includes('exchangeInfo')
          ? `{"rateLimits":[],"timezone":"UTC","serverTime":${Date.now()},"symbols":[]}`
          : wire(anAccount()),
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

  /** Writes a profile, enters the marked credentials for it and opens it. */
  async function opened(name: string, { url }: HostileServer, fields: object = {}): Promise<void> {
    await kept.setProfiles({ ...kept.profiles(), [name]: { baseUrl: url, ...fields } });
    input.answers.push(name, markedCredentials.apiKey, markedCredentials.apiSecret);
    await run(commands.switchProfile);
    await untilRead(name);
    input.asked.length = 0;
  }

  /** Clears credentials by the command, also what only the window's memory has. */
  async function clear(...names: string[]): Promise<void> {
    messages.answers.push('Clear');
    input.answers.push(names);
    await run(commands.clearCredentials);
  }

  /** Positions leaves this to its welcome text where credentials are missing. */
  const viewMessage = (): string => access().app.assets.view.message ?? '';
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
    openProfile,
    untilRead,
    viewMessage,
  };
}

async function run(id: string): Promise<void> {
  await vscode.commands.executeCommand(id);
}

/** What stays of profiles in settings, secrets and states. */
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
    /** As another window would: not through the extension. */
    storeSecret: async (name: string, text: string | undefined) => {
      if (text === undefined) await context().secrets.delete(secretKey(name));
      else await context().secrets.store(secretKey(name), text);
    },
    marked: () => context().globalState.get<string[]>(markerKey, []),
    mark: async (names: string[] | undefined) => context().globalState.update(markerKey, names),
    told: () => context().globalState.get<string[]>(toldKey, []),
    tell: async (names: string[] | undefined) => context().globalState.update(toldKey, names),
    remembered: () => context().workspaceState.get<string>(memoryKey),
    remember: async (name: string) => context().workspaceState.update(memoryKey, name),
  };
}

/** What VS Code fails to do from now on, until the test ends or `mend` is called. */
function faultsOf(access: () => TestAccess) {
  const mends: (() => void)[] = [];
  /** Puts `replacement` in the place of a method. */
  function replace(target: object, name: string, replacement: unknown): void {
    const earlier = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, { value: replacement, configurable: true, writable: true });
    mends.push(() => {
      if (earlier) Object.defineProperty(target, name, earlier);
      else Reflect.deleteProperty(target, name);
    });
  }
  return {
    mend: () => mends.splice(0).forEach((mend) => mend()),
    /** What is stored from now on is dropped without a word, as where there is no keyring. */
    dropSecrets: () => replace(access().context.secrets, 'store', () => Promise.resolve()),
    /** No secret can be opened, as with a keyring that is locked. */
    lockSecrets: () =>
      replace(access().context.secrets, 'get', () => Promise.reject(new Error('locked'))),
    /** No setting can be written, as when settings.json is broken. */
    refuseSettings: () => {
      const getConfiguration = vscode.workspace.getConfiguration.bind(vscode.workspace);
      replace(vscode.workspace, 'getConfiguration', (...where: [string?]) => ({
        ...getConfiguration(...where),
        update: () => Promise.reject(new Error('settings.json is broken')),
      }));
    },
  };
}

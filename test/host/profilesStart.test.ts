import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../src/host/contributions.ts';
import { eventually } from '../support/eventually.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';

describe('profiles', () => {
  const {
    access,
    messages,
    input,
    venue,
    run,
    opened,
    openProfile,
    untilRead,
    viewMessage,
    set,
    setProfiles,
    secretOf,
    storeSecret,
    mark,
    remembered,
    remember,
    profiles,
    told,
  } = profilesUnderTest();

  describe('follow their settings', () => {
    it('when the open one changes', async () => {
      const server = await venue();
      await opened('Main', server);
      await setProfiles({ Main: { baseUrl: server.url, environment: 'test', readOnly: true } });
      await eventually('the change', () => openProfile()?.readOnly);
      assert.equal(openProfile()?.environment, 'test');
    });

    it('not when another one changes', async () => {
      const server = await venue();
      await opened('Main', server);
      const { state } = access().app.active;
      await setProfiles({ ...profiles(), Other: { baseUrl: 'https://x.example' } });
      assert.equal(access().app.active.state, state);
    });

    it('into an error, and out of it', async () => {
      const server = await venue();
      await opened('Main', server);
      await setProfiles({ Main: { baseUrl: server.url, environment: 'paper' } });
      await eventually('the sentence', () => viewMessage().includes('environment: write "live"'));
      await setProfiles({ Main: { baseUrl: server.url } });
      await untilRead('Main');
      assert.deepEqual(messages.shown, []);
    });

    it('when they are removed there', async () => {
      await opened('Main', await venue());
      await setProfiles(undefined);
      await eventually('the sentence', () =>
        viewMessage().startsWith('There is no profile named “Main”'),
      );
    });
  });

  describe('at the start of a window', () => {
    it('are opened as this window had it, else by the setting', async () => {
      const server = await venue();
      await opened('Main', server);
      await access().app.accounts.restore();
      await untilRead('Main');
      await access().app.accounts.close();
      await access().app.accounts.restore();
      assert.equal(access().app.active.state.kind, 'closed');
      await set('marginDesk.defaultProfile', 'Main');
      await access().app.accounts.restore();
      await untilRead('Main');
    });

    it('are missed once when they are gone', async () => {
      await remember('Gone');
      await access().app.accounts.restore();
      assert.deepEqual(
        messages.shown.map(({ text, buttons }) => [text, buttons]),
        [['There is no profile named “Gone”: switch to another.', ['Switch Profile']]],
      );
      assert.equal(remembered(), undefined);
      await access().app.accounts.restore();
      assert.equal(messages.shown.length, 1);
    });

    it('say when VS Code did not keep their credentials, and send nothing', async () => {
      const server = await venue();
      await setProfiles({ Main: { baseUrl: server.url } });
      await mark(['Main']);
      await remember('Main');
      await access().app.accounts.restore();
      assert.match(
        messages.shown[0]?.text ?? '',
        /^VS Code did not keep the credentials of “Main”/,
      );
      assert.deepEqual(messages.shown[0]?.buttons, ['Set Credentials']);
      assert.deepEqual(server.requests, []);
    });

    it('say of all whose credentials VS Code did not keep, in one message, once', async () => {
      const baseUrl = 'https://host.example';
      await setProfiles({
        One: { baseUrl },
        Two: { baseUrl },
        Kept: { baseUrl },
        None: { baseUrl, auth: { scheme: 'none' } },
        Broken: 7,
      });
      await storeSecret('Kept', JSON.stringify({ v: 1, origin: baseUrl, apiKey: 'k' }));
      await mark(['One', 'Two', 'Kept', 'None', 'Broken', 'Gone']);
      await remember('Two');
      await access().app.accounts.restore();
      assert.deepEqual(
        messages.shown.map(({ severity, text, buttons }) => [severity, text, buttons]),
        [
          [
            'warning',
            'VS Code did not keep the credentials of “One”, “Two”: switch to each to enter them again.',
            ['Switch Profile'],
          ],
        ],
      );
      assert.deepEqual(told(), ['One', 'Two']);
      await access().app.accounts.restore();
      assert.equal(messages.shown.length, 1);
      assert.match(viewMessage(), /^VS Code did not keep the credentials of “Two”/);
    });

    it('offer to enter the credentials of the one that misses them, whichever is open', async () => {
      const server = await venue();
      await opened('Main', server);
      await setProfiles({ ...profiles(), Other: { baseUrl: 'https://other.example' } });
      await mark(['Main', 'Other']);
      messages.answers.push('Set Credentials');
      input.answers.push('another-key', 'another-secret');
      await access().app.accounts.restore();
      await eventually('the message', () => messages.shown.at(-1)?.text.includes('are stored'));
      assert.equal(
        messages.shown[0]?.text,
        'VS Code did not keep the credentials of “Other”: enter them again.',
      );
      assert.match((await secretOf('Other')) ?? '', /"origin":"https:\/\/other\.example"/);
      assert.equal(openProfile()?.name, 'Main');
    });

    it('say when what is kept cannot be read, and leave it alone', async () => {
      const server = await venue();
      await setProfiles({ Main: { baseUrl: server.url } });
      await mark(['Main']);
      await storeSecret('Main', '{"v":1');
      await remember('Main');
      await access().app.accounts.restore();
      assert.match(
        messages.shown[0]?.text ?? '',
        /credentials of “Main” cannot be read: enter them/,
      );
      assert.equal(await secretOf('Main'), '{"v":1');
      assert.deepEqual(server.requests, []);
    });
  });

  describe('of a hostile workspace', () => {
    it('are ignored, trusted as it is: nothing is listed, opened or sent', async () => {
      const server = await venue();
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder');
      const file = vscode.Uri.joinPath(folder, '.vscode/settings.json');
      const hostile = {
        'marginDesk.profiles': { Evil: { baseUrl: server.url, auth: { scheme: 'none' } } },
        'marginDesk.defaultProfile': 'Evil',
        'marginDesk.http': 'node-fetch',
        'editor.rulers': [41],
      };
      await vscode.workspace.fs.writeFile(file, Buffer.from(JSON.stringify(hostile)));
      try {
        assert.ok(vscode.workspace.isTrusted);
        await eventually('the folder settings to count', () => {
          const rulers = vscode.workspace.getConfiguration('editor').get<number[]>('rulers');
          return rulers?.includes(41);
        });
        await access().app.accounts.restore();
        await run(commands.switchProfile);
        assert.deepEqual(
          input.asked[0]?.items.map(({ label }) => label),
          ['Practice', '', 'Add Profile …'],
        );
        assert.equal(access().app.active.state.kind, 'closed');
        await assert.rejects(
          access().app.accounts.open('Evil'),
          /There is no profile named “Evil”/,
        );
        assert.deepEqual(server.requests, []);
      } finally {
        await vscode.workspace.fs.delete(file);
      }
    });
  });
});

import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../src/host/shared/contributions.ts';
import { eventually } from '../support/eventually.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';

describe('profiles', () => {
  const harness = profilesUnderTest();
  const { access, messages, input, venue, run, opened, openProfile, untilRead } = harness;
  const { viewMessage, set, setProfiles, profiles, secretOf, storeSecret, mark, remembered } =
    harness;
  const { remember, reportedMissing, textsAndButtons, accountState } = harness;

  it('follow their settings: only a change of the open one, into an error and back, and its removal', async () => {
    const server = await venue();
    await opened('Main', server);
    const state = accountState();
    await setProfiles({ ...profiles(), Other: { baseUrl: 'https://x.example' } });
    assert.equal(accountState(), state);
    await setProfiles({ Main: { baseUrl: server.url, environment: 'paper' } });
    await eventually('the sentence', () => viewMessage().includes('environment: write "live"'));
    await setProfiles({ Main: { baseUrl: server.url, readOnly: true } });
    await untilRead('Main');
    assert.ok(openProfile()?.readOnly);
    await setProfiles(undefined);
    await eventually('the end', () => viewMessage().startsWith('There is no profile named “Main”'));
    assert.deepEqual(messages.shown, []);
  });

  describe('at the start of a window', () => {
    it('are opened as this window had them, else by the setting', async () => {
      const server = await venue();
      await opened('Main', server);
      await access().app.restore();
      await untilRead('Main');
      await access().app.connection.close();
      await access().app.restore();
      assert.equal(accountState().kind, 'closed');
      await set('marginDesk.defaultProfile', 'Main');
      await access().app.restore();
      await untilRead('Main');
    });

    it('are reported once if they no longer exist', async () => {
      await remember('Gone');
      await access().app.restore();
      assert.deepEqual(textsAndButtons(), [
        ['There is no profile named “Gone”. Switch to another.', ['Switch Profile…']],
      ]);
      assert.equal(remembered(), undefined);
      await access().app.restore();
      assert.equal(messages.shown.length, 1);
    });

    it('report all lost credentials in one message, once', async () => {
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
      await access().app.restore();
      assert.deepEqual(
        messages.shown.map(({ severity, text, buttons }) => [severity, text, buttons]),
        [
          [
            'warning',
            'VS Code did not keep the credentials of “One”, “Two”. Switch to each profile to enter them again.',
            ['Switch Profile…'],
          ],
        ],
      );
      assert.deepEqual(reportedMissing(), ['One', 'Two']);
      await access().app.restore();
      assert.equal(messages.shown.length, 1);
      assert.match(viewMessage(), /^VS Code did not keep the credentials of “Two”/);
    });

    it('offer to enter the missing credentials, whichever profile is open', async () => {
      const server = await venue();
      await opened('Main', server);
      await setProfiles({ ...profiles(), Other: { baseUrl: 'https://other.example' } });
      await mark(['Main', 'Other']);
      messages.answers.push('Set Credentials…');
      input.answers.push('another-key', 'another-secret');
      await access().app.restore();
      await eventually('the message', () => messages.shown.at(-1)?.text.includes('are stored'));
      assert.equal(
        messages.shown[0]?.text,
        'VS Code did not keep the credentials of “Other”. Enter them again.',
      );
      assert.match((await secretOf('Other')) ?? '', /"origin":"https:\/\/other\.example"/);
      assert.equal(openProfile()?.name, 'Main');
    });
  });

  describe('of a hostile workspace', () => {
    it('are ignored even if it is trusted: nothing is listed, opened or sent', async () => {
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
        await access().app.restore();
        await run(commands.switchProfile);
        const labels = input.asked[0]?.items.map(({ label }) => label);
        assert.deepEqual(labels, ['Practice', '', 'Add Profile…']);
        assert.equal(accountState().kind, 'closed');
        await assert.rejects(
          access().app.connection.open('Evil'),
          /There is no profile named “Evil”/,
        );
        assert.deepEqual(server.requests, []);
      } finally {
        await vscode.workspace.fs.delete(file);
      }
    });
  });
});

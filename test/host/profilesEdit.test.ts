import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../src/host/shared/contributions.ts';
import { eventually } from '../support/eventually.ts';
import { leaveExport } from '../support/unfinishedExport.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';

describe('profiles', () => {
  const harness = profilesUnderTest();
  const { access, messages, input, venue, run, opened, openProfile, untilRead } = harness;
  const { set, userSetting, setProfiles, profiles, secretOf, marked, remembered } = harness;
  const { refuseSettings, remove, shownText } = harness;
  const { accountState } = harness;

  describe('are removed', () => {
    it('with their settings, secret and marker, and closed', async () => {
      await opened('Main', await venue());
      await set('marginDesk.defaultProfile', 'Main');
      messages.answers.push('Remove');
      input.answers.push('Main');
      const exports = leaveExport(access(), 'Main');
      assert.ok(exports().length > 0);
      await run(commands.removeProfile);
      assert.deepEqual(exports(), []);
      assert.equal(messages.shown[0]?.text, 'Remove the profile “Main”?');
      assert.ok(messages.shown[0].modal);
      assert.equal(profiles(), undefined);
      assert.equal(await secretOf('Main'), undefined);
      assert.deepEqual(marked(), []);
      assert.equal(accountState().kind, 'closed');
      assert.equal(remembered(), undefined);
      assert.equal(userSetting('marginDesk.defaultProfile'), undefined);
    });

    it('not if the question is closed', async () => {
      await opened('Main', await venue());
      await run(commands.removeProfile, 'Main');
      assert.ok(await secretOf('Main'));
      assert.equal(openProfile()?.name, 'Main');
    });

    it('not if the settings cannot be written: the account and its key stay', async () => {
      await opened('Main', await venue());
      const state = accountState();
      refuseSettings();
      await remove('Main');
      assert.match(shownText(), /^VS Code could not write your settings/);
      assert.equal(accountState(), state);
      assert.equal(remembered(), 'Main');
      assert.ok(await secretOf('Main'));
    });

    it('even if they are invalid, and the others stay', async () => {
      const main = { baseUrl: 'https://main.example' };
      await setProfiles({ Broken: 7, Main: main });
      await remove('Broken');
      assert.deepEqual(profiles(), { Main: main });
    });
  });

  describe('are edited', () => {
    afterEach(() => run('workbench.action.closeAllEditors'));
    const baseUrl = 'https://host.example';
    const edits: [field: string, answer: string, written: object][] = [
      ['Environment', 'TEST', { environment: 'test' }],
      ['Access', 'Read-only', { readOnly: true }],
      ['Access', 'Allow Cancel All Orders', { readOnly: false }],
      [
        'Authentication',
        'Bearer token in a header — token',
        { auth: { keyHeader: 'X-Mine', scheme: 'bearer' } },
      ],
      ['Base URL', 'https://host.example/prefix/', { baseUrl: 'https://host.example/prefix' }],
    ];
    for (const [field, answer, written] of edits)
      it(`in ${field} to “${answer}”, keeping everything else`, async () => {
        const profile = { baseUrl, auth: { keyHeader: 'X-Mine' } };
        await setProfiles({ Main: profile });
        await run(commands.editProfile, 'Main', field, answer);
        assert.deepEqual(profiles(), { Main: { ...profile, ...written } });
      });

    const customLabel = 'Custom, HMAC, Ed25519 or RSA — defined in settings.json';

    it('in Authentication to custom: settings.json opens at the profile, with a template', async () => {
      await setProfiles({ Other: { baseUrl }, Main: { baseUrl, auth: { keyHeader: 'X-Mine' } } });
      await run(commands.editProfile, 'Main', 'Authentication', customLabel);
      const { auth } = (profiles() as Record<string, { readonly auth: Record<string, unknown> }>)
        .Main ?? { auth: {} };
      assert.deepEqual([auth.scheme, auth.keyHeader], ['custom', 'X-Mine']);
      assert.ok(JSON.stringify(auth.custom).includes('"stringToSign"'));
      await eventually('the profile in settings.json', () => {
        const { document, selection } = vscode.window.activeTextEditor ?? {};
        return selection && document?.getText(selection) === '"Main"';
      });
    });

    it('in their name, keeping position, credentials and account', async () => {
      const server = await venue();
      await opened('Main', server);
      await setProfiles({ ...profiles(), Last: { baseUrl: 'https://x.example' } });
      await set('marginDesk.defaultProfile', 'Main');
      await run(
        commands.editProfile,
        'Main',
        'Name',
        'Last',
        'practice',
        '',
        'Practice\u3164',
        'Second',
      );
      assert.equal(input.asked.at(-1)?.problems.length, 4);
      await untilRead('Second');
      assert.deepEqual(Object.keys(profiles() ?? {}), ['Second', 'Last']);
      assert.equal(await secretOf('Main'), undefined);
      assert.match((await secretOf('Second')) ?? '', /MARKED-key/);
      assert.deepEqual(marked(), ['Second']);
      assert.equal(userSetting('marginDesk.defaultProfile'), 'Second');
    });

    const nameSecond = async () => {
      await run(commands.editProfile, 'Main', 'Name', 'Second');
    };

    it('in their name, and change nothing if the settings cannot be written', async () => {
      await opened('Main', await venue());
      const state = accountState();
      refuseSettings();
      await nameSecond();
      assert.match(shownText(0), /^VS Code could not write your settings/);
      assert.equal(accountState(), state);
      assert.equal(remembered(), 'Main');
      assert.ok(await secretOf('Main'));
      assert.equal(await secretOf('Second'), undefined);
    });

    for (const [what, profile, answers] of [
      ['everything else', { baseUrl }, ['Edit in settings.json…']],
      ['what is broken', { baseUrl: 7 }, []],
    ] as const)
      it(`in settings.json for ${what}`, async () => {
        await setProfiles({ Main: profile });
        await run(commands.editProfile, 'Main', ...answers);
        await eventually('settings.json', () =>
          vscode.window.activeTextEditor?.document.uri.path.endsWith('/settings.json'),
        );
      });
  });
});

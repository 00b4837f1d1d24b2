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
    set,
    userSetting,
    setProfiles,
    profiles,
    secretOf,
    marked,
    remembered,
  } = profilesUnderTest();

  describe('are removed', () => {
    it('with their settings, secret and marker, and closed', async () => {
      await opened('Main', await venue());
      await set('marginDesk.defaultProfile', 'Main');
      messages.answers.push('Remove');
      input.answers.push('Main');
      await run(commands.removeProfile);
      assert.equal(messages.shown[0]?.text, 'Remove the profile “Main”?');
      assert.ok(messages.shown[0].modal);
      assert.equal(profiles(), undefined);
      assert.equal(await secretOf('Main'), undefined);
      assert.deepEqual(marked(), []);
      assert.equal(access().app.active.state.kind, 'closed');
      assert.equal(remembered(), undefined);
      assert.equal(userSetting('marginDesk.defaultProfile'), undefined);
    });

    it('not when the question is closed', async () => {
      await opened('Main', await venue());
      input.answers.push('Main');
      await run(commands.removeProfile);
      assert.ok(await secretOf('Main'));
      assert.equal(openProfile()?.name, 'Main');
    });

    it('also when they are broken, and the others stay', async () => {
      const main = { baseUrl: 'https://main.example' };
      await setProfiles({ Broken: 7, Main: main });
      messages.answers.push('Remove');
      input.answers.push('Broken');
      await run(commands.removeProfile);
      assert.deepEqual(profiles(), { Main: main });
    });
  });

  describe('are edited', () => {
    const edits: [field: string, answer: string, written: object][] = [
      ['Environment', 'test', { environment: 'test' }],
      ['Read-only', 'true', { readOnly: true }],
      ['Scheme', 'bearer', { auth: { keyHeader: 'X-Mine', scheme: 'bearer' } }],
      ['Base URL', 'https://host.example/prefix/', { baseUrl: 'https://host.example/prefix' }],
    ];
    for (const [field, answer, written] of edits)
      it(`in ${field}, keeping all else`, async () => {
        const profile = { baseUrl: 'https://host.example', auth: { keyHeader: 'X-Mine' } };
        await setProfiles({ Main: profile });
        input.answers.push('Main', field, answer);
        await run(commands.editProfile);
        assert.deepEqual(profiles(), { Main: { ...profile, ...written } });
      });

    it('in their name, and take place, credentials and account along', async () => {
      const server = await venue();
      await opened('Main', server);
      await setProfiles({ ...profiles(), Last: { baseUrl: 'https://x.example' } });
      await set('marginDesk.defaultProfile', 'Main');
      input.answers.push('Main', 'Name', 'Last', 'practice', '', 'Second');
      await run(commands.editProfile);
      assert.equal(input.asked.at(-1)?.problems.length, 3);
      await untilRead('Second');
      assert.deepEqual(Object.keys(profiles() ?? {}), ['Second', 'Last']);
      assert.equal(await secretOf('Main'), undefined);
      assert.match((await secretOf('Second')) ?? '', /MARKED-key/);
      assert.deepEqual(marked(), ['Second']);
      assert.equal(userSetting('marginDesk.defaultProfile'), 'Second');
    });

    for (const [what, profile, answers] of [
      ['everything else', { baseUrl: 'https://host.example' }, ['Everything in settings.json …']],
      ['what is broken', { baseUrl: 7 }, []],
    ] as const)
      it(`in settings.json for ${what}`, async () => {
        await setProfiles({ Main: profile });
        input.answers.push('Main', ...answers);
        await run(commands.editProfile);
        await eventually('settings.json', () =>
          vscode.window.activeTextEditor?.document.uri.path.endsWith('/settings.json'),
        );
        await run('workbench.action.closeAllEditors');
      });
  });
});

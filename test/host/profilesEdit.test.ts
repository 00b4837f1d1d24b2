import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../src/host/contributions.ts';
import { eventually } from '../support/eventually.ts';
import { leaveExport } from '../support/keptExport.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';

describe('profiles', () => {
  const {
    access,
    messages,
    input,
    venue,
    run,
    opened,
    clear,
    openProfile,
    untilRead,
    set,
    userSetting,
    setProfiles,
    profiles,
    secretOf,
    marked,
    remembered,
    lockSecrets,
    dropSecrets,
    refuseSettings,
    mend,
  } = profilesUnderTest();

  describe('are removed', () => {
    it('with their settings, secret and marker, and closed', async () => {
      await opened('Main', await venue());
      await set('marginDesk.defaultProfile', 'Main');
      messages.answers.push('Remove');
      input.answers.push('Main');
      const exports = await leaveExport(access(), 'Main');
      assert.equal((await exports()).length, 2);
      await run(commands.removeProfile);
      assert.deepEqual(await exports(), []);
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

    it('not when the settings cannot be written: the account stays open, its key stays', async () => {
      await opened('Main', await venue());
      const { state } = access().app.active;
      refuseSettings();
      messages.answers.push('Remove');
      input.answers.push('Main');
      await run(commands.removeProfile);
      assert.match(messages.shown.at(-1)?.text ?? '', /^VS Code could not write your settings/);
      assert.equal(access().app.active.state, state);
      assert.equal(remembered(), 'Main');
      assert.ok(await secretOf('Main'));
    });

    it('without a word of it being missed on the way', async () => {
      const views: string[] = [];
      await opened('Main', await venue());
      const listening = access().app.active.onDidChange(() =>
        views.push(access().app.active.state.kind),
      );
      messages.answers.push('Remove');
      input.answers.push('Main');
      await run(commands.removeProfile);
      listening.dispose();
      assert.ok(!views.includes('failed') && !views.includes('opening'), views.join());
    });

    it('and a new window, which opened it by the setting, starts without a message', async () => {
      await opened('Main', await venue());
      await set('marginDesk.defaultProfile', 'Main');
      messages.answers.push('Remove');
      input.answers.push('Main');
      await run(commands.removeProfile);
      const shown = messages.shown.length;
      await access().app.accounts.restore();
      assert.equal(messages.shown.length, shown);
      assert.equal(access().app.active.state.kind, 'closed');
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
    const baseUrl = 'https://host.example';
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

    it('in Scheme to custom: settings.json opens at the profile, with a template', async () => {
      await setProfiles({ Other: { baseUrl }, Main: { baseUrl, auth: { keyHeader: 'X-Mine' } } });
      input.answers.push('Main', 'Scheme', 'custom');
      await run(commands.editProfile);
      const { auth } = (profiles() as Record<string, { readonly auth: Record<string, unknown> }>)
        .Main ?? { auth: {} };
      assert.equal(auth.scheme, 'custom');
      assert.equal(auth.keyHeader, 'X-Mine');
      assert.ok(JSON.stringify(auth.custom).includes('"stringToSign"'));
      await eventually('the profile in settings.json', () => {
        const { document, selection } = vscode.window.activeTextEditor ?? {};
        return selection && document?.getText(selection) === '"Main"';
      });
      await run('workbench.action.closeAllEditors');
    });

    it('in Scheme to custom, keeping the one that is written', async () => {
      const custom = { headers: { 'X-Token': '{token}' } };
      await setProfiles({ Main: { baseUrl, auth: { scheme: 'none', custom } } });
      input.answers.push('Main', 'Scheme', 'custom');
      await run(commands.editProfile);
      assert.deepEqual(profiles(), { Main: { baseUrl, auth: { scheme: 'custom', custom } } });
      assert.equal(input.asked.at(-1)?.value, 'none');
      await run('workbench.action.closeAllEditors');
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

    const nameSecond = async () => {
      input.answers.push('Main', 'Name', 'Second');
      await run(commands.editProfile);
    };

    it('in their name, and are not missed on the way', async () => {
      await opened('Main', await venue());
      const names: string[] = [];
      const listening = access().app.active.onDidChange(() => {
        const { state } = access().app.active;
        if ('name' in state) names.push(`${state.kind} ${state.name}`);
      });
      await nameSecond();
      await untilRead('Second');
      listening.dispose();
      assert.deepEqual(names, ['opening Second']);
    });

    it('in their name, and change nothing when the settings cannot be written', async () => {
      await opened('Main', await venue());
      const { state } = access().app.active;
      refuseSettings();
      await nameSecond();
      assert.match(messages.shown[0]?.text ?? '', /^VS Code could not write your settings/);
      assert.equal(access().app.active.state, state);
      assert.equal(remembered(), 'Main');
      assert.ok(await secretOf('Main'));
      assert.equal(await secretOf('Second'), undefined);
    });

    for (const [what, fault, state] of [
      ['does not give the key', lockSecrets, 'failed'],
      ['does not keep the key', dropSecrets, 'open'],
    ] as const)
      it(`in their name while VS Code ${what}: one sentence, and the old one stays`, async () => {
        await opened('Main', await venue());
        const secret = await secretOf('Main');
        await set('marginDesk.defaultProfile', 'Main');
        fault();
        await nameSecond();
        mend();
        assert.deepEqual(
          messages.shown.map(({ text, buttons }) => [text, buttons]),
          [
            [
              'The credentials of “Main” could not be moved to “Second” and stay where they were: enter them again by “Margin Desk: Set Credentials”.',
              ['Set Credentials'],
            ],
          ],
        );
        assert.deepEqual(Object.keys(profiles() ?? {}), ['Second']);
        assert.equal(userSetting('marginDesk.defaultProfile'), 'Second');
        assert.equal(await secretOf('Main'), secret);
        assert.equal(access().app.active.state.kind, state);
        assert.equal(remembered(), 'Second');
        await clear(...marked());
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

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../../src/host/shared/contributions.ts';
import { eventually } from '../support/eventually.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';
import { folderOfEachTest } from '../support/project.ts';
import { escape } from '../support/scriptedInput.ts';

describe('profiles of a file', () => {
  const harness = profilesUnderTest();
  const { input, messages, run, profiles, setProfiles, refuseSettings, openProfile } = harness;
  const { opened, venue, shownText } = harness;
  const folder = folderOfEachTest();

  const mine = { baseUrl: 'https://mine.example', readOnly: true };
  const other = { baseUrl: 'https://other.example', environment: 'test' };

  function fileOf(content: unknown): string {
    const file = join(folder.path, 'desk.json');
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  }

  it('are shown before anything is written: new, replacing, invalid', async () => {
    await setProfiles({ Mine: mine });
    const bad = { baseUrl: 'http://far.example' };
    await run(commands.importProfiles, fileOf({ Mine: other, New: other, Bad: bad }), escape);
    const { title, items } = input.asked[1] ?? assert.fail('nothing was shown');
    assert.equal(title, 'Import Profiles from “desk.json”');
    assert.deepEqual(
      items.map(({ label, description, picked }) => [label, description, picked]),
      [
        ['new', undefined, undefined],
        ['New', 'TEST · other.example', true],
        ['replace existing', undefined, undefined],
        ['Mine', 'TEST · other.example', false],
        ['invalid', undefined, undefined],
        ['Bad', 'invalid', false],
      ],
    );
    assert.match(items[5]?.detail ?? '', /“Bad”, baseUrl: The base URL must begin with https/);
    assert.deepEqual(profiles(), { Mine: mine });
  });

  it('replace one of the same name only after a confirmation that shows both', async () => {
    await setProfiles({ Mine: mine });
    await run(commands.importProfiles, fileOf({ Mine: other }), ['Mine']);
    const [question] = messages.shown;
    assert.ok(question?.modal);
    assert.equal(question.text, 'Replace your profile of the same name?');
    assert.match(
      question.detail,
      /now: LIVE · mine\.example · read-only\nafter import: TEST · other\.example\n/,
    );
    assert.deepEqual(profiles(), { Mine: mine });
    messages.answers.push('Replace');
    await run(commands.importProfiles, fileOf({ Mine: other }), ['Mine']);
    assert.deepEqual(profiles(), { Mine: other });
  });

  it('send no key to another host: the account asks for credentials again', async () => {
    const server = await venue();
    await opened('Mine', server);
    messages.answers.push('Replace');
    await run(commands.importProfiles, fileOf({ Mine: other }), ['Mine']);
    await eventually('the question', () =>
      messages.shown.some(({ text }) => /were entered for .* nothing was sent/.test(text)),
    );
    assert.equal(openProfile(), undefined);
  });

  it('are not imported if the file is gone or the settings cannot be written', async () => {
    await run(commands.importProfiles, join(folder.path, 'gone.json'));
    assert.match(shownText(0), /^“gone\.json” cannot be read\. Choose another/);
    refuseSettings();
    await run(commands.importProfiles, fileOf({ New: other }), ['New']);
    assert.match(shownText(1), /^VS Code could not write your settings/);
  });
});

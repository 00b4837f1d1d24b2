import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from '../../src/host/contributions.ts';
import { eventually } from '../support/eventually.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';
import { escape } from '../support/scriptedInput.ts';

describe('profiles of a file', () => {
  const {
    input,
    messages,
    run,
    profiles,
    setProfiles,
    refuseSettings,
    openProfile,
    opened,
    venue,
  } = profilesUnderTest();
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'margin-desk-import-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const mine = { baseUrl: 'https://mine.example', readOnly: true };
  const other = { baseUrl: 'https://other.example', environment: 'test' };

  function fileOf(content: unknown): string {
    const file = join(folder, 'desk.json');
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  }

  it('are shown before anything is written: new, in place of one’s own, refused', async () => {
    await setProfiles({ Mine: mine });
    const bad = { baseUrl: 'http://far.example' };
    input.answers.push(fileOf({ Mine: other, New: other, Bad: bad }), escape);
    await run(commands.importProfiles);
    const { title, items } = input.asked[1] ?? assert.fail('nothing was shown');
    assert.equal(title, 'Import Profiles from “desk.json”');
    assert.deepEqual(
      items.map(({ label, description, picked }) => [label, description, picked]),
      [
        ['new', undefined, undefined],
        ['New', 'TEST · other.example', true],
        ['in place of your own', undefined, undefined],
        ['Mine', 'TEST · other.example', false],
        ['refused', undefined, undefined],
        ['Bad', 'cannot be used', false],
      ],
    );
    assert.match(items[5]?.detail ?? '', /“Bad”, baseUrl: The base URL must begin with https/);
    assert.deepEqual(profiles(), { Mine: mine });
  });

  it('are added as they are written, without credentials, and nothing is opened', async () => {
    await setProfiles({ Mine: mine });
    input.answers.push(fileOf({ New: other, Second: mine }), ['New']);
    await run(commands.importProfiles);
    assert.deepEqual(profiles(), { Mine: mine, New: other });
    assert.equal(openProfile(), undefined);
    assert.deepEqual(
      messages.shown.map(({ text, buttons }) => [text, buttons]),
      [
        [
          'Imported: “New”. Credentials are asked for when a profile is opened.',
          ['Switch Profile'],
        ],
      ],
    );
  });

  it('replace one of the same name only after a question that shows both', async () => {
    await setProfiles({ Mine: mine });
    input.answers.push(fileOf({ Mine: other }), ['Mine']);
    await run(commands.importProfiles);
    const [question] = messages.shown;
    assert.ok(question?.modal);
    assert.equal(question.text, 'Replace your profile of the same name?');
    assert.match(
      question.detail,
      /now: LIVE · mine\.example · read-only\nthen: TEST · other\.example\n/,
    );
    assert.deepEqual(profiles(), { Mine: mine });
    input.answers.push(fileOf({ Mine: other }), ['Mine']);
    messages.answers.push('Replace');
    await run(commands.importProfiles);
    assert.deepEqual(profiles(), { Mine: other });
  });

  it('stay out where they are refused, also when they are ticked', async () => {
    const bad = { baseUrl: 'http://far.example' };
    input.answers.push(fileOf({ Practice: mine, Bad: bad }), ['Practice', 'Bad']);
    await run(commands.importProfiles);
    assert.equal(profiles(), undefined);
    assert.deepEqual(
      messages.shown.map(({ text }) => text),
      ['Nothing was imported.'],
    );
  });

  it('send no key to another host: the account asks for credentials again', async () => {
    const server = await venue();
    await opened('Mine', server);
    messages.answers.push('Replace');
    input.answers.push(fileOf({ Mine: other }), ['Mine']);
    await run(commands.importProfiles);
    await eventually('the question', () =>
      messages.shown.some(({ text }) => /were entered for .* nothing was sent/.test(text)),
    );
    assert.equal(openProfile(), undefined);
  });

  for (const [name, content, told] of [
    ['damaged', '{"Mine": ', /^“desk\.json” is damaged, or no JSON/],
    ['one with a key', { Mine: { ...mine, apiKey: 'MARKED' } }, /secret at Mine\.apiKey: nothing/],
  ] as const)
    it(`are not taken from a file that is ${name}, which stays as it is`, async () => {
      const file = fileOf(content);
      const before = readFileSync(file, 'utf8');
      input.answers.push(file);
      await run(commands.importProfiles);
      assert.match(messages.shown[0]?.text ?? '', told);
      assert.doesNotMatch(messages.shown[0]?.text ?? '', /MARKED/);
      assert.equal(input.asked.length, 1);
      assert.equal(profiles(), undefined);
      assert.equal(readFileSync(file, 'utf8'), before);
    });

  it('are not there where the file is gone, or the settings cannot be written', async () => {
    input.answers.push(join(folder, 'gone.json'));
    await run(commands.importProfiles);
    assert.match(messages.shown[0]?.text ?? '', /^“gone\.json” cannot be read: choose another/);
    refuseSettings();
    input.answers.push(fileOf({ New: other }), ['New']);
    await run(commands.importProfiles);
    assert.match(messages.shown[1]?.text ?? '', /^VS Code could not write your settings/);
  });
});

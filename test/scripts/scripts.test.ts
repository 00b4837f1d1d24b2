import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { endGroup, spawnOwnedGroup } from '../support/childProcess.ts';
import { npmCommand, runNpmScript } from '../support/npm.ts';
import { projectRoot, temporaryFolder } from '../support/project.ts';

/** `.ci/run` starts these itself, or `npm test` and `npm run test:ci` do as one of their steps. */
const startedByCi = [
  'test',
  'test:ci',
  'lint',
  'check',
  'package',
  'vscode:prepublish',
  'build',
  'bench',
];

/** What an npm script prints until this pattern is in it. Then the script is ended. */
async function printedUntil(pattern: RegExp, name: string, env = process.env): Promise<string> {
  const [command, ...first] = npmCommand();
  const child = spawnOwnedGroup(command, [...first, 'run', '--silent', name], {
    cwd: projectRoot,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  try {
    await new Promise<void>((found, ended) => {
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding('utf8').on('data', (text: string) => {
          printed += text;
          if (pattern.test(printed)) found();
        });
      child.once('exit', () => ended(new Error(`npm run ${name} ended:\n${printed}`)));
    });
    return printed;
  } finally {
    await endGroup(child);
  }
}

/** What an npm script prints that ends by itself, and well. */
async function printedBy(name: string, ...args: readonly string[]): Promise<string> {
  const { code, output } = await runNpmScript([name, ...args]);
  assert.equal(code, 0, output);
  return output;
}

const contentOf = (file: string): Promise<string> => readFile(path.join(projectRoot, file), 'utf8');

const scripts: Readonly<Record<string, () => Promise<void>>> = {
  /** Without a display, so that a VS Code is served. */
  start: async () => {
    const env = { ...process.env, DISPLAY: undefined, WAYLAND_DISPLAY: undefined };
    await printedUntil(/ http:\/\/127\.0\.0\.1:\d+\/\?tkn=\w+&folder=\S+\n/, 'start', env);
  },
  'test:fast': async () => {
    assert.match(await printedBy('test:fast', 'lint'), /^0 passed, 0 failed$/m);
  },
  'test:electron': async () => {
    const env = { ...process.env, VSCODE_EXECUTABLE: '/nowhere/code' };
    const { code, output } = await runNpmScript(['test:electron'], { env });
    assert.equal(code, 1);
    const sentence = 'VSCODE_EXECUTABLE names /nowhere/code, and there is no such file.';
    assert.equal(output.trim().split('\n')[0], sentence);
  },
  soak: async () => {
    assert.match(await printedBy('soak', 'timeZones'), /^1 passed, 0 failed$/m);
  },
  watch: async () => {
    await printedUntil(/^Built\./m, 'watch');
  },
  practice: async () => {
    const connection = JSON.parse(await printedUntil(/\}\n/, 'practice')) as { url: string };
    assert.match(connection.url, /^http:/);
  },
  format: async () => {
    await printedBy('format');
  },
  l10n: () => assertUnchanged('l10n', 'l10n/bundle.l10n.json'),
  schema: () => assertUnchanged('schema', 'package.json'),
  pictures: async () => {
    const folder = await temporaryFolder();
    try {
      await printedBy('pictures', '--first', folder.path);
      const picture = await readFile(path.join(folder.path, 'order-history.png'));
      assert.ok(picture.length > 10_000, `${picture.length} bytes`);
    } finally {
      await folder.remove();
    }
  },
};

/** What is written is what is there, as a unit test asserts. */
async function assertUnchanged(name: string, file: string): Promise<void> {
  const before = await contentOf(file);
  await printedBy(name);
  assert.equal(await contentOf(file), before);
}

describe('each npm script', () => {
  it('is started here or by CI, and there are few', async () => {
    const manifest = JSON.parse(await contentOf('package.json')) as { scripts: object };
    const names = Object.keys(manifest.scripts);
    assert.deepEqual(names.sort(), [...startedByCi, ...Object.keys(scripts)].sort());
    assert.ok(names.length <= 18, `${names.length} scripts`);
  });

  for (const [name, start] of Object.entries(scripts))
    it(`comes to its first result: npm run ${name}`, start);
});

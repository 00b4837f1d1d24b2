import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runToEnd } from '../childProcess.ts';
import { madeVariable } from '../npm.ts';
import { cacheFolder, projectRoot, temporaryFolder, type TemporaryFolder } from '../project.ts';
import { suiteOutcome, type Outcome } from '../testTotals.ts';
import type { Mutant } from './mutant.ts';

/** A copy of this checkout, in which one source file at a time has a fault. */
export class MutatedProject {
  private readonly folder: TemporaryFolder;

  private constructor(folder: TemporaryFolder) {
    this.folder = folder;
  }

  static async create(): Promise<MutatedProject> {
    const folder = await temporaryFolder();
    const { output } = await runToEnd('git', ['ls-files', '-z'], { cwd: projectRoot });
    for (const file of output.split('\0').filter(Boolean))
      await cp(path.join(projectRoot, file), path.join(folder.path, file));
    for (const linked of [path.join(projectRoot, 'node_modules'), cacheFolder])
      await symlink(linked, path.join(folder.path, path.basename(linked)));
    return new MutatedProject(folder);
  }

  /** The outcome of a test file while the source has this fault. */
  async withMutant({ file, from, to, killedBy }: Mutant): Promise<Outcome> {
    const source = path.join(this.folder.path, 'src', file);
    const text = await readFile(source, 'utf8');
    await writeFile(
      source,
      text.replace(from, () => to),
    );
    try {
      return await this.run(killedBy);
    } finally {
      await writeFile(source, text);
    }
  }

  /** The outcome of a test file, from `test`. */
  async run(testFile: string): Promise<Outcome> {
    const cwd = this.folder.path;
    const stats = path.join(cwd, '.test-results/mutant.json');
    await mkdir(path.dirname(stats), { recursive: true });
    await rm(stats, { force: true });
    const env = {
      ...process.env,
      MARGIN_DESK_SOAK: '',
      MARGIN_DESK_TEST_STATS: stats,
      // What this checkout made is without the fault.
      [madeVariable]: '',
      MARGIN_DESK_LEDGER_WORKER: '',
    };
    const [command, ...args] = commandOf(testFile);
    const { code } = await runToEnd(command, args, { cwd, env });
    return suiteOutcome(code, await readFile(stats, 'utf8').catch(() => undefined));
  }

  remove(): Promise<void> {
    return this.folder.remove();
  }
}

function commandOf(testFile: string): readonly [string, ...string[]] {
  return testFile.startsWith('host/')
    ? ['npm', 'test', '--silent', '--', 'host', path.basename(testFile, '.test.ts')]
    : ['npx', 'mocha', '--bail', '--timeout', '120000', path.join('test', testFile)];
}

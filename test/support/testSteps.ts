import path from 'node:path';
import { runToEnd, type RunOptions } from './childProcess.ts';
import { runNpmScript } from './npm.ts';
import { projectRoot } from './project.ts';
import { PlainFailure } from './script.ts';

/** What has to be there before a step: the package, the build, a VS Code to serve and a browser, the oldest VS Code. */
export type Need = 'package' | 'build' | 'server' | 'floor';

/** One part of a run of tests. */
export type Step = {
  /** Chooses it: `npm test -- unit`. */
  readonly name: string;
  readonly title: string;
  /** A suite counts its tests; any other step passes or fails. */
  readonly isSuite: boolean;
  readonly needs: readonly Need[];
  /** The words choose test files, or are arguments. */
  readonly run: (words: readonly string[], options: RunOptions) => ReturnType<typeof runToEnd>;
};

/** `npm run test:fast`: what needs no VS Code. */
const fast: readonly Step[] = [
  npmStep('lint', 'Lint and format'),
  npmStep('check', 'Types'),
  mochaStep('exchange', 'Exchange tests', ['--parallel', '--jobs', '4', '--timeout', '120000'], []),
  mochaStep('unit', 'Unit tests', ['--parallel', '--jobs', '2'], []),
];

const host = ['test/support/hostTests.ts'];
const inWorkbench = ['--timeout', '120000', '--require', './test/support/workbench/hooks.ts'];

/** The host tests use one core only, so they come first. */
const served: readonly Step[] = [
  nodeStep('host', 'Host tests', host, ['build', 'server']),
  mochaStep(
    'workbench',
    'Workbench tests',
    ['--parallel', '--jobs', '2', ...inWorkbench],
    ['package', 'server'],
    { files: ['test/workbench/*.test.ts'] },
  ),
  nodeStep('floor', 'Host tests at the floor', [...host, '--floor'], ['build', 'server', 'floor']),
];

/** `npm run test:ci`: what takes minutes of computing, and every script up to its first result. */
const ci: readonly Step[] = [
  npmStep('bench', 'Bench with small sizes', ['--small'], ['package', 'server']),
  mochaStep('scripts', 'Scripts', ['--timeout', '300000'], ['package', 'build', 'server']),
  nodeStep('readers', 'Readers', ['test/readers/run.ts'], []),
  mochaStep('days', 'Days of the practice account', [], [], {
    files: ['test/soak/practiceDays.test.ts'],
  }),
];

/** What a script of its own starts. */
const others: readonly Step[] = [
  nodeStep('electron', 'Host tests in desktop VS Code', [...host, '--desktop'], ['build']),
  nodeStep(
    'bench',
    'Bench',
    ['--import', './test/support/vscodeStub.ts', 'bench/run.ts'],
    ['package', 'server'],
  ),
  mochaStep('soak', 'Soak', inWorkbench, ['package', 'server'], {
    files: ['test/soak/**/*.test.ts', 'test/workbench/soak/*.test.ts'],
    env: { MARGIN_DESK_SOAK: '1' },
  }),
];

const groups = new Map([
  ['all', [...fast, ...served]],
  ['fast', fast],
  ['ci', ci],
]);

/** A group alone or some of its steps; or one step with words for it. */
export function chosenSteps([name = 'all', ...words]: readonly string[]): {
  readonly steps: readonly Step[];
  readonly words: readonly string[];
} {
  const group = groups.get(name);
  if (!group) return { steps: [stepNamed(name, [...others, ...fast, ...served, ...ci])], words };
  if (words.length === 0) return { steps: group, words };
  return { steps: words.map((word) => stepNamed(word, group)), words: [] };
}

function stepNamed(name: string, steps: readonly Step[]): Step {
  const step = steps.find((each) => each.name === name);
  if (step) return step;
  const names = [...new Set(steps.map((each) => each.name))].join(', ');
  throw new PlainFailure(`There are no tests named "${name}", but these: ${names}.`);
}

/** An npm script. One that has stats is a suite. */
function npmStep(
  name: string,
  title: string,
  args?: readonly string[],
  needs: readonly Need[] = [],
): Step {
  const run: Step['run'] = (words, options) =>
    runNpmScript([name, ...(args ?? []), ...words], options);
  return { name, title, isSuite: args !== undefined, needs, run };
}

/** A script of ours that leaves stats. */
function nodeStep(
  name: string,
  title: string,
  args: readonly string[],
  needs: readonly Need[],
): Step {
  const run: Step['run'] = (words, options) =>
    runToEnd(process.execPath, [...args, ...words], { cwd: projectRoot, ...options });
  return { name, title, isSuite: true, needs, run };
}

/** Test files, or only those with one of the words in their name. */
function mochaStep(
  name: string,
  title: string,
  flags: readonly string[],
  needs: readonly Need[],
  { files = [`test/${name}/**/*.test.ts`], env = {} } = {},
): Step {
  const run: Step['run'] = (words, options) => {
    const chosen = words.flatMap((word) =>
      files.map((file) => file.replace('*.test.ts', `*${word}*.test.ts`)),
    );
    const mocha = path.join(projectRoot, 'node_modules/mocha/bin/mocha.js');
    const args = [mocha, ...flags, ...(words.length > 0 ? chosen : files)];
    const allEnv = { ...(options.env ?? process.env), ...env };
    return runToEnd(process.execPath, args, { cwd: projectRoot, ...options, env: allEnv });
  };
  return { name, title, isSuite: true, needs, run };
}

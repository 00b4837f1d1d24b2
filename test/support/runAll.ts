import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { format, parseArgs } from 'node:util';
import { ensureChromium } from './chromium.ts';
import { installNode } from './nodeInstall.ts';
import { runNpmScript, type NpmScript } from './npm.ts';
import { projectRoot } from './project.ts';
import { PlainFailure, script } from './script.ts';
import { stepOutcome, suiteOutcome, total, totalsLine, type Outcome } from './testTotals.ts';
import { floor, installVsCode } from './vscodeInstall.ts';

type Step = {
  readonly title: string;
  readonly npmScript: NpmScript;
  /** A suite counts its tests; any other step passes or fails. */
  readonly isSuite: boolean;
};

const fastSteps: readonly Step[] = [
  { title: 'Lint and format', npmScript: ['lint'], isSuite: false },
  { title: 'Types', npmScript: ['check'], isSuite: false },
  { title: 'Exchange tests', npmScript: ['test:exchange'], isSuite: true },
  { title: 'Unit tests', npmScript: ['test:unit'], isSuite: true },
];

/** They need what `prepare` makes. The host tests use one core only, so they come first. */
const servedSteps: readonly Step[] = [
  { title: 'Host tests', npmScript: ['test:host'], isSuite: true },
  { title: 'Workbench tests', npmScript: ['test:workbench'], isSuite: true },
  { title: 'Host tests at the floor', npmScript: ['test:floor'], isSuite: true },
];

/**
 * What tests of a page, the host or the client prove too, once more in a whole VS Code, and what takes
 * a minute of computing.
 */
const ciSteps: readonly Step[] = [
  { title: 'Further workbench tests', npmScript: ['test:workbench:ci'], isSuite: true },
  { title: 'Days of the practice account', npmScript: ['test:days:ci'], isSuite: true },
];

/**
 * `npm test`: every step, also after one failed. They run side by side; each prints when it ends, what
 * failed is printed again at the end, and the last line has the totals. `npm run test:fast`, `--fast`:
 * the steps that need no VS Code. `npm run test:ci`, `--ci`: the steps that only CI runs, after these.
 */
await script(async () => {
  const { values } = parseArgs({
    options: {
      fast: { type: 'boolean', default: false },
      ci: { type: 'boolean', default: false },
    },
  });
  const served = values.ci ? ciSteps : servedSteps;
  const outcomes = await runSteps(values.ci ? [] : [...fastSteps], values.fast ? [] : served);
  const all = total(outcomes);
  if (all.failures.length > 0) console.log(`\n== Failed\n\n${all.failures.join('\n\n')}`);
  console.log(`\n${totalsLine(all)}`);
  return all.failed > 0 ? 1 : 0;
});

/**
 * Two steps at a time, and a third once VS Code can serve its own, which come first then: they wait for
 * a server or a window now and then, so that three keep two cores busy.
 */
async function runSteps(waiting: Step[], served: readonly Step[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift())
      outcomes.push(await runStep(step));
  };
  const first = [work(), work()];
  if (served.length > 0) {
    const prepared = await prepare();
    outcomes.push(prepared);
    if (prepared.failed === 0) waiting.unshift(...served);
  }
  await Promise.all([...first, work()]);
  return outcomes;
}

/** Makes the package, then the build that the host tests load, and installs what serves them. */
async function prepare(): Promise<Outcome> {
  const installed = Promise.all([
    ensureChromium(),
    installVsCode(),
    installVsCode(floor.codeServer),
    installNode(floor.node),
  ]);
  const failures = installed.then((): string[] => [], reasonOf);
  for (const name of ['package', 'build']) {
    const { code, output } = await runNpmScript([name]);
    if (code !== 0) (await failures).push(`npm run ${name}:\n${output.trimEnd()}`);
  }
  const all = await failures;
  return { passed: 0, failed: all.length, failures: all };
}

function reasonOf(error: unknown): string[] {
  return [error instanceof PlainFailure ? error.message : format(error)];
}

async function runStep({ title, npmScript, isSuite }: Step): Promise<Outcome> {
  const command = npmScript.join(' ');
  const statsFile = path.join(projectRoot, '.test-results', `${command.replace(/\W+/g, '-')}.json`);
  await rm(statsFile, { force: true });
  const startedAt = performance.now();
  const { code, output } = await runNpmScript(npmScript, {
    MARGIN_DESK_TEST_STATS: statsFile,
    // Every process loads much of the same code.
    NODE_COMPILE_CACHE: path.join(projectRoot, '.test-results', 'compile-cache'),
    // What the scripts before the suites make is there already.
    npm_config_ignore_scripts: 'true',
  });
  const [from, to] = [startedAt, performance.now()].map((ms) => Math.round(ms / 1000));
  console.log(`\n== ${title} (npm run ${command}), ${from} s to ${to} s\n\n${output.trimEnd()}`);
  const outcome = isSuite
    ? suiteOutcome(code, await readFile(statsFile, 'utf8').catch(() => undefined))
    : stepOutcome(code);
  return { ...outcome, failures: outcome.failures.map((failure) => `${title}: ${failure}`) };
}

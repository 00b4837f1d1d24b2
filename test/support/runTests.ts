import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { format } from 'node:util';
import { ensureChromium } from './chromium.ts';
import { make, madeVariable } from './npm.ts';
import { projectRoot } from './project.ts';
import { PlainFailure, script } from './script.ts';
import { chosenSteps, type Need, type Step } from './testSteps.ts';
import {
  statsOf,
  stepOutcome,
  suiteOutcome,
  total,
  totalsLine,
  writeStats,
  type Outcome,
} from './testTotals.ts';
import { floor, installNode, installVsCode } from './vscodeInstall.ts';

/** What a step came to; without one, what was made for all of them. */
type Ended = { readonly step?: Step; readonly outcome: Outcome };

/** They wait for a server or a window now and then, so that three keep two cores busy. */
const mostAtATime = 3;

/**
 * Every script that tests. Its words choose the steps: see `testSteps.ts`. All of them run, also after one failed,
 * side by side; each prints when it ends, a single one as it goes. In CI, the files that failed run again.
 * What failed is printed again at the end, and the last line has the totals.
 */
await script(async () => {
  const { steps, words } = chosenSteps(process.argv.slice(2));
  const ended = await runSteps(steps, words);
  const flaky: string[] = [];
  const outcomes: Outcome[] = [];
  // One that another run started is tried again by that.
  const triesAgain = process.env.CI && !process.env[madeVariable];
  for (const each of ended)
    outcomes.push(triesAgain ? await tryAgain(each, words, flaky) : each.outcome);
  const all = total(outcomes);
  if (flaky.length > 0) console.log(`\n== Passed only at the second try\n\n${inShort(flaky)}`);
  if (all.failures.length > 0) console.log(`\n== Failed\n\n${inShort(all.failures)}`);
  console.log(`\n${totalsLine(all)}`);
  writeStats(statsOf(all.passed, all.failures));
  return all.failed > 0 ? 1 : 0;
});

/** Each step has printed all of it. */
function inShort(failures: readonly string[]): string {
  return failures.map((each) => each.split('\n').slice(0, 4).join('\n')).join('\n\n');
}

/** Two steps at a time until what the others need is made; then these come first. */
async function runSteps(steps: readonly Step[], words: readonly string[]): Promise<Ended[]> {
  const waiting = steps.filter(({ needs }) => needs.length === 0);
  const others = steps.filter(({ needs }) => needs.length > 0);
  const outcomes: Ended[] = [];
  let working = 0;
  const work = async (): Promise<void> => {
    working += 1;
    for (let step = waiting.shift(); step; step = waiting.shift())
      outcomes.push({ step, outcome: await runStep(step, words, steps.length === 1) });
    working -= 1;
  };
  const first = [work(), work()];
  const prepared = await prepare(new Set(others.flatMap(({ needs }) => needs)));
  outcomes.push({ outcome: prepared });
  if (prepared.failed === 0) waiting.unshift(...others);
  await Promise.all([...first, ...Array.from({ length: mostAtATime - working }, work)]);
  return outcomes;
}

/**
 * Two cores that run three steps can be too slow for a test. What failed runs a second time, alone; what
 * passes then is `flaky` and is named: it may be a race all the same.
 */
async function tryAgain(
  { step, outcome }: Ended,
  words: readonly string[],
  flaky: string[],
): Promise<Outcome> {
  if (!step || outcome.failed === 0) return outcome;
  console.log(`\n== Again: ${step.title}`);
  const { failedFiles } = outcome;
  const second = await runStep(step, failedFiles.length > 0 ? failedFiles : words, false);
  if (second.failed > 0) return outcome;
  flaky.push(...outcome.failures);
  return { ...second, passed: outcome.passed + (step.isSuite ? outcome.failed : 0) };
}

/** Makes the package, then the build that the host tests load, and installs what serves them. */
async function prepare(needs: ReadonlySet<Need>): Promise<Outcome> {
  const failures: string[] = [];
  const attempt = (work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: unknown) => {
      failures.push(error instanceof PlainFailure ? error.message : format(error));
    });
  const installs: Promise<unknown>[] = [];
  if (needs.has('server')) installs.push(attempt(ensureChromium()), attempt(installVsCode()));
  if (needs.has('floor'))
    installs.push(attempt(installVsCode(floor.codeServer)), attempt(installNode(floor.node)));
  for (const name of ['package', 'build'] as const) if (needs.has(name)) await attempt(make(name));
  await Promise.all(installs);
  return { passed: 0, failed: failures.length, failures, failedFiles: [] };
}

async function runStep(step: Step, words: readonly string[], isAlone: boolean): Promise<Outcome> {
  const { name, title, isSuite } = step;
  const results = path.join(projectRoot, '.test-results');
  const statsFile = path.join(results, `${name.replace(/\W+/g, '-')}.json`);
  await rm(statsFile, { force: true });
  const env = {
    ...process.env,
    MARGIN_DESK_TEST_STATS: statsFile,
    // Every process loads much of the same code.
    NODE_COMPILE_CACHE: path.join(results, 'compile-cache'),
    [madeVariable]: '1',
  };
  const startedAt = performance.now();
  const print = isAlone ? (text: string) => void process.stdout.write(text) : () => undefined;
  const { code, output } = await step.run(words, { env, print });
  const [from, to] = [startedAt, performance.now()].map((ms) => Math.round(ms / 1000));
  if (!isAlone) console.log(`\n== ${title} (${name}), ${from} s to ${to} s\n\n${output.trimEnd()}`);
  const outcome = isSuite
    ? suiteOutcome(code, await readFile(statsFile, 'utf8').catch(() => undefined))
    : stepOutcome(code);
  if (isAlone) return outcome;
  return { ...outcome, failures: outcome.failures.map((failure) => `${title}: ${failure}`) };
}

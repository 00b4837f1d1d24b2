/**
 * The practice exchange on its own. From the command line (`--port N --seed N --now DATE`) it prints
 * one JSON line with `url`, `apiKey` and `apiSecret`, and serves until it gets a signal. As a worker
 * thread (`workerData: { port, seed }`) it posts the same three to its parent.
 */

import { parseArgs } from 'node:util';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { systemClock, type Clock } from '../base/time.ts';
import { serveExchange, type ServedExchange } from './http/practiceServer.ts';
import { startOfDate } from './http/queryParameters.ts';

type StartOptions = { readonly port: number; readonly seed: number };

const defaults: StartOptions = { port: 0, seed: 1 };
/** The date at which the exchange's clock starts: for tests, whose result must not depend on today. */
const nowVariable = 'MARGIN_DESK_PRACTICE_NOW';

async function serveFromCommandLine(): Promise<void> {
  const { port, seed, now } = parseOptions(process.argv.slice(2));
  const exchange = await serveExchange({
    port: wholeNumber('--port', port, defaults.port, 65_535),
    seed: wholeNumber('--seed', seed, defaults.seed, Number.MAX_SAFE_INTEGER),
    clock: now === undefined ? clockFromEnvironment() : clockStartingAt('--now', now),
  });
  const stop = (): void => void exchange.close().then(() => process.exit(0));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  if (process.env.npm_lifecycle_event !== undefined) whenOrphaned(stop);
  process.stdout.write(`${JSON.stringify(connectionOf(exchange))}\n`);
}

async function serveFromWorker(): Promise<void> {
  const options = workerData as Partial<StartOptions> | null;
  const clock = clockFromEnvironment();
  parentPort?.postMessage(connectionOf(await serveExchange({ ...defaults, ...options, clock })));
}

/** A signal that is sent only to npm ends npm, but not the process that npm started. */
function whenOrphaned(stop: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, 500);
  timer.unref();
}

function connectionOf({ url, apiKey, apiSecret }: ServedExchange) {
  return { url, apiKey, apiSecret };
}

function parseOptions(args: string[]) {
  const option = { type: 'string' } as const;
  try {
    return parseArgs({ args, options: { port: option, seed: option, now: option } }).values;
  } catch {
    throw new Error(`Use only --port N, --seed N and --now DATE, not "${args.join(' ')}".`);
  }
}

function wholeNumber(
  name: string,
  text: string | undefined,
  missing: number,
  high: number,
): number {
  if (text === undefined) return missing;
  if (!/^\d{1,16}$/.test(text) || Number(text) > high) {
    throw new Error(`${name} must be a whole number from 0 to ${high}, not "${text}".`);
  }
  return Number(text);
}

function clockFromEnvironment(): Clock {
  const now = process.env[nowVariable];
  return now === undefined || now === '' ? systemClock : clockStartingAt(nowVariable, now);
}

/** A clock that shows this date now, and runs on from there. */
function clockStartingAt(name: string, date: string): Clock {
  const start = startOfDate(date);
  if (start === undefined) {
    throw new Error(`${name} must be a date such as 2026-11-20T12:00:00Z, not "${date}".`);
  }
  const offsetMs = start - systemClock.now();
  return { ...systemClock, now: () => systemClock.now() + offsetMs };
}

function endWith(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** Outside of any promise, an exception reaches the parent as the worker's error. */
function throwLater(error: unknown): void {
  process.nextTick(() => {
    throw error;
  });
}

if (isMainThread) serveFromCommandLine().catch(endWith);
else serveFromWorker().catch(throwLater);

import { parseArgs } from 'node:util';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { serveExchange, type ServedExchange } from './serve.ts';

/**
 * The practice exchange alone. From the command line (`--port N --seed N`) it prints one JSON line
 * with `url`, `apiKey` and `apiSecret` and serves until it is told to stop; as a worker thread
 * (`workerData: { port, seed }`) it posts the same three to its parent.
 */
type Start = { readonly port: number; readonly seed: number };

const defaults: Start = { port: 0, seed: 1 };

async function serveFromCommandLine(): Promise<void> {
  const exchange = await serveExchange(startFrom(process.argv.slice(2)));
  const stop = (): void => void exchange.close().then(() => process.exit(0));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  if (process.env.npm_lifecycle_event !== undefined) whenOrphaned(stop);
  process.stdout.write(`${JSON.stringify(introduction(exchange))}\n`);
}

async function serveFromWorker(): Promise<void> {
  const start = workerData as Partial<Start> | null;
  parentPort?.postMessage(introduction(await serveExchange({ ...defaults, ...start })));
}

/** A signal sent to npm alone ends npm and not what it started. */
function whenOrphaned(stop: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, 500);
  timer.unref();
}

function introduction({ url, apiKey, apiSecret }: ServedExchange) {
  return { url, apiKey, apiSecret };
}

function startFrom(args: string[]): Start {
  const { port, seed } = optionsFrom(args);
  return {
    port: wholeNumber('--port', port, defaults.port, 65_535),
    seed: wholeNumber('--seed', seed, defaults.seed, Number.MAX_SAFE_INTEGER),
  };
}

function optionsFrom(args: string[]) {
  try {
    return parseArgs({ args, options: { port: { type: 'string' }, seed: { type: 'string' } } })
      .values;
  } catch {
    throw new Error(`Only --port N and --seed N are understood, not "${args.join(' ')}".`);
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

function endWith(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** Thrown outside of any promise, a failure reaches the parent as the worker's error. */
function throwLater(error: unknown): void {
  process.nextTick(() => {
    throw error;
  });
}

if (isMainThread) serveFromCommandLine().catch(endWith);
else serveFromWorker().catch(throwLater);

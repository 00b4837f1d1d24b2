import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { fetchers, type Fetch } from '../../src/exchange/http/fetch.ts';
import { endProcess, spawnOwned } from './childProcess.ts';
import { projectRoot } from './project.ts';

/** What the proxy found wrong with one exchange of request and answer, in its own words. */
export type Violation = { readonly request: string; readonly found: string };

/**
 * Prism between a client and a server: checks both directions against `media/openapi.yaml`. It
 * rewrites what it forwards: numbers of an answer with the digits of a float, and in a query a space,
 * `~` and `*` in another encoding, which breaks the signature. Everything else is unchanged.
 */
export type ContractProxy = {
  readonly url: string;
  /** Fetches as ever, and notes the violations that the proxy reports with the answer. */
  readonly fetch: Fetch;
  readonly violations: readonly Violation[];
  close(): Promise<void>;
};

const contract = path.join(projectRoot, 'media/openapi.yaml');
const prism = createRequire(import.meta.url).resolve('@stoplight/prism-cli');

/** Starts a proxy of its own in front of `upstream`, on any free port. */
export async function contractProxy(upstream: string): Promise<ContractProxy> {
  const args = [prism, 'proxy', contract, upstream, '--port', '0', '--cors', 'false'];
  const child = spawnOwned(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const { stdout, stderr } = child as typeof child & { stdout: Readable; stderr: Readable };
  const url = await Promise.race([
    addressIn(stdout.setEncoding('utf8')),
    once(child, 'exit').then(() => failedWith(stderr)),
  ]);
  stderr.resume();
  const violations: Violation[] = [];
  const watched: Fetch = async (target, request) => {
    const answer = await fetchers['node-fetch'](target, request);
    const found = answer.headers.get('sl-violations');
    if (found !== null) violations.push({ request: target.slice(url.length), found });
    return answer;
  };
  return { url, fetch: watched, violations, close: () => endProcess(child) };
}

/** The address in the line that says that the proxy listens; what is printed after it is thrown away. */
function addressIn(output: Readable): Promise<string> {
  let printed = '';
  return new Promise((found) => {
    output.on('data', (text: string) => {
      printed = (printed + text).slice(-10_000);
      const address = /Prism is listening on (http:\/\/[\d.:]+)/.exec(printed)?.[1];
      if (address !== undefined) found(address);
    });
  });
}

async function failedWith(errors: Readable): Promise<never> {
  const texts: string[] = [];
  for await (const text of errors.setEncoding('utf8')) texts.push(String(text));
  throw new Error(`The contract proxy ended before it listened:\n${texts.join('')}`);
}

import { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Profile } from '../../account/profile.ts';
import type { Disposable } from '../../base/disposable.ts';
import { SentenceError } from '../../base/sentenceError.ts';
import { defaultHmacQuery } from '../../exchange/auth/scheme.ts';
import { defaultSignedOperations } from '../../exchange/auth/signedOperations.ts';
import { autoDialect } from '../../exchange/dialect/dialect.ts';
import type { Login } from './login.ts';
import { practiceName } from './profileName.ts';

const readySchema = v.object({ url: v.string(), apiKey: v.string(), apiSecret: v.string() });
const seed = 1;

/** This window's own practice exchange: a worker thread that serves on loopback, started on first use. */
export class PracticeExchange implements Disposable {
  private readonly workerFile: string;
  private worker: Worker | undefined;
  private started: Promise<Login> | undefined;

  constructor(workerFile: string) {
    this.workerFile = workerFile;
  }

  /** Where the exchange is and its key; starts it when it does not run. */
  start(): Promise<Login> {
    this.started ??= this.startWorker().catch((cause: unknown) => {
      this.dispose();
      throw new SentenceError(
        vscode.l10n.t('The practice exchange did not start: reload the window to try again.'),
        { cause },
      );
    });
    return this.started;
  }

  /** Whether it serves, or is about to. */
  get isRunning(): boolean {
    return this.started !== undefined;
  }

  dispose(): void {
    this.started = undefined;
    this.worker?.terminate().catch(() => undefined);
    this.worker = undefined;
  }

  private async startWorker(): Promise<Login> {
    const worker = new Worker(this.workerFile, { workerData: { port: 0, seed } });
    this.worker = worker;
    const message = await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`exit ${code}`)));
    });
    worker.once('exit', () => this.forget(worker));
    const { url, ...credentials } = v.parse(readySchema, message);
    return { profile: practiceProfile(url), credentials };
  }

  /** An exchange that ended by itself is started anew on next use. */
  private forget(worker: Worker): void {
    if (this.worker === worker) this.dispose();
  }
}

function practiceProfile(baseUrl: string): Profile {
  return {
    name: practiceName,
    environment: 'practice',
    baseUrl,
    readOnly: false,
    auth: defaultHmacQuery,
    sign: defaultSignedOperations,
    dialect: autoDialect,
  };
}

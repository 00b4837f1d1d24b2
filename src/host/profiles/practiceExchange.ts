import { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import type { Profile } from '../../account/session/profile.ts';
import type { Disposable } from '../../base/disposable.ts';
import { UserFacingError } from '../../base/errors.ts';
import { defaultHmacQuery } from '../../exchange/auth/scheme.ts';
import { defaultConventions } from '../../exchange/history/apiConventions.ts';
import { defaultSignedOperations } from '../../api/operations.ts';
import type { ConnectionDetails } from './credentials.ts';
import { practiceName } from './parseProfile.ts';
import { t } from '../shared/translate.ts';

/** Those of `src/practice`; the host may not import it. */
export const practiceConventions = {
  ...defaultConventions,
  maxPageSize: 500,
  sort: 'newestFirst',
  dateTo: 'inclusive',
} as const;

const readySchema = v.object({ url: v.string(), apiKey: v.string(), apiSecret: v.string() });
const seed = 1;

/** The practice exchange of this window: a worker thread that serves on loopback, started on first use. */
export class PracticeExchange implements Disposable {
  private readonly workerFile: string;
  private worker: Worker | undefined;
  private starting: Promise<ConnectionDetails> | undefined;

  constructor(workerFile: string) {
    this.workerFile = workerFile;
  }

  /** Starts the exchange if it is not running. */
  start(): Promise<ConnectionDetails> {
    this.starting ??= this.startWorker().catch((cause: unknown) => {
      this.dispose();
      throw new UserFacingError(
        t('The practice exchange did not start. Reload the window to try again.'),
        { cause },
      );
    });
    return this.starting;
  }

  /** Running or starting. */
  get isRunning(): boolean {
    return this.starting !== undefined;
  }

  dispose(): void {
    this.starting = undefined;
    this.worker?.terminate().catch(() => undefined);
    this.worker = undefined;
  }

  private async startWorker(): Promise<ConnectionDetails> {
    const worker = new Worker(this.workerFile, { workerData: { port: 0, seed } });
    this.worker = worker;
    const message = await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`exit ${code}`)));
    });
    // It is started again on next use.
    worker.once('exit', () => {
      if (this.worker === worker) this.dispose();
    });
    const { url, ...credentials } = v.parse(readySchema, message);
    return { profile: practiceProfile(url), credentials };
  }
}

function practiceProfile(baseUrl: string): Profile {
  return {
    name: practiceName,
    environment: 'practice',
    baseUrl,
    readOnly: false,
    limitPer: 'key',
    auth: defaultHmacQuery,
    sign: defaultSignedOperations,
    dialect: practiceConventions,
  };
}

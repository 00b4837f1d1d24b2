import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { abortable } from '../../base/abort.ts';
import type { Disposable } from '../../base/disposable.ts';

/** The source beside this file, or the bundle beside that of this file. */
const extension = path.extname(import.meta.filename);
const workerFile = path.join(import.meta.dirname, `exchangeInfoWorker${extension}`);

/** Shortens large exchange information to what is used, in a thread: it would block the window for a second. */
export class ExchangeInfoThread implements Disposable {
  private readonly worker = new Worker(workerFile, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  private readonly text = new Promise<string>((resolve, reject) => {
    this.worker.once('message', resolve);
    this.worker.once('error', reject);
    this.worker.once('exit', () => reject(new Error('The thread ended without an answer.')));
  });

  add(bytes: Uint8Array): void {
    const copy = new Uint8Array(bytes);
    this.worker.postMessage(copy, [copy.buffer]);
  }

  /** Rejects if the bytes are not UTF-8, or with the signal's reason. */
  end(signal: AbortSignal): Promise<string> {
    this.worker.postMessage(null);
    return abortable(this.text, signal);
  }

  dispose(): void {
    this.text.catch(() => undefined);
    void this.worker.terminate();
  }
}

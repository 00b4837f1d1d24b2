import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { ExchangeError } from '../../exchange/exchangeError.ts';
import type { RequestLogEntry } from '../../exchange/http/requestLog.ts';

/** The log. It never contains text of an error or a server: that could contain a secret. */
export class Log implements Disposable {
  private readonly channel = vscode.window.createOutputChannel('Margin Desk', { log: true });

  show(): void {
    this.channel.show(true);
  }

  /** One line per request, also for each retry. */
  request({ method, path, parameterNames, attempt, result, durationMs }: RequestLogEntry): void {
    const names = parameterNames.length === 0 ? '' : `?${parameterNames.join('&')}`;
    const retry = attempt === 1 ? '' : `, attempt ${attempt}`;
    this.channel.info(`${method} ${path}${names} → ${result} (${durationMs} ms${retry})`);
  }

  info(event: string): void {
    this.channel.info(event);
  }

  /** A failure: kind and status if it is the exchange's, else its type and stack. */
  failure(activity: string, error: unknown): void {
    this.channel.error(`${activity}: ${errorSummary(error)}`);
  }

  dispose(): void {
    this.channel.dispose();
  }
}

function errorSummary(error: unknown): string {
  if (error instanceof ExchangeError) {
    const { operation, kind, sent, status } = error.failure;
    return `${operation} failed: ${kind}, sent: ${sent}${status === undefined ? '' : `, HTTP ${status}`}`;
  }
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [error.name, ...frames.slice(0, 8)].join('\n');
}

/** For promises that nobody awaits: logs their rejection. */
export function logRejection(log: Log, activity: string, promise: PromiseLike<unknown>): void {
  promise.then(undefined, (error: unknown) => log.failure(activity, error));
}

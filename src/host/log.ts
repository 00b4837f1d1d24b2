import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { ExchangeError } from '../exchange/errors.ts';
import type { RequestRecord } from '../exchange/requestRecord.ts';

/** The log. It takes facts, never free text from an error or a server: those may carry a secret. */
export class Log implements Disposable {
  private readonly channel = vscode.window.createOutputChannel('Margin Desk', { log: true });

  show(): void {
    this.channel.show(true);
  }

  /** One line a request; a read that was sent again has one for each time. */
  request({ method, path, parameterNames, attempt, result, durationMs }: RequestRecord): void {
    const names = parameterNames.length === 0 ? '' : `?${parameterNames.join('&')}`;
    const again = attempt === 1 ? '' : `, attempt ${attempt}`;
    this.channel.info(`${method} ${path}${names} → ${result} (${durationMs} ms${again})`);
  }

  /** What happened, without details. */
  info(event: string): void {
    this.channel.info(event);
  }

  /** A failure: its facts when it is the exchange's, else its type and where it was thrown. */
  failure(doing: string, error: unknown): void {
    this.channel.error(`${doing}: ${describe(error)}`);
  }

  dispose(): void {
    this.channel.dispose();
  }
}

function describe(error: unknown): string {
  if (error instanceof ExchangeError) {
    const { operation, kind, sent, status } = error.failure;
    return `${operation} failed: ${kind}, sent: ${sent}${status === undefined ? '' : `, HTTP ${status}`}`;
  }
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [error.name, ...frames.slice(0, 8)].join('\n');
}

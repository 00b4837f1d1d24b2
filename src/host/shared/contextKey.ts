import * as vscode from 'vscode';
import type { contextKeys } from './contributions.ts';
import { logRejection, type Log } from './log.ts';

/** For `when` clauses, and for the steps of the walkthrough. Each call is a message to the window. */
export function setContextKey(
  log: Log,
  key: (typeof contextKeys)[keyof typeof contextKeys],
  value: boolean | string,
): void {
  const set = vscode.commands.executeCommand('setContext', key, value);
  logRejection(log, 'setting a context key', set);
}

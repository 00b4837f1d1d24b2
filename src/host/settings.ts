import * as vscode from 'vscode';
import { fetchers, type FetcherName } from '../exchange/fetch.ts';
import { settings } from './contributions.ts';

/**
 * The person's own value of a setting. Values of a workspace or folder are not looked at: no
 * repository may choose what an account talks to.
 */
function userValue(key: keyof typeof settings): unknown {
  const inspected = vscode.workspace.getConfiguration().inspect(key);
  return inspected?.globalValue ?? settings[key];
}

/** Who carries the requests; a value that is none of the offered ones counts as the default. */
export function httpSetting(): FetcherName {
  const value = userValue('marginDesk.http');
  return typeof value === 'string' && Object.hasOwn(fetchers, value)
    ? (value as FetcherName)
    : settings['marginDesk.http'];
}

/** The profile that a new window opens; empty for none. */
export function defaultProfileSetting(): string {
  const value = userValue('marginDesk.defaultProfile');
  return typeof value === 'string' ? value : '';
}

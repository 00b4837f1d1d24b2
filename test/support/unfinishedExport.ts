import { readdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import { always } from '../../src/base/interval.ts';
import { planExport } from '../../src/account/export/exportPlan.ts';
import { ExportLedgers, profilePrefix } from '../../src/account/export/exportLedgers.ts';
import { systemClock } from '../../src/base/time.ts';
import { defaultConventions } from '../../src/exchange/history/apiConventions.ts';
import type { TestAccess } from '../../src/extension.ts';
import { clientFor } from './exchangeClient.ts';
import { someProfile } from './testExporter.ts';

/** Leaves an interrupted export of a profile. The returned function lists the files of the profile's exports. */
export async function leaveExport(
  { context }: TestAccess,
  profile: string,
): Promise<() => Promise<readonly string[]>> {
  const folder = vscode.Uri.joinPath(context.globalStorageUri, 'exports').fsPath;
  const account = {
    profile: { ...someProfile, name: profile },
    fingerprint: '1f3a',
    serverNow: () => systemClock.now(),
    conventions: { current: defaultConventions },
  };
  const request = { operation: 'trades', filters: {} } as const;
  const plan = planExport(account, { request, period: always }, 'csv');
  const workerFile = context.asAbsolutePath('dist/ledgerWorker.cjs');
  const exports = new ExportLedgers({ folder, workerFile, clock: systemClock });
  const client = clientFor({ url: 'http://127.0.0.1:9' });
  const { signal } = new AbortController();
  const ledger = await exports.open(plan, { client, request, signal, onWait: () => undefined });
  await ledger.close();
  return async () =>
    (await readdir(folder)).filter((file) => file.startsWith(profilePrefix(profile)));
}

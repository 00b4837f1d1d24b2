import { readdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import { always } from '../../src/base/interval.ts';
import { planExport } from '../../src/account/export/exportPlan.ts';
import { profilePrefix, PartialExports } from '../../src/account/export/partialExports.ts';
import { systemClock } from '../../src/base/time.ts';
import { defaultConventions } from '../../src/exchange/conventions/apiConventions.ts';
import type { TestAccess } from '../../src/extension.ts';
import { someProfile } from './testExporter.ts';

/** Leaves a cancelled export of a profile. The returned function lists the files of the profile's exports. */
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
  const period = always;
  const subject = { request: { operation: 'trades', filters: {} }, period } as const;
  const partials = new PartialExports({ folder, clock: systemClock });
  await (await partials.start(planExport(account, subject, 'csv'))).release();
  return async () =>
    (await readdir(folder)).filter((file) => file.startsWith(profilePrefix(profile)));
}

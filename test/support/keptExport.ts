import { readdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import { planExport } from '../../src/account/export/exportPlan.ts';
import { ownerOf } from '../../src/account/export/partialNames.ts';
import { Partials } from '../../src/account/export/partials.ts';
import { systemClock } from '../../src/base/clock.ts';
import { defaultDialect } from '../../src/exchange/dialect/dialect.ts';
import type { TestAccess } from '../../src/extension.ts';
import { someProfile } from './exportDesk.ts';

/** Leaves an unfinished export of a profile behind, as one that was stopped; gives the names of its profile's files. */
export async function leaveExport(
  { context }: TestAccess,
  profile: string,
): Promise<() => Promise<readonly string[]>> {
  const folder = vscode.Uri.joinPath(context.globalStorageUri, 'exports').fsPath;
  const account = {
    profile: { ...someProfile, name: profile },
    fingerprint: '1f3a',
    client: { serverNow: () => systemClock.now(), dialect: defaultDialect },
  };
  const period = { from: undefined, to: undefined };
  const subject = { request: { operation: 'trades', filters: {} }, period } as const;
  const partials = new Partials({ folder, clock: systemClock });
  await (await partials.start(planExport(account, subject, 'csv'))).putDown();
  return async () => (await readdir(folder)).filter((file) => file.startsWith(ownerOf(profile)));
}

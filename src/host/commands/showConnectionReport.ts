import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { DialectBook } from '../../exchange/dialect/dialectBook.ts';
import type { Documents } from '../documents.ts';
import { targetOf, type Target } from '../profiles/connectionTarget.ts';
import { pickProfile } from '../profiles/pickProfile.ts';
import type { ProfileDesk } from '../profiles/profileDesk.ts';
import { connectionReportText } from './connectionReportText.ts';

/** Shows what is known of how this window's exchange, else one to choose, wants to be asked. Sends nothing. */
export async function showConnectionReport(
  { accounts }: ProfileDesk,
  documents: Documents,
): Promise<void> {
  const { wantedName } = accounts;
  const title = vscode.l10n.t('Show Connection Report');
  const name = wantedName ?? (await pickProfile(title, wantedName))?.name;
  if (name === undefined) return;
  const target = await targetOf(accounts, name);
  const session = accounts.connect(target);
  try {
    await openReport(target, session.client.book, documents);
  } finally {
    session.dispose();
  }
}

/** Opens the report as a document of its own: of what is known now, however often it is drawn anew. */
export async function openReport(
  { profile }: Target,
  { facts, standings, timezone, knowsZone }: DialectBook,
  documents: Documents,
): Promise<void> {
  const now = systemClock.now();
  const known = { facts, standings, timezone, knowsZone };
  const name = vscode.l10n.t('Connection report.txt');
  await documents.show(name, (display) => connectionReportText(profile, known, now, display));
}

import * as vscode from 'vscode';
import { systemClock } from '../../base/time.ts';
import type { ConventionResolver } from '../../exchange/conventions/conventionResolver.ts';
import type { VirtualDocuments } from '../virtualDocuments.ts';
import type { AccountConnection } from './accountConnection.ts';
import { connectionReportText } from './connectionReportText.ts';
import { CredentialsRequiredError, type ConnectionDetails } from './credentials.ts';
import type { ProfileContext } from './openProfile.ts';
import { pickProfile } from './profileQuestions.ts';

/** A profile to connect to, even if its credentials are missing. */
export type ConnectionTarget = ConnectionDetails & {
  readonly credentialsError?: CredentialsRequiredError;
};

/** Without credentials, only operations that need none can be tested: nothing else is sent unsigned. */
export async function connectionTarget(
  connection: AccountConnection,
  name: string,
): Promise<ConnectionTarget> {
  try {
    return await connection.resolveConnection(name);
  } catch (error) {
    if (!(error instanceof CredentialsRequiredError)) throw error;
    return { profile: error.profile, credentials: {}, credentialsError: error };
  }
}

/** Shows what is known about the API conventions of the open profile, else of one to pick. Sends nothing. */
export async function showConnectionReport(
  { connection }: ProfileContext,
  documents: VirtualDocuments,
): Promise<void> {
  const { profileName } = connection;
  const title = vscode.l10n.t('Show Connection Report');
  const name = profileName ?? (await pickProfile(title, profileName))?.name;
  if (name === undefined) return;
  const target = await connectionTarget(connection, name);
  const session = connection.createSession(target);
  try {
    await openReport(target, session.client.conventions, documents);
  } finally {
    session.dispose();
  }
}

/** Opens the report as a document: it shows what is known now, also after it is redrawn. */
export async function openReport(
  { profile }: ConnectionTarget,
  { learned, resolved, timezone, isZoneKnown }: ConventionResolver,
  documents: VirtualDocuments,
): Promise<void> {
  const now = systemClock.now();
  const known = { learned, resolved, timezone, isZoneKnown };
  const name = vscode.l10n.t('Connection report.txt');
  await documents.show(name, (display) => connectionReportText(profile, known, now, display));
}

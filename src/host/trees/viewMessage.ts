import * as vscode from 'vscode';
import type { AccountSession } from '../../account/session/accountSession.ts';
import { unreadableFields, unreadableRecords } from '../../account/session/accountStore.ts';
import type { ActiveState } from '../../account/session/activeAccount.ts';
import type { Display } from '../../base/display.ts';
import { views } from '../shared/contributions.ts';
import { CredentialsRequiredError } from '../profiles/credentials.ts';
import { errorText } from '../text/failureText.ts';
import { accountFailureText } from '../text/signInHelp.ts';
import { accountLabel, ageText, unreadablePartText, untrustedText } from '../text/messageText.ts';
import type { AccountViewDefinition, RenderContext } from './accountViews.ts';

/** The message above a view's rows, or in place of them; undefined if the welcome text says it. */
export function viewMessage(
  state: ActiveState,
  view: AccountViewDefinition,
  context: RenderContext | undefined,
  rowCount: number,
  display: Display,
): string | undefined {
  switch (state.kind) {
    case 'closed':
      return undefined;
    case 'opening':
      return vscode.l10n.t('Opening {0}…', untrustedText(state.name));
    case 'failed':
      return hasWelcome(state.error, view) ? undefined : errorText(state.error, display);
    case 'open':
      return context ? openMessage(context, view, rowCount) : unreadMessage(state.session, display);
  }
}

/**
 * The welcome text of the Positions view offers to enter credentials; a message would hide it. The other
 * views say what is wrong, and all say if the credentials are for another origin.
 */
function hasWelcome(error: unknown, { id }: AccountViewDefinition): boolean {
  if (id !== views.positions || !(error instanceof CredentialsRequiredError)) return false;
  return error.problem.kind !== 'otherOrigin';
}

function unreadMessage(session: AccountSession, display: Display): string {
  return accountFailureText(session, display) ?? vscode.l10n.t('Reading the account…');
}

function openMessage(
  context: RenderContext,
  view: AccountViewDefinition,
  rowCount: number,
): string | undefined {
  const { session, snapshot, display } = context;
  const isFirst = isFirstView(view);
  const bad = unreadableRecords(snapshot, view.list);
  const unreadable = [...(isFirst ? unreadableFields(snapshot) : []), ...bad];
  const sentences = [
    isFirst ? accountFailureText(session, display) : undefined,
    asOfMessage(session, snapshot.asOf, display),
    ...unreadable.map((record) => unreadablePartText(record, display)),
    ...(bad.length === 0 && rowCount === 0 ? [view.emptyMessage] : []),
    view.note?.(context),
  ];
  return sentences.filter((sentence) => sentence !== undefined).join(' ') || undefined;
}

/** Only this view says what is wrong with the whole account: repeating it would leave no room for rows. */
function isFirstView({ id }: AccountViewDefinition): boolean {
  return id === views.positions;
}

/** The age of the figures, if the last read failed or they are stale. */
function asOfMessage({ store, staleness }: AccountSession, asOf: number, display: Display) {
  const time = display.time(String(asOf));
  const { staleAgeMs } = staleness;
  if (staleAgeMs !== undefined)
    return vscode.l10n.t(
      'Stale: these figures are {0} old, as of {1}.',
      ageText(staleAgeMs, display),
      time,
    );
  return store.state.failure !== undefined
    ? vscode.l10n.t('These figures are as of {0}.', time)
    : undefined;
}

/** The account, the age of its figures once they are stale, and whether it is read-only. */
export function viewDescription(
  { profile, staleness: { staleAgeMs } }: AccountSession,
  display: Display,
): string {
  const { t } = vscode.l10n;
  return [
    accountLabel(profile),
    ...(staleAgeMs === undefined ? [] : [t('stale, {0}', ageText(staleAgeMs, display))]),
    ...(profile.readOnly ? [t('read-only')] : []),
  ].join(' · ');
}

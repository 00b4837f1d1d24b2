import * as vscode from 'vscode';
import type { ActiveState } from '../../account/activeAccount.ts';
import type { AccountState } from '../../account/accountStore.ts';
import type { Profile } from '../../account/profile.ts';
import type { Display } from '../../base/display.ts';
import type { BadRecord } from '../../exchange/records.ts';
import { views } from '../contributions.ts';
import { CredentialsNeededError } from '../profiles/credentialsNeeded.ts';
import { inWords, quoted, sentenceFor } from '../words.ts';
import type { AccountView } from './accountViews.ts';

/** What stands above or in place of a view's rows; undefined where its welcome text says it. */
export function accountMessage(
  state: ActiveState,
  view: AccountView,
  display: Display,
): string | undefined {
  switch (state.kind) {
    case 'closed':
      return undefined;
    case 'opening':
      return vscode.l10n.t('Opening {0} …', quoted(state.name));
    case 'failed':
      return hasWelcome(state.error, view) ? undefined : sentenceFor(state.error);
    case 'open':
      return openMessage(state.session.profile, state.session.store.state, view, display);
    default:
      return state satisfies never;
  }
}

/**
 * The Positions view offers to enter credentials, which a message would hide; the other views say why.
 * That they were entered for another host is said everywhere.
 */
function hasWelcome(error: unknown, { id }: AccountView): boolean {
  if (id !== views.positions || !(error instanceof CredentialsNeededError)) return false;
  return error.need.kind !== 'otherOrigin';
}

function openMessage(
  profile: Profile,
  { snapshot, failure }: AccountState,
  view: AccountView,
  display: Display,
): string | undefined {
  if (!snapshot)
    return failure !== undefined ? sentenceFor(failure) : vscode.l10n.t('Reading the account …');
  const bad = snapshot.badRecords.filter(({ path }) => path.startsWith(view.path));
  const words = [
    ...(failure !== undefined ? [sentenceFor(failure), ageWords(snapshot.asOf, display)] : []),
    ...bad.map(badRecordWords),
    ...(bad.length === 0 && view.rows(snapshot, display).length === 0 ? [view.empty] : []),
    view.note(profile),
  ];
  return words.filter((sentence) => sentence !== undefined).join(' ') || undefined;
}

function ageWords(asOf: number, display: Display): string {
  return vscode.l10n.t('These figures are as of {0}.', display.time(String(asOf)));
}

function badRecordWords({ problem }: BadRecord): string {
  return vscode.l10n.t('A record of the account could not be read: {0}.', quoted(inWords(problem)));
}

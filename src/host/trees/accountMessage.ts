import * as vscode from 'vscode';
import type { ActiveState } from '../../account/activeAccount.ts';
import type { Session } from '../../account/session.ts';
import { unreadRecords } from '../../account/unreadRecords.ts';
import type { Display } from '../../base/display.ts';
import type { BadRecord } from '../../exchange/records.ts';
import { views } from '../contributions.ts';
import { CredentialsNeededError } from '../profiles/credentialsNeeded.ts';
import { ageWords, inWords, quoted, sentenceFor } from '../words.ts';
import type { AccountView, Drawing } from './accountViews.ts';

/** What stands above or in place of a view's rows; undefined where its welcome text says it. */
export function accountMessage(
  state: ActiveState,
  view: AccountView,
  drawing: Drawing | undefined,
  rowCount: number,
  display: Display,
): string | undefined {
  switch (state.kind) {
    case 'closed':
      return undefined;
    case 'opening':
      return vscode.l10n.t('Opening {0} …', quoted(state.name));
    case 'failed':
      return hasWelcome(state.error, view) ? undefined : sentenceFor(state.error, display);
    case 'open':
      return drawing
        ? drawnMessage(drawing, view, rowCount)
        : unknownMessage(state.session.store.state.failure, display);
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

function unknownMessage(failure: unknown, display: Display): string {
  return failure !== undefined
    ? sentenceFor(failure, display)
    : vscode.l10n.t('Reading the account …');
}

function drawnMessage(drawing: Drawing, view: AccountView, rowCount: number): string | undefined {
  const { session, snapshot, display } = drawing;
  const { failure } = session.store.state;
  const bad = unreadRecords(snapshot, view.list);
  const words = [
    ...(failure !== undefined && saysWhy(view) ? [sentenceFor(failure, display)] : []),
    standing(session, snapshot.asOf, display),
    ...bad.map((one) => badRecordWords(one, display)),
    ...(bad.length === 0 && rowCount === 0 ? [view.empty] : []),
    view.note?.(drawing),
  ];
  return words.filter((sentence) => sentence !== undefined).join(' ') || undefined;
}

/** Why a read failed stands once, above the positions: three times it would leave rows no room. */
function saysWhy({ id }: AccountView): boolean {
  return id === views.positions;
}

/** Since when the figures stand, where the newest read failed or they are stale. */
function standing({ store, freshness }: Session, asOf: number, display: Display) {
  const time = display.time(String(asOf));
  const { staleMs } = freshness;
  if (staleMs !== undefined)
    return vscode.l10n.t(
      'Stale: these figures are {0} old, as of {1}.',
      ageWords(staleMs, display),
      time,
    );
  return store.state.failure !== undefined
    ? vscode.l10n.t('These figures are as of {0}.', time)
    : undefined;
}

function badRecordWords({ problem }: BadRecord, display: Display): string {
  const why = quoted(inWords(problem, display));
  return vscode.l10n.t('A record of the account could not be read: {0}.', why);
}

import * as vscode from 'vscode';
import type { ActiveState } from '../../account/activeAccount.ts';
import type { AccountState, Snapshot } from '../../account/accountStore.ts';
import { environmentLabel, type Profile } from '../../account/profile.ts';
import type { Session } from '../../account/session.ts';
import type { WeightStanding } from '../../exchange/ledger/standing.ts';
import { cleanText } from '../../base/cleanText.ts';
import { sign } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { unknownValue } from '../../base/format.ts';
import { lockedSides } from '../lockedWords.ts';
import { environmentOf } from '../profiles/environmentOf.ts';
import { quoted, sentenceFor, whose } from '../words.ts';

/** What the item says: its text, its words for a screen reader, its hover, and whether something is wrong. */
export type StatusWords = {
  readonly text: string;
  readonly spoken: string;
  readonly title: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly isProblem: boolean;
};

/** The item for a state of the active account; undefined when there is none to speak of. */
export function statusWords(state: ActiveState, display: Display): StatusWords | undefined {
  switch (state.kind) {
    case 'closed':
      return undefined;
    case 'opening':
      return unopened('$(loading~spin)', state.name, [], false);
    case 'failed':
      return unopened('$(warning)', state.name, problem(state.error), true);
    case 'open':
      return opened(state.session, display);
    default:
      return state satisfies never;
  }
}

function unopened(
  icon: string,
  name: string,
  fields: StatusWords['fields'],
  isProblem: boolean,
): StatusWords {
  const title = `${quoted(name)} · ${environmentOf(name)}`;
  const spoken = [title, vscode.l10n.t('equity unknown'), ...fields.map(([, words]) => words)];
  const text = `${icon} ${environmentOf(name)} ${unknownValue}`;
  return { text, spoken: spoken.join(', '), title, fields, isProblem };
}

function opened({ profile, store, ledger }: Session, display: Display): StatusWords {
  const account = store.state;
  return {
    text: statusText(profile, account, display),
    spoken: statusSpoken(profile, account, display),
    title: whose(profile),
    fields: [
      ...privacyFields(display),
      ...statusFields(account, display),
      ...weightFields(ledger.standing, display),
    ],
    isProblem: account.failure !== undefined,
  };
}

/** The text: environment, equity, upl with sign and arrow; with the age of figures that are old. */
function statusText(
  profile: Profile,
  { snapshot, failure }: AccountState,
  display: Display,
): string {
  const calm = display.settings.hidesMoney ? '$(eye-closed)' : '$(graph-line)';
  const icon = failure !== undefined ? '$(warning)' : calm;
  const start = `${icon} ${environmentLabel(profile)}`;
  if (!snapshot) return `${start} ${unknownValue}`;
  const { equity, upl } = snapshot.account;
  const unit = iconless(unitOf(snapshot));
  const direction = display.hides('upl') ? '' : arrow(upl);
  const figures = `${start} ${display.glance('equity', equity)}${unit} ${direction}${display.signedGlance('upl', upl)}`;
  return failure !== undefined
    ? `${figures} · ${display.timeOfDay(String(snapshot.asOf))}`
    : figures;
}

/** What a screen reader says: the same with full values. */
function statusSpoken(
  profile: Profile,
  { snapshot, failure }: AccountState,
  display: Display,
): string {
  const words = [cleanText(profile.name), environmentLabel(profile)];
  if (snapshot)
    words.push(
      `equity ${equityWords(snapshot, display)}`,
      `upl ${display.full('upl', snapshot.account.upl)}`,
    );
  else words.push(vscode.l10n.t('equity unknown'));
  if (failure !== undefined) words.push(sentenceFor(failure));
  return words.join(', ');
}

/** A masked figure alone does not say why it is masked. */
function privacyFields({ settings }: Display): [string, string][] {
  return settings.hidesMoney
    ? [[vscode.l10n.t('privacy'), vscode.l10n.t('on: amounts are hidden')]]
    : [];
}

/** The hover: the account's own fields in full, what open orders lock, and when it was read. */
function statusFields({ snapshot, failure }: AccountState, display: Display): [string, string][] {
  const problems = failure === undefined ? [] : problem(failure);
  if (!snapshot) return [...problems, ['equity', vscode.l10n.t('unknown')]];
  const { account, asOf } = snapshot;
  return [
    ...problems,
    ['equity', equityWords(snapshot, display)],
    ['upl', display.full('upl', account.upl)],
    ['feeTierStructure', display.full('feeTierStructure', account.feeTierStructure)],
    ['feeTierDiscount', display.full('feeTierDiscount', account.feeTierDiscount)],
    ['tradeFeeAsset', account.tradeFeeAsset],
    ...account.orders.map((locked): [string, string] => [
      vscode.l10n.t('open orders in {0}', locked.symbol),
      lockedSides(locked, (field) => display.full(field, locked[field])),
    ]),
    [vscode.l10n.t('as of'), display.timeInBoth(String(asOf))],
  ];
}

/** What of the limit is used, by all windows, and what is held back by it. */
function weightFields(
  { used, ours, limit, frozenUntil, waiting }: WeightStanding,
  display: Display,
): [string, string][] {
  const { t } = vscode.l10n;
  const fields: [string, string][] = [
    [t('weight used'), t('{0} of share {1} of limit {2}', used, ours, limit)],
  ];
  if (frozenUntil !== undefined)
    fields.push([
      t('pause'),
      t('the exchange asks for one until {0}', display.time(String(frozenUntil))),
    ]);
  if (waiting > 0) fields.push([t('requests that wait for weight'), String(waiting)]);
  return fields;
}

function equityWords(snapshot: Snapshot, display: Display): string {
  return `${display.full('equity', snapshot.account.equity)}${unitOf(snapshot)}`;
}

/** The interface gives equity no unit: one is shown only when a single asset is a margin asset. */
function unitOf({ account }: Snapshot): string {
  const margins = account.assets.filter(({ isMargin }) => isMargin);
  return margins.length === 1 && margins[0] ? ` ${cleanText(margins[0].name, 12)}` : '';
}

function arrow(upl: string): string {
  const direction = sign(upl);
  switch (direction) {
    case 1:
      return '$(arrow-up)';
    case -1:
      return '$(arrow-down)';
    case 0:
      return '';
    default:
      return direction satisfies never;
  }
}

function problem(error: unknown): [string, string][] {
  return [[vscode.l10n.t('problem'), sentenceFor(error)]];
}

/** The status bar draws `$(name)` as an icon: a name or a server's text must not. */
function iconless(text: string): string {
  return text.replaceAll('$(', '(');
}

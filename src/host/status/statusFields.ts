import * as vscode from 'vscode';
import type { Snapshot } from '../../account/accountStore.ts';
import { cleanText } from '../../base/cleanText.ts';
import type { Display } from '../../base/display.ts';
import type { WeightStanding } from '../../exchange/ledger/standing.ts';
import type { LockedOrders } from '../../exchange/records.ts';
import { lockedSides } from '../lockedWords.ts';
import { sentenceFor } from '../words.ts';
import { dangerOfAll, staleWords, type Standing } from './standing.ts';

const mostLocked = 10;

/** A masked figure alone does not say why it is masked. */
export function privacyFields({ settings }: Display): [string, string][] {
  return settings.hidesMoney
    ? [[vscode.l10n.t('privacy'), vscode.l10n.t('on: amounts are hidden')]]
    : [];
}

/** The hover: the account's own fields in full, what open orders lock, and when it was read. */
export function statusFields(standing: Standing, display: Display): [string, string][] {
  const { snapshot, failure } = standing;
  const problems = failure === undefined ? [] : problem(failure, display);
  if (!snapshot) return [...problems, ['equity', vscode.l10n.t('unknown')]];
  const { account, asOf } = snapshot;
  return [
    ...problems,
    ['equity', equityWords(snapshot, display)],
    ['upl', display.full('upl', account.upl)],
    ['feeTierStructure', display.full('feeTierStructure', account.feeTierStructure)],
    ['feeTierDiscount', display.full('feeTierDiscount', account.feeTierDiscount)],
    ['tradeFeeAsset', account.tradeFeeAsset],
    [vscode.l10n.t('positions in danger'), dangerOfAll(standing, display)],
    ...lockedFields(account.orders, display),
    [
      vscode.l10n.t('as of'),
      [display.timeInBoth(String(asOf)), ...staleWords(standing, display)].join(' · '),
    ],
  ];
}

/** What open orders lock in the first symbols; the view Locked Orders has them all. */
function lockedFields(orders: readonly LockedOrders[], display: Display): [string, string][] {
  const shown = orders
    .slice(0, mostLocked)
    .map((locked): [string, string] => [
      vscode.l10n.t('open orders in {0}', locked.symbol),
      lockedSides(locked, (field) => display.full(field, locked[field])),
    ]);
  const rest = orders.length - shown.length;
  return rest > 0
    ? [...shown, [vscode.l10n.t('open orders in more symbols'), display.count(rest)]]
    : shown;
}

/** What of the limit is used, by all windows, and what is held back by it. */
export function weightFields(
  { at, used, ours, limit, frozenUntil, waiting }: WeightStanding,
  display: Display,
): [string, string][] {
  const { t } = vscode.l10n;
  const counts = [used, ours, limit].map((weight) => display.count(weight));
  const when = display.timeInBoth(String(at));
  const fields: [string, string][] = [
    [t('weight used'), t('{0} of share {1} of limit {2}, at {3}', ...counts, when)],
  ];
  if (frozenUntil !== undefined)
    fields.push([
      t('pause'),
      t('the exchange asks for one until {0}', display.timeInBoth(String(frozenUntil))),
    ]);
  if (waiting > 0) fields.push([t('requests that wait for weight'), display.count(waiting)]);
  return fields;
}

/** Equity in full, with its unit. */
export function equityWords(snapshot: Snapshot, display: Display): string {
  return `${display.full('equity', snapshot.account.equity)}${unitOf(snapshot)}`;
}

/** The interface gives equity no unit: one is shown only when a single asset is a margin asset. */
export function unitOf({ account }: Snapshot): string {
  const margins = account.assets.filter(({ isMargin }) => isMargin);
  return margins.length === 1 && margins[0] ? ` ${cleanText(margins[0].name, 12)}` : '';
}

/** Why something could not be read. */
export function problem(error: unknown, display: Display): [string, string][] {
  return [[vscode.l10n.t('problem'), sentenceFor(error, display)]];
}

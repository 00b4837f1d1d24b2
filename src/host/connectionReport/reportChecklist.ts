import type { Profile } from '../../account/session/profile.ts';
import { cleanText } from '../../base/cleanText.ts';
import { isNumberText, unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { SigningSpec } from '../../exchange/auth/scheme.ts';
import type { ExchangeConventions } from '../../exchange/history/exchangeConventions.ts';
import type { PublishedLimit } from '../../exchange/history/learnedConventions.ts';
import type { Check } from '../../protocol/document.ts';
import type { Live } from '../webview/documentPanel.ts';
import { schemeLabel } from '../profiles/profileSchema.ts';
import type { TestedConnection } from '../profiles/credentials.ts';
import { errorText } from '../text/failureText.ts';
import { unreadablePartText } from '../text/messageText.ts';
import { t } from '../shared/translate.ts';

/** What a report is about. */
export type ReportedConnection = {
  readonly profile: Profile;
  readonly conventions: ExchangeConventions;
  /** The last test in this window. */
  readonly check?: TestedConnection | undefined;
  /** False: it was removed since. */
  readonly exists: boolean;
};

/** What of the connection works, as far as the last test of this window and stored answers say. */
export function reportChecklist(connection: ReportedConnection, display: Display): Live<Check>[] {
  return [
    reachableCheck(connection, display),
    authenticationCheck(connection, display),
    rateLimitCheck(connection, display),
  ];
}

type Result = Pick<Check, 'state' | 'texts'>;

function notTested(): Result {
  return { state: 'pending', texts: [t('Not tested since this window was opened.')] };
}

function reachableCheck({ check }: ReportedConnection, display: Display): Live<Check> {
  const label = t('Reachable');
  if (!check) return { label, ...notTested() };
  const { information, testedAt } = check;
  const tested = t('Tested on {0}.', display.timeToSecond(testedAt));
  if (information.kind === 'fails')
    return { label, state: 'problem', texts: [shownError(information.error, display), tested] };
  const counts = [information.value.symbols, information.durationMs].map((count) =>
    display.count(count),
  );
  const summary = t('Exchange information: {0} symbols, {1} ms.', ...counts);
  return { label, state: 'done', texts: [summary, tested] };
}

function authenticationCheck(connection: ReportedConnection, display: Display): Live<Check> {
  const { auth } = connection.profile;
  const { state, texts } = accountResult(connection.check, display);
  return {
    label: t('Authentication'),
    state,
    texts: [
      schemeLabel(auth.scheme),
      ...keyHeaderTexts(auth),
      ...texts,
      ...clockTexts(connection, display),
    ],
  };
}

function accountResult(check: TestedConnection | undefined, display: Display): Result {
  if (!check) return notTested();
  const { account, credentialsError } = check;
  if (account.kind === 'fails')
    return { state: 'problem', texts: [shownError(credentialsError ?? account.error, display)] };
  const { positions, badRecords } = account.value;
  const summary = t(
    'Account: {0} positions, {1} ms.',
    positions === undefined ? unknownText : display.count(positions),
    display.count(account.durationMs),
  );
  const problems = badRecords.map((record) => unreadablePartText(record, display));
  return { state: problems.length === 0 ? 'done' : 'problem', texts: [summary, ...problems] };
}

/** The headers that carry a key, token or password. */
function keyHeaderTexts({ headers }: SigningSpec): string[] {
  const names = Object.keys(headers).filter((name) =>
    /\{(?:apiKey|token|basic)\}/.test(headers[name] ?? ''),
  );
  return names.length === 0 ? [] : [t('Key header: {0}', cleanText(names.join(', ')))];
}

function clockTexts({ conventions: { learned } }: ReportedConnection, display: Display): string[] {
  if (!learned.information) return [];
  const { aheadMs, readAt } = learned.information;
  if (aheadMs === null) return [t('The time of the exchange is unknown.')];
  const seconds = display.full('seconds', (Math.abs(aheadMs) / 1000).toFixed(1));
  const when = display.timeToSecond(readAt);
  return [
    aheadMs < 0
      ? t('The clock of the exchange was {0} s behind on {1}.', seconds, when)
      : t('The clock of the exchange was {0} s ahead on {1}.', seconds, when),
    t('Requests are signed with its time.'),
  ];
}

function rateLimitCheck({ check, conventions }: ReportedConnection, display: Display): Live<Check> {
  const { information } = conventions.learned;
  const label = t('Rate limit');
  if (!information) return { label, state: 'pending', texts: [t('Not known yet.')] };
  const { rateLimits, supposedPerMinute, readAt } = information;
  const areAllKnown = rateLimits.length > 0 && rateLimits.every(({ isEnforced }) => isEnforced);
  const isOld = check?.information.kind === 'fails';
  const oldText = t(
    'Read on {0}. The last test could not read the limit: this one is kept until it can be read.',
    display.timeToSecond(readAt),
  );
  return {
    label,
    state: areAllKnown && !isOld ? 'done' : 'problem',
    texts: [
      ...limitTexts(rateLimits, display),
      ...supposedLimitTexts(supposedPerMinute, display),
      ...(isOld ? [oldText] : []),
    ],
  };
}

function limitTexts(limits: readonly PublishedLimit[], display: Display): string[] {
  if (limits.length === 0) return [t('The exchange names no limit.')];
  return limits.map((limit) => cleanText(limitText(limit, display)));
}

function limitText(
  { rateLimitType, limit, intervalNum, interval, isEnforced }: PublishedLimit,
  display: Display,
): string {
  const number = limit !== null && isNumberText(limit) ? display.full('limit', limit) : limit;
  const parts = [number, intervalNum, interval, rateLimitType].map((part) => part ?? unknownText);
  return isEnforced
    ? t('{0} weight per {1} {2}, which Margin Desk never exceeds ({3})', ...parts)
    : t('{0} per {1} {2}, of a kind that Margin Desk does not know ({3})', ...parts);
}

function supposedLimitTexts(perMinute: number | null, display: Display): string[] {
  if (perMinute === null) return [];
  return [
    t(
      'Because a limit is of an unknown kind, at most {0} weight per minute is used.',
      display.count(perMinute),
    ),
  ];
}

function shownError(error: unknown, display: Display): string {
  return cleanText(errorText(error, display), 1000);
}

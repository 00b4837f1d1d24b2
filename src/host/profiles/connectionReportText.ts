import { l10n } from 'vscode';
import { environmentLabel, originOf, type Profile } from '../../account/session/profile.ts';
import { cleanText } from '../../base/cleanText.ts';
import { unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { ApiConventions } from '../../exchange/conventions/apiConventions.ts';
import type {
  ConventionResolver,
  ResolvedConvention,
} from '../../exchange/conventions/conventionResolver.ts';
import type {
  Observation,
  ObservedExchangeInfo,
  PublishedLimit,
} from '../../exchange/conventions/learnedConventions.ts';
import { operations } from '../../exchange/operations.ts';
import { findingText, conventionValueText } from './conventionsText.ts';

/** The parts of the resolver that the report shows. */
export type ReportedConventions = Pick<
  ConventionResolver,
  'learned' | 'resolved' | 'timezone' | 'isZoneKnown'
>;

type FormatTime = (epochMs: number) => string;

/**
 * Everything that is known about the API of an exchange: each convention with its evidence, the limits,
 * the clock and the cost of the detection. Contains no credentials. `now` is in epoch milliseconds.
 */
export function connectionReportText(
  profile: Profile,
  conventions: ReportedConventions,
  now: number,
  display: Display,
): string {
  const { t } = l10n;
  const when: FormatTime = (epochMs) => display.timeToSecond(String(Math.trunc(epochMs)));
  const { information } = conventions.learned;
  const title = `${cleanText(profile.name)} · ${environmentLabel(profile)} · ${originOf(profile)}`;
  return [
    `${title}\n${t('Connection report of {0}', when(now))}`,
    section(
      t('API conventions'),
      conventions.resolved.map((one) => conventionBlock(one, profile, when, display)),
    ),
    section(t('Detection'), [detectionText(profile, conventions, when, display)]),
    section(t('Time zone'), [timeZoneText(conventions)]),
    section(t('Limits'), information ? limitBlocks(information, display) : []),
    section(t('Clock'), information ? [clockText(information, when, display)] : []),
    section(t('To set a convention by hand'), [manualSettingsText(profile)]),
  ].join('\n\n\n');
}

function section(title: string, blocks: readonly string[]): string {
  const shown = blocks.length === 0 ? [l10n.t('Not known yet.')] : blocks;
  return [title.toUpperCase(), ...shown].join('\n\n');
}

function conventionBlock(
  convention: ResolvedConvention,
  profile: Profile,
  when: FormatTime,
  display: Display,
): string {
  const { name, value, finding } = convention;
  const lines = [
    `${name.padEnd(18)} ${conventionValueText(value)}`,
    `  ${sourceText(convention, profile, when)}`,
  ];
  if (finding)
    lines.push(
      `  ${findingText(finding)}`,
      ...finding.evidence.map((one) => observationLine(one, when, display)),
    );
  return lines.join('\n');
}

function sourceText(
  { source, finding }: ResolvedConvention,
  { environment }: Profile,
  when: FormatTime,
): string {
  const { t } = l10n;
  switch (source) {
    case 'set':
      return environment === 'practice'
        ? t('Known: this exchange is part of Margin Desk.')
        : t('Set by hand.');
    case 'seen':
      return t('Detected on {0}.', when(finding?.seenAt ?? Number.NaN));
    case 'assumed':
      return finding
        ? t('Not verified on {0}, default used.', when(finding.seenAt))
        : t('Not tested yet, default used.');
  }
}

function detectionText(
  { environment }: Profile,
  { learned: { probe } }: ReportedConventions,
  when: FormatTime,
  display: Display,
): string {
  const { t } = l10n;
  if (environment === 'practice') return t('Not needed: every convention is known.');
  return probe
    ? t('Last run on {0}, used {1} API weight.', when(probe.at), display.count(probe.weight))
    : t('Not run yet. Run “Margin Desk: Test Connection”.');
}

function observationLine(
  { operation, asked, answer }: Observation,
  when: FormatTime,
  display: Display,
): string {
  const query = asked.map(([name, value]) => `${name}=${cleanText(value)}`).join(' ');
  const path = operations[operation].path.replace('/api/v1/', '');
  return `    ${path} ${query}\n      ${l10n.t('returned')} ${observedAnswerText(answer, when, display)}`;
}

/** Counts of the exchange are shown as it sent them. */
function observedAnswerText(
  answer: Observation['answer'],
  when: FormatTime,
  display: Display,
): string {
  const { t } = l10n;
  if (answer.kind === 'refused') return t('an error (HTTP {0})', answer.status ?? unknownText);
  const { rows, firstTime, lastTime, size, totalPages, totalElements } = answer;
  const times = firstTime === null ? '' : ` (${when(firstTime)} … ${when(lastTime ?? firstTime)})`;
  return t(
    '{0} rows{1}; size {2}, totalPages {3}, totalElements {4}',
    ...[display.count(rows), times, size, totalPages, totalElements],
  );
}

function timeZoneText({ timezone, isZoneKnown }: ReportedConventions): string {
  if (timezone === undefined) return l10n.t('Not known yet.');
  return isZoneKnown
    ? cleanText(timezone)
    : l10n.t(
        'The exchange uses the unknown time zone “{0}”: local dates are written in UTC.',
        cleanText(timezone),
      );
}

function limitBlocks(
  { rateLimits, supposedPerMinute }: ObservedExchangeInfo,
  display: Display,
): string[] {
  const { t } = l10n;
  const blocks = rateLimits.map((limit) =>
    limit.isKept
      ? t('{0} (enforced)', limitText(limit))
      : t('{0} (unknown kind, not enforced)', limitText(limit)),
  );
  if (supposedPerMinute === null) return blocks;
  const supposed = t(
    'Because a limit is of an unknown kind, at most {0} weight per minute is used.',
    display.count(supposedPerMinute),
  );
  return [...blocks, supposed];
}

function limitText({ rateLimitType, limit, intervalNum, interval }: PublishedLimit): string {
  const parts = [rateLimitType, limit, intervalNum, interval].map((part) => part ?? unknownText);
  return cleanText(l10n.t('{0}: {1} per {2} {3}', ...parts));
}

function clockText(
  { aheadMs, readAt }: ObservedExchangeInfo,
  when: FormatTime,
  display: Display,
): string {
  if (aheadMs === null) return l10n.t('The time of the exchange is unknown.');
  const seconds = display.full('seconds', (aheadMs / 1000).toFixed(1));
  return l10n.t('The clock of the exchange was {0} s ahead on {1}.', seconds, when(readAt));
}

/** The values in settings.json for each convention, besides `auto`. */
const choices = {
  firstPage: '0 | 1',
  dates: '"epochMs" | "epochS" | "isoInstant" | "isoLocal" | "isoDate"',
  lists: '"repeat" | "comma" | "brackets"',
  maxPageSize: '1 … 100000 | null',
  maxRangeDays: '1 … 100000 | null',
  sort: '"newestFirst" | "oldestFirst" | "none"',
  dateTo: '"inclusive" | "exclusive"',
  overLimitStatuses: '[429, 418]',
} as const satisfies Record<keyof ApiConventions, string>;

function manualSettingsText({ name, environment }: Profile): string {
  if (environment === 'practice') return l10n.t('The practice exchange has no settings.');
  const lines = Object.entries(choices).map(
    ([entry, values]) => `    "${entry}": "auto" | ${values}`,
  );
  const sentence = l10n.t(
    'In settings.json, under "marginDesk.profiles", in the profile {0}. A value that is set is not detected.',
    JSON.stringify(cleanText(name)),
  );
  return [sentence, '', '  "dialect": {', ...lines, '  }'].join('\n');
}

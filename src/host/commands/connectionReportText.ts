import { l10n } from 'vscode';
import { environmentLabel, originOf, type Profile } from '../../account/profile.ts';
import { cleanText } from '../../base/cleanText.ts';
import type { Display } from '../../base/display.ts';
import { unknownValue } from '../../base/format.ts';
import type { Dialect } from '../../exchange/dialect/dialect.ts';
import type { DialectBook, EntryStanding } from '../../exchange/dialect/dialectBook.ts';
import type { Observation, ToldInformation, ToldLimit } from '../../exchange/dialect/facts.ts';
import { operations } from '../../exchange/operations.ts';
import { reasonWords, valueWords } from './dialectWords.ts';

/** What a report tells of the book. */
export type ReportedBook = Pick<DialectBook, 'facts' | 'standings' | 'timezone' | 'knowsZone'>;

/** An instant of epoch milliseconds, as it is shown. */
type When = (epochMs: number) => string;

/**
 * All that is known of how an exchange wants to be asked: each entry of the dialect with its evidence,
 * the limits, the clock, and what finding out cost. No credential is known here. `now` is in epoch
 * milliseconds.
 */
export function connectionReportText(
  profile: Profile,
  book: ReportedBook,
  now: number,
  display: Display,
): string {
  const { t } = l10n;
  const when: When = (epochMs) => display.timeToSecond(String(Math.trunc(epochMs)));
  const { information, probe } = book.facts;
  const title = `${cleanText(profile.name)} · ${environmentLabel(profile)} · ${originOf(profile)}`;
  const detection = probe
    ? t('Last on {0}, for {1} of the limit’s weight.', when(probe.at), display.count(probe.weight))
    : t('Not yet: run “Margin Desk: Test Connection”.');
  return [
    `${title}\n${t('Connection report of {0}', when(now))}`,
    section(
      t('What the interface leaves open'),
      book.standings.map((standing) => entryBlock(standing, when, display)),
    ),
    section(t('Detection'), [detection]),
    section(t('Time zone'), [zoneWords(book)]),
    section(t('Limits'), information ? limitBlocks(information, display) : []),
    section(t('Clock'), information ? [clockWords(information, when, display)] : []),
    section(t('To set an entry by hand'), [howToSet(profile)]),
  ].join('\n\n\n');
}

function section(title: string, blocks: readonly string[]): string {
  const shown = blocks.length === 0 ? [l10n.t('Not known yet.')] : blocks;
  return [title.toUpperCase(), ...shown].join('\n\n');
}

function entryBlock(standing: EntryStanding, when: When, display: Display): string {
  const { entry, value, finding } = standing;
  const lines = [`${entry.padEnd(18)} ${valueWords(value)}`, `  ${sourceWords(standing, when)}`];
  if (finding)
    lines.push(
      `  ${reasonWords(finding)}`,
      ...finding.evidence.map((seen) => observationLine(seen, when, display)),
    );
  return lines.join('\n');
}

function sourceWords({ source, finding }: EntryStanding, when: When): string {
  const { t } = l10n;
  switch (source) {
    case 'set':
      return t('Set by hand.');
    case 'seen':
      return t('Seen on {0}.', when(finding?.seenAt ?? Number.NaN));
    case 'assumed':
      return finding
        ? t('Undecided on {0}, so assumed.', when(finding.seenAt))
        : t('Assumed: nothing was asked yet that tells.');
    default:
      return source satisfies never;
  }
}

function observationLine(
  { operation, asked, answer }: Observation,
  when: When,
  display: Display,
): string {
  const query = asked.map(([name, value]) => `${name}=${cleanText(value)}`).join(' ');
  const path = operations[operation].path.replace('/api/v1/', '');
  return `    ${path} ${query}\n      ${l10n.t('gave')} ${answerWords(answer, when, display)}`;
}

/** What the server counts stands in its own digits. */
function answerWords(answer: Observation['answer'], when: When, display: Display): string {
  const { t } = l10n;
  if (answer.kind === 'refused') return t('a refusal (HTTP {0})', answer.status ?? unknownValue);
  const { rows, firstTime, lastTime, size, totalPages, totalElements } = answer;
  const times = firstTime === null ? '' : ` (${when(firstTime)} … ${when(lastTime ?? firstTime)})`;
  return t(
    '{0} rows{1}; size {2}, totalPages {3}, totalElements {4}',
    ...[display.count(rows), times, size, totalPages, totalElements],
  );
}

function zoneWords({ timezone, knowsZone }: ReportedBook): string {
  if (timezone === undefined) return l10n.t('Not known yet.');
  return knowsZone
    ? cleanText(timezone)
    : l10n.t(
        'The exchange names the time zone “{0}”, which is not known here: local dates are written in UTC.',
        cleanText(timezone),
      );
}

function limitBlocks(
  { rateLimits, supposedPerMinute }: ToldInformation,
  display: Display,
): string[] {
  const { t } = l10n;
  const blocks = rateLimits.map((limit) =>
    limit.isKept
      ? t('{0}. Kept.', limitWords(limit))
      : t('{0}. Not known here: shown, not enforced.', limitWords(limit)),
  );
  if (supposedPerMinute === null) return blocks;
  const supposed = t(
    'For what is not known here, at most {0} a minute is kept.',
    display.count(supposedPerMinute),
  );
  return [...blocks, supposed];
}

function limitWords({ rateLimitType, limit, intervalNum, interval }: ToldLimit): string {
  const [type, number, every, unit] = [rateLimitType, limit, intervalNum, interval].map(
    (told) => told ?? unknownValue,
  );
  return cleanText(`${type}: ${number} in ${every} ${unit}`);
}

function clockWords({ aheadMs, readAt }: ToldInformation, when: When, display: Display): string {
  if (aheadMs === null) return l10n.t('The server’s time cannot be read.');
  const seconds = display.full('seconds', (aheadMs / 1000).toFixed(1));
  return l10n.t('The exchange’s clock was {0} s ahead of ours on {1}.', seconds, when(readAt));
}

/** What settings.json takes for each entry, beside `auto`. */
const choices = {
  firstPage: '0 | 1',
  dates: '"epochMs" | "epochS" | "isoInstant" | "isoLocal" | "isoDate"',
  lists: '"repeat" | "comma" | "brackets"',
  maxPageSize: '1 … 100000 | null',
  maxRangeDays: '1 … 100000 | null',
  sort: '"newestFirst" | "oldestFirst" | "none"',
  dateTo: '"inclusive" | "exclusive"',
  overLimitStatuses: '[429, 418]',
} as const satisfies Record<keyof Dialect, string>;

function howToSet({ name, environment }: Profile): string {
  if (environment === 'practice') return l10n.t('The practice exchange has no settings.');
  const lines = Object.entries(choices).map(
    ([entry, values]) => `    "${entry}": "auto" | ${values}`,
  );
  const sentence = l10n.t(
    'In settings.json, under "marginDesk.profiles", in the profile {0}. What is set is not asked for again.',
    JSON.stringify(cleanText(name)),
  );
  return [sentence, '', '  "dialect": {', ...lines, '  }'].join('\n');
}

import { l10n } from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import { unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { ApiConventions, ConventionName } from '../../exchange/conventions/apiConventions.ts';
import type { ResolvedConvention } from '../../exchange/conventions/conventionResolver.ts';
import type { Observation } from '../../exchange/conventions/learnedConventions.ts';
import { operations } from '../../exchange/operations.ts';
import type { ConventionRow } from '../../protocol/connectionReport.ts';
import { findingText } from './findingText.ts';

/** One convention with what proves it. */
export function conventionRow(
  convention: ResolvedConvention,
  display: Display,
  { canOverride, isPractice }: { readonly canOverride: boolean; readonly isPractice: boolean },
): ConventionRow {
  const { name, value, finding, source } = convention;
  const requests = (finding?.evidence ?? []).map((one) => observedRequest(one, display));
  return {
    key: name,
    label: conventionLabel(name),
    value: conventionValueText(value),
    proof: proof(convention, display, isPractice),
    evidence: {
      conclusion: finding ? findingText(finding) : unknownText,
      summary: requestCountText(requests.length, display),
      requests,
    },
    override: canOverride ? (source === 'set' ? l10n.t('Change…') : l10n.t('Override…')) : null,
  };
}

export function conventionLabel(name: ConventionName): string {
  return {
    firstPage: l10n.t('First page'),
    dates: l10n.t('Date format'),
    lists: l10n.t('Several values'),
    maxPageSize: l10n.t('Largest page'),
    maxRangeDays: l10n.t('Longest period, in days'),
    sort: l10n.t('Order of rows'),
    dateTo: l10n.t('End of a period'),
    overLimitStatuses: l10n.t('Statuses for too many requests'),
  }[name];
}

export function conventionValueText(value: ApiConventions[ConventionName]): string {
  if (value === null) return l10n.t('no limit');
  return typeof value === 'object' ? value.join(', ') : String(value);
}

function proof(
  { source, finding }: ResolvedConvention,
  display: Display,
  isPractice: boolean,
): ConventionRow['proof'] {
  const { t } = l10n;
  const seenAt = display.timeToSecond(String(finding?.seenAt));
  switch (source) {
    case 'set':
      return isPractice
        ? { state: 'done', word: t('Known'), texts: [t('This exchange is part of Margin Desk.')] }
        : { state: 'done', word: t('Set by hand'), texts: [] };
    case 'seen':
      return { state: 'done', word: t('Proven'), texts: [seenAt] };
    case 'assumed':
      return finding
        ? { state: 'skipped', word: t('Default'), texts: [t('Not verified on {0}', seenAt)] }
        : { state: 'skipped', word: t('Default'), texts: [t('Not tested yet')] };
  }
}

function requestCountText(count: number, display: Display): string {
  return count === 1 ? l10n.t('1 request') : l10n.t('{0} requests', display.count(count));
}

function observedRequest(
  { operation, asked, answer }: Observation,
  display: Display,
): ConventionRow['evidence']['requests'][number] {
  const query = asked.map(([name, value]) => `${name}=${cleanText(value)}`).join(' ');
  const path = operations[operation].path.replace('/api/v1/', '');
  return { asked: `${path} ${query}`, answered: observedAnswerText(answer, display) };
}

/** Counts of the exchange are shown as it sent them. */
function observedAnswerText(answer: Observation['answer'], display: Display): string {
  const { t } = l10n;
  if (answer.kind === 'refused') return t('an error (HTTP {0})', answer.status ?? unknownText);
  const { rows, firstTime, lastTime, size, totalPages, totalElements } = answer;
  const when = (epochMs: number): string => display.timeToSecond(String(Math.trunc(epochMs)));
  const times = firstTime === null ? '' : ` (${when(firstTime)} … ${when(lastTime ?? firstTime)})`;
  return t(
    '{0} rows{1}; size {2}, totalPages {3}, totalElements {4}',
    ...[
      display.count(rows),
      times,
      ...[size, totalPages, totalElements].map((one) => cleanText(one)),
    ],
  );
}

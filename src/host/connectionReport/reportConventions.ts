import * as vscode from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import { unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { ConventionName } from '../../exchange/history/apiConventions.ts';
import type { ResolvedConvention } from '../../exchange/history/exchangeConventions.ts';
import type { Observation, Finding } from '../../exchange/history/learnedConventions.ts';
import { operations } from '../../api/operations.ts';
import type { Cell } from '../../protocol/document.ts';
import { conventionChoices } from '../profiles/profileSchema.ts';
import { openProfileSettings, rawProfile, writeProfile } from '../profiles/profileSettings.ts';
import type { Live } from '../webview/documentPanel.ts';
import { requestsText } from '../text/progressText.ts';
import { t } from '../shared/translate.ts';

/** One convention with what proves it. `override` sets a value by hand; undefined if nothing can be set. */
export function conventionRow(
  convention: ResolvedConvention,
  display: Display,
  isPractice: boolean,
  override: ((name: ConventionName) => Promise<void>) | undefined,
): Live<Cell>[] {
  const { name, value, finding, source } = convention;
  const label = conventionLabel(name);
  const requests = (finding?.evidence ?? []).map((one) => observedRequest(one, display));
  const summary = requestsText(requests.length, display);
  const button = override && {
    action: `override ${name}`,
    label: source === 'set' ? t('Change…') : t('Override…'),
    spoken: source === 'set' ? t('Change {0}', label) : t('Override {0}', label),
    run: () => override(name),
  };
  return [
    { text: label, notes: [name] },
    { text: conventionValueText(value) },
    proof(convention, display, isPractice),
    {
      text: finding ? findingText(finding) : unknownText,
      ...(requests.length > 0 && { more: { summary, items: requests } }),
    },
    { text: '', ...(button && { button }) },
  ];
}

function conventionValueText(value: ResolvedConvention['value']): string {
  if (value === null) return t('no limit');
  return typeof value === 'object' ? value.join(', ') : String(value);
}

function proof(
  { source, finding }: ResolvedConvention,
  display: Display,
  isPractice: boolean,
): Live<Cell> {
  const seenAt = finding ? display.timeToSecond(finding.seenAt) : '';
  switch (source) {
    case 'set':
      return isPractice
        ? { state: 'done', text: t('Known'), notes: [t('This exchange is part of Margin Desk.')] }
        : { state: 'done', text: t('Set by hand'), notes: [] };
    case 'learned':
      return { state: 'done', text: t('Proven'), notes: [seenAt] };
    case 'assumed':
      return finding
        ? { state: 'skipped', text: t('Default'), notes: [t('Not verified on {0}', seenAt)] }
        : { state: 'skipped', text: t('Default'), notes: [t('Not tested yet')] };
  }
}

function observedRequest({ operation, asked, answer }: Observation, display: Display): string[] {
  const query = asked.map(([name, value]) => `${name}=${cleanText(value)}`).join(' ');
  const path = operations[operation].path.replace('/api/v1/', '');
  return [`${path} ${query}`, observedAnswerText(answer, display)];
}

/** Counts of the exchange are shown as it sent them. */
function observedAnswerText(answer: Observation['answer'], display: Display): string {
  if (answer.kind === 'refused') return t('an error (HTTP {0})', answer.status ?? unknownText);
  const { rows, firstTime, lastTime, size, totalPages, totalElements } = answer;
  const when = (epochMs: number): string => display.timeToSecond(Math.trunc(epochMs));
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

/** What the answers showed about a convention. */
function findingText({ reason, concluded }: Finding): string {
  return {
    pagesFollow: t('Pages are counted from {0}: their rows follow each other.', String(concluded)),
    zeroIsFirstAgain: t('Page 0 returned the first page again, and page 2 the second.'),
    zeroRefused: t('Page 0 was refused, page 1 was answered.'),
    zeroEmpty: t('Page 0 was empty, page 1 was not.'),
    oneRefused: t('Page 0 was answered, page 1 was refused.'),
    oneEmpty: t('Page 0 had rows, page 1 had none.'),
    pageIgnored: t('The exchange ignored the page number: every page had the same rows.'),
    dateFiltersApplied: t('Date format detected: only rows inside the period were returned.'),
    dateFiltersIgnored: t('No date format returned only rows inside the period.'),
    tooFewTimes: t('The history has too few rows of different times.'),
    timesInOrder: t('The rows were in this order.'),
    timesOutOfOrder: t('The rows were in no consistent order.'),
    smallerPages: t('A page had fewer rows than requested, although there were more.'),
    largePagesRefused: t('A larger page was refused, one of this size was answered.'),
    wholePage: t('A page had as many rows as requested.'),
    sizeDoesNotTell: t('The history has too few rows to reach a limit.'),
    rangeRefused: t('A longer period was refused, one of this many days was answered.'),
    noRows: t('The history of liquidation auctions is empty.'),
    budgetSpent: t('The detection stopped at 100 API weight.'),
    unreadable: t('The liquidation auctions could not be read.'),
    rateLimited: t('The detection stopped at the rate limit.'),
  }[reason];
}

type Choice = vscode.QuickPickItem & { readonly run: () => Promise<void> };

/** Lets the user pick a value of a convention and writes it to the profile, under `dialect`. */
export async function overrideConvention(profile: string, name: ConventionName): Promise<void> {
  const values = conventionChoices[name].map((value): Choice => ({
    label: conventionValueText(value),
    description: valueExample(name, value),
    run: () => writeConvention(profile, name, value),
  }));
  const automatic: Choice = {
    label: t('Detect'),
    description: t('no override: what the answers show, otherwise the default'),
    run: () => writeConvention(profile, name, undefined),
  };
  const file: Choice = {
    label: t('Edit in settings.json…'),
    run: () => openProfileSettings(profile),
  };
  const picked = await vscode.window.showQuickPick([automatic, ...values, file], {
    title: t('Override: {0}', conventionLabel(name)),
    matchOnDescription: true,
  });
  await picked?.run();
}

/** What a request looks like, for values whose name does not say it. */
function valueExample(name: ConventionName, value: unknown): string {
  const examples: Readonly<Record<string, string>> = {
    epochMs: '1795168800000',
    epochS: '1795168800',
    isoInstant: '2026-11-20T10:00:00.000Z',
    isoLocal: '2026-11-20T10:00:00.000',
    isoDate: '2026-11-20',
    repeat: 'statuses=A&statuses=B',
    comma: 'statuses=A,B',
    brackets: 'statuses[]=A&statuses[]=B',
  };
  return name === 'dates' || name === 'lists' ? (examples[String(value)] ?? '') : '';
}

/** Undefined removes an override. Everything else in the profile stays as it is written. */
async function writeConvention(
  profile: string,
  name: ConventionName,
  value: unknown,
): Promise<void> {
  const written = rawProfile(profile);
  if (!written) return;
  const { dialect } = written;
  const others = Object.entries(typeof dialect === 'object' ? (dialect ?? {}) : {}).filter(
    ([key]) => key !== name,
  );
  const own = value === undefined ? [] : [[name, value] as const];
  await writeProfile(profile, { ...written, dialect: Object.fromEntries([...others, ...own]) });
}

function conventionLabel(name: ConventionName): string {
  return {
    firstPage: t('First page'),
    dates: t('Date format'),
    lists: t('Several values'),
    maxPageSize: t('Largest page'),
    maxRangeDays: t('Longest period, in days'),
    sort: t('Order of rows'),
    dateTo: t('End of a period'),
    overLimitStatuses: t('Statuses for too many requests'),
  }[name];
}

import * as vscode from 'vscode';
import type { ApiConventions, ConventionName } from '../../exchange/conventions/apiConventions.ts';
import { openProfileSettings, rawProfile, writeProfile } from '../profiles/profileSettings.ts';
import { conventionLabel } from '../text/conventionLabel.ts';
import { conventionValueText } from './reportConventions.ts';

/** The values that can be picked; others can be written in settings.json. */
export const overrideChoices: {
  readonly [Name in ConventionName]: readonly ApiConventions[Name][];
} = {
  firstPage: [0, 1],
  dates: ['epochMs', 'epochS', 'isoInstant', 'isoLocal', 'isoDate'],
  lists: ['repeat', 'comma', 'brackets'],
  maxPageSize: [null, 10, 20, 50, 100, 200, 500, 1000],
  maxRangeDays: [null, 1, 7, 30, 90, 180, 365],
  sort: ['newestFirst', 'oldestFirst', 'none'],
  dateTo: ['inclusive', 'exclusive'],
  overLimitStatuses: [[429, 418], [429], [418], [429, 503]],
};

type Choice = vscode.QuickPickItem & { readonly run: () => Promise<void> };

/** Lets the user pick a value of a convention and writes it to the profile, under `dialect`. */
export async function overrideConvention(profile: string, name: ConventionName): Promise<void> {
  const { t } = vscode.l10n;
  const values = overrideChoices[name].map((value): Choice => ({
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

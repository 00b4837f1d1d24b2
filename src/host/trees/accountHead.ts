import * as vscode from 'vscode';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { ActiveState } from '../../account/session/activeAccount.ts';
import type { Environment, Profile } from '../../account/session/profile.ts';
import { sign } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { isSignInRefused } from '../../exchange/exchangeError.ts';
import { environmentOfProfile } from '../profiles/profileSettings.ts';
import { colors, commands } from '../shared/contributions.ts';
import { t } from '../shared/translate.ts';
import { suggestedButton } from '../text/commandErrors.ts';
import { accountLabel, ageText, readText, screenReaderText } from '../text/messageText.ts';
import { nextTryIn, retryButton, signInButtons, type CommandButton } from '../text/signInHelp.ts';
import { themeIcon, type Head, type RowIcon } from './treeRow.ts';

/** LIVE differs in its shape, its colour and its words; no warning or danger has that colour. */
const environmentIcons: Readonly<Record<Environment, RowIcon>> = {
  live: { name: 'circle-filled', color: colors.liveForeground },
  test: { name: 'triangle-up', color: 'charts.blue' },
  practice: { name: 'beaker' },
};

const buttonIcons: Readonly<Partial<Record<CommandButton['action'], string>>> = {
  setCredentials: 'key',
  testConnection: 'plug',
  refresh: 'refresh',
  switchProfile: 'arrow-swap',
};

export function headsOf(state: ActiveState, display: Display): readonly Head[] {
  if (state.kind === 'closed') return [];
  if (state.kind === 'open') {
    const { session } = state;
    return [
      accountHead(session.profile, figures(session, display)),
      ...retryHeads(session, display),
    ];
  }
  const environment = environmentOfProfile(state.name);
  const account = accountHead({ name: state.name, environment });
  if (state.kind === 'opening') return [account];
  const suggested = suggestedButton(state.error) ?? retryButton();
  const other = { action: 'switchProfile', title: t('Switch Profile…') } as const;
  const buttons = suggested.action === other.action ? [other] : [suggested, other];
  return [account, ...buttons.map((button) => buttonHead(button))];
}

type Figures = Pick<Head, 'description' | 'spoken'>;

function accountHead(
  profile: Pick<Profile, 'name' | 'environment'>,
  { description, spoken }: Figures = { description: '', spoken: '' },
): Head {
  const { environment } = profile;
  const title = accountLabel(profile);
  return {
    action: 'openOverview',
    key: 'account',
    title,
    description,
    spoken: [title, ...(spoken === '' ? [] : [spoken])].join(', '),
    icon: environmentIcons[environment],
    isLive: environment === 'live',
  };
}

/** What is to know before the figures, then equity and upl; both are short, as a narrow view cuts what is at the end. */
function figures({ profile, store, staleness }: AccountSession, display: Display): Figures {
  const { snapshot, failure } = store.state;
  const { staleAgeMs } = staleness;
  const remarks = profile.readOnly ? [t('read-only')] : [];
  const lastRemarks: string[] = [];
  if (!snapshot) return { description: remarks.join(' · '), spoken: remarks.join(', ') };
  const { account, readAt } = snapshot;
  if (staleAgeMs !== undefined) remarks.push(t('{0} old', ageText(staleAgeMs, display)));
  else if (failure !== undefined) lastRemarks.push(t('read {0}', display.timeOfDay(readAt)));
  const { equity, upl } = account;
  const isNegative = equity !== null && sign(equity) < 0;
  const shown = [
    isNegative ? display.signedNarrow('equity', equity) : display.narrowSize('equity', equity),
    display.signedNarrow('upl', upl),
  ];
  return {
    description: [...remarks, ...shown, ...lastRemarks].join(' · '),
    spoken: [
      ...remarks,
      ...lastRemarks,
      t('equity {0}', display.full('equity', equity)),
      t('unrealised P&L {0}', display.full('upl', upl)),
      readText(readAt, staleAgeMs, display),
    ].join(', '),
  };
}

function retryHeads(session: AccountSession, display: Display): Head[] {
  const { failure } = session.store.state;
  if (failure === undefined) return [];
  const buttons = isSignInRefused(failure) ? signInButtons() : [retryButton()];
  const wait = nextTryIn(session, display);
  const next = wait === undefined ? '' : t('next try in {0}', wait);
  return buttons.map((button) => buttonHead(button, button.action === 'refresh' ? next : ''));
}

function buttonHead(button: CommandButton, description = ''): Head {
  const { action, title } = button;
  const spoken = [title, ...(description === '' ? [] : [description])].join(', ');
  return {
    ...button,
    key: action,
    description,
    spoken,
    icon: { name: buttonIcons[action] ?? 'edit' },
  };
}

const liveScheme = 'margin-desk-live';

export function headItem({ title, action, icon, ...head }: Head): vscode.TreeItem {
  const item = new vscode.TreeItem(title);
  item.id = `head/${head.key}`;
  item.description = head.description;
  item.iconPath = themeIcon(icon);
  item.tooltip = screenReaderText(head.spoken);
  item.accessibilityInformation = { label: item.tooltip, role: 'button' };
  item.command = { command: commands[action], title };
  if (head.isLive) item.resourceUri = vscode.Uri.from({ scheme: liveScheme });
  return item;
}

/** Gives the name of a LIVE account its colour, which VS Code takes only from a decoration of a file. */
export function colorLiveAccounts(): vscode.Disposable {
  const color = new vscode.ThemeColor(colors.liveForeground);
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme }) => (scheme === liveScheme ? { color } : undefined),
  });
}

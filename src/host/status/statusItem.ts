import * as vscode from 'vscode';
import type { ActiveAccount, ActiveState } from '../../account/session/activeAccount.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { todayCards, type Today } from '../analysis/today.ts';
import { commands, statusItems, views } from '../shared/contributions.ts';
import { onDidChangeSetting } from '../settings/settings.ts';
import { settingValue } from '../settings/settingValues.ts';
import { t } from '../shared/translate.ts';
import {
  hoverTable,
  type HoverLink,
  type HoverContent,
  type HoverRow,
} from '../text/hoverTable.ts';
import {
  screenReaderText,
  accountLabel,
  ageText,
  readText,
  withoutIcons,
} from '../text/messageText.ts';
import {
  type StatusLevel,
  accountStatus,
  equityText,
  problem,
  rateLimitRow,
  riskCounts,
  riskSummary,
  statusRows,
  type AccountStatus,
} from './statusFields.ts';
import type { FeatureContext } from '../feature/context.ts';
import type { Services } from '../settings/services.ts';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { PositionRisk } from '../../account/session/positionRisk.ts';
import { environmentLabel } from '../../account/session/profile.ts';
import { cleanText } from '../../base/cleanText.ts';
import { unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { environmentOfProfile } from '../profiles/profileSettings.ts';
import type { RiskAssessment } from '../settings/riskAssessment.ts';
import { errorText } from '../text/failureText.ts';
import { distanceText } from '../text/riskText.ts';

function statusLinks({ state }: ActiveAccount): readonly HoverLink[] {
  const canWrite = state.kind === 'open' && !state.session.profile.readOnly;
  return [
    { title: t('Account Overview'), command: commands.openOverview },
    { title: t('Refresh Account'), command: commands.refresh },
    canWrite
      ? { title: t('Cancel All Open Orders…'), command: commands.cancelAllOrders }
      : { title: t('Switch Profile…'), command: commands.switchProfile },
  ];
}

const alignmentKey = 'marginDesk.statusBarAlignment';

export function registerStatusItem(
  context: FeatureContext,
  today: StatusItemOptions['today'],
): StatusItem {
  return context.add(new StatusItem({ ...context, today }));
}

type StatusItemOptions = Pick<Services, 'active' | 'display' | 'risk'> & {
  readonly today: Pick<Today, 'numbers' | 'onDidChange'>;
};

/** The status bar item: environment, equity, upl and risk. Hidden while no account is open. */
class StatusItem implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: StatusItemOptions;
  private alignment = settingValue(alignmentKey);
  private lastContent: string | undefined;
  item = this.create();

  constructor(options: StatusItemOptions) {
    this.options = options;
    const { active, display, risk, today } = options;
    for (const { onDidChange } of [active, display, risk, today])
      this.disposables.add(onDidChange(this.update));
    this.disposables.add(onDidChangeSetting([alignmentKey], () => this.recreate()));
    this.update();
  }

  dispose(): void {
    this.item.dispose();
    this.disposables.dispose();
  }

  private create(): vscode.StatusBarItem {
    const { Left, Right } = vscode.StatusBarAlignment;
    const item =
      this.alignment === 'left'
        ? vscode.window.createStatusBarItem(statusItems.equityOnTheLeft, Left, 100)
        : vscode.window.createStatusBarItem(statusItems.equity, Right, 100);
    item.name = t('Margin Desk Equity');
    item.command = `${views.positions}.focus`;
    return item;
  }

  /** VS Code cannot move an item, and remembers its side by id. */
  private recreate(): void {
    this.alignment = settingValue(alignmentKey);
    this.item.dispose();
    this.item = this.create();
    this.lastContent = undefined;
    this.update();
  }

  /** Assigns only what changed: each assignment is a message to the window. */
  private readonly update = (): void => {
    const { active, display, risk, today } = this.options;
    const current = display.latest();
    const content =
      this.alignment === 'hidden'
        ? undefined
        : statusContent(active.state, current, risk, today.numbers);
    const json = JSON.stringify(content ?? null);
    if (json === this.lastContent) return;
    this.lastContent = json;
    if (!content) {
      this.item.hide();
      return;
    }
    this.item.text = content.text;
    this.item.accessibilityInformation = { label: screenReaderText(content.screenReaderLabel) };
    this.item.tooltip = hoverTable({ ...content.hover, links: statusLinks(active) });
    this.item.backgroundColor = backgroundColor(content.level);
    this.item.show();
  };
}

function backgroundColor(level: StatusLevel): vscode.ThemeColor | undefined {
  return level === 'none' ? undefined : new vscode.ThemeColor(`statusBarItem.${level}Background`);
}

/** What the status item shows: its text, screen reader label, hover and background. */
type StatusContent = {
  readonly text: string;
  readonly screenReaderLabel: string;
  readonly hover: Omit<HoverContent, 'links'>;
  readonly level: StatusLevel;
};

/** The item for a state of the active account; undefined if no account is open. */
export function statusContent(
  state: ActiveState,
  display: Display,
  risk: Pick<RiskAssessment, 'rankPositions'>,
  today?: Today['numbers'],
): StatusContent | undefined {
  switch (state.kind) {
    case 'closed':
      return undefined;
    case 'opening':
      return contentWithoutAccount('$(loading~spin)', state.name, [], 'none');
    case 'failed': {
      const rows = [problem(errorText(state.error, display))];
      return contentWithoutAccount('$(warning)', state.name, rows, 'warning');
    }
    case 'open': {
      const status = accountStatus(state.session, risk);
      return {
        text: statusText(status, display),
        screenReaderLabel: statusLabel(status, display),
        hover: statusHover(state.session, status, display, today),
        level: status.level,
      };
    }
  }
}

function contentWithoutAccount(
  icon: string,
  name: string,
  rows: readonly HoverRow[],
  level: StatusLevel,
): StatusContent {
  const profile = { name, environment: environmentOfProfile(name) };
  const title = accountLabel(profile);
  const label = [title, t('equity unknown'), ...rows.map(([, value]) => value)];
  return {
    text: `${icon} ${environmentLabel(profile)} ${unknownText}`,
    screenReaderLabel: label.join(', '),
    hover: { heading: [title, ''], rows, time: '', isStale: false },
    level,
  };
}

function statusHover(
  session: AccountSession,
  status: AccountStatus,
  display: Display,
  today: Today['numbers'],
): StatusContent['hover'] {
  const { profile, snapshot, staleAgeMs } = status;
  const todayRows = (snapshot ? todayCards(today, session, snapshot, display) : []).map(
    ({ label, lines, notes }): HoverRow => [
      label,
      [...lines.map(({ text }) => text), ...notes].join(' · '),
    ],
  );
  return {
    heading: [accountLabel(profile), profile.readOnly ? t('read-only') : ''],
    rows: [
      ...statusRows(status, display),
      ...todayRows,
      rateLimitRow(session.rateLimiter.usage, display),
    ],
    time: snapshot ? readText(snapshot.readAt, staleAgeMs, display) : '',
    isStale: staleAgeMs !== undefined,
  };
}

/** Environment, equity and upl; then the position closest to liquidation, what is unknown, and the age of old figures. */
function statusText(status: AccountStatus, display: Display): string {
  const { profile, snapshot, failure, staleAgeMs, danger } = status;
  const start = `${profile.readOnly ? '$(lock) ' : ''}${environmentLabel(profile)}`;
  if (!snapshot) return `${failure === undefined ? '' : '$(warning) '}${start} ${unknownText}`;
  const { equity, upl } = snapshot.account;
  const figures = [
    start,
    display.compact('equity', equity),
    ...(staleAgeMs === undefined ? [display.signedCompact('upl', upl)] : []),
  ];
  return [
    figures.join(' '),
    ...(danger ? [dangerText(danger, display)] : []),
    ...unreadText(status, display),
    ...ageParts(status, display),
  ].join(' · ');
}

/** `btc 2.9%` with its icon; the asset before the separator represents the symbol. */
function dangerText(danger: PositionRisk, display: Display): string {
  const icon = danger.band === 'critical' ? '$(flame)' : '$(warning)';
  const symbol = withoutIcons(cleanText(danger.position.symbol, 20));
  const asset = symbol.replace(/(?<=.)_.*$/, '');
  return `${icon} ${asset} ${distanceText(danger, display)}`;
}

function unreadText({ snapshot, unread }: AccountStatus, display: Display): string[] {
  if (snapshot && !snapshot.account.positions) return [t('positions unknown')];
  return unread === 0 ? [] : [t('{0} unreadable', display.count(unread))];
}

/** How old stale figures are; when others were read, if the last read failed. */
function ageParts({ snapshot, staleAgeMs, failure }: AccountStatus, display: Display): string[] {
  if (staleAgeMs !== undefined) return [t('{0} old', ageText(staleAgeMs, display))];
  return failure === undefined || !snapshot
    ? []
    : [`$(warning) ${display.timeOfDay(snapshot.readAt)}`];
}

/** For a screen reader: full values, stale ones too, and how many positions are near or critical. */
function statusLabel(status: AccountStatus, display: Display): string {
  const { profile, snapshot, failure, unread, staleAgeMs } = status;
  const figures = snapshot
    ? [
        t('equity {0}', equityText(snapshot, display)),
        t('unrealised P&L {0}', display.full('upl', snapshot.account.upl)),
      ]
    : [t('equity unknown')];
  const risks =
    unread === 0
      ? riskCounts(status, display)
      : [t('close to liquidation: {0}', riskSummary(status, display))];
  return [
    accountLabel(profile),
    ...(profile.readOnly ? [t('read-only')] : []),
    ...figures,
    ...risks,
    ...(staleAgeMs === undefined ? [] : [t('stale: {0} old', ageText(staleAgeMs, display))]),
    ...(failure === undefined ? [] : [errorText(failure, display)]),
  ].join(', ');
}

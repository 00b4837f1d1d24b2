import { l10n } from 'vscode';
import {
  unreadableFields,
  unreadableRecords,
  type AccountList,
} from '../../account/session/accountStore.ts';
import type { AccountSession } from '../../account/session/accountSession.ts';
import { originOf, type Environment, type Profile } from '../../account/session/profile.ts';
import { cleanText, escapeInvisible } from '../../base/cleanText.ts';
import type { PageAccount, DocumentTable, Label } from '../../protocol/documentTable.ts';
import type { OverviewButton, OverviewDocument, OverviewSection } from '../../protocol/overview.ts';
import { CredentialsRequiredError } from '../profiles/credentials.ts';
import { isSignInRefused } from '../../exchange/exchangeError.ts';
import { errorText } from '../text/failureText.ts';
import { ageText, asOfText, unreadablePartText, yesOrNo } from '../text/messageText.ts';
import { pageAccount } from '../text/pageAccount.ts';
import { accountFailureText, signInButtons } from '../text/signInHelp.ts';
import { accountCards } from './accountCards.ts';
import type { AccountContext, OverviewContext } from './overviewContext.ts';
import { recentSections } from './recentSections.ts';
import type { Display } from '../../base/display.ts';
import type { AssetBalance, LockedOrders } from '../../exchange/records.ts';
import type { GridRows } from '../../protocol/documentRows.ts';
import { lockedSides } from '../text/lockedOrdersText.ts';
import { positionsGrid } from './positionsTable.ts';

/** The account of this window, with every digit that privacy mode leaves, or what to do without one. */
export function overviewDocument(context: OverviewContext): OverviewDocument {
  const { state, display, environmentOf } = context;
  switch (state.kind) {
    case 'closed':
      return { ...emptyDocument(), advice: noAccountText(), buttons: beginButtons() };
    case 'opening':
      return {
        ...emptyDocument(),
        account: unopenedAccount(state.name, environmentOf(state.name)),
        advice: l10n.t('Opening {0}…', nameText(state.name)),
      };
    case 'failed':
      return {
        ...emptyDocument(),
        account: unopenedAccount(state.name, environmentOf(state.name)),
        problems: [errorText(state.error, display)],
        buttons: failedButtons(state.error),
      };
    case 'open':
      return openDocument(state.session, context);
  }
}

function emptyDocument(): OverviewDocument {
  return {
    title: l10n.t('Account overview'),
    account: null,
    time: null,
    age: null,
    problems: [],
    advice: null,
    buttons: [],
    cards: [],
    sections: [],
    hiddenWord: l10n.t('hidden'),
  };
}

function noAccountText(): string {
  return l10n.t(
    'No account is open. Try the practice exchange without a key, add your own account, import profiles from a file, or open a profile that you have.',
  );
}

function beginButtons(): OverviewButton[] {
  const { t } = l10n;
  return [
    { action: 'tryPractice', label: t('Try the Practice Exchange') },
    { action: 'addProfile', label: t('Add Profile') },
    { action: 'importProfiles', label: t('Import Profiles') },
    switchButton(),
  ];
}

function failedButtons(error: unknown): OverviewButton[] {
  const { t } = l10n;
  const first: OverviewButton =
    error instanceof CredentialsRequiredError
      ? { action: 'setCredentials', label: t('Set Credentials') }
      : { action: 'refresh', label: t('Retry') };
  return [first, switchButton()];
}

function switchButton(): OverviewButton {
  return { action: 'switchProfile', label: l10n.t('Switch Profile') };
}

function openDocument(session: AccountSession, context: OverviewContext): OverviewDocument {
  const { display } = context;
  const { snapshot, failure } = session.store.state;
  const problem = accountFailureText(session, display);
  const failures = problem === undefined ? [] : [problem];
  const opened: OverviewDocument = {
    ...emptyDocument(),
    account: openAccount(session.profile),
    problems: failures,
    buttons: isSignInRefused(failure)
      ? signInButtons().map(({ action, title: label }) => ({ action, label }))
      : [{ action: 'refresh', label: failure === undefined ? l10n.t('Refresh') : l10n.t('Retry') }],
  };
  if (!snapshot)
    return { ...opened, advice: failures.length > 0 ? null : l10n.t('Reading the account…') };
  const account = { ...context, session, snapshot };
  return {
    ...opened,
    ...figureTimes(account),
    problems: [
      ...failures,
      ...unreadableFields(snapshot).map((field) => unreadablePartText(field, display)),
    ],
    cards: accountCards(account),
    sections: [...accountSections(account), ...recentSections(account)],
  };
}

function figureTimes({
  session,
  snapshot,
  display,
}: AccountContext): Pick<OverviewDocument, 'time' | 'age'> {
  const { staleAgeMs } = session.staleness;
  return {
    time: {
      text: asOfText(snapshot.asOf, staleAgeMs, display),
      detail: display.timeInBothZones(String(snapshot.asOf)),
    },
    age: staleAgeMs === undefined ? null : l10n.t('{0} old', ageText(staleAgeMs, display)),
  };
}

function openAccount(profile: Profile): PageAccount {
  return pageAccount(profile, originOf(profile), profile.readOnly ? l10n.t('read-only') : null);
}

function unopenedAccount(name: string, environment: Environment): PageAccount {
  return pageAccount({ name, environment }, '');
}

function nameText(name: string): string {
  return cleanText(escapeInvisible(name));
}

/** The lists of the account, each with what could not be read of it. */
function accountSections(context: AccountContext): OverviewSection[] {
  const { snapshot, risk, display, session } = context;
  const { assets, orders } = snapshot.account;
  const { t } = l10n;
  const ranked = risk.rankPositions(snapshot);
  const { readOnly } = session.profile;
  return [
    section(context, 'positions', {
      title: t('Positions'),
      columns: [],
      rows: [],
      ...(ranked.length > 0 && {
        grid: positionsGrid(ranked, context),
      }),
      emptyText: t('No open positions.'),
    }),
    section(context, 'assets', {
      title: t('Assets'),
      ...assetsTable(assets ?? [], display),
      emptyText: t('No assets.'),
    }),
    section(context, 'orders', {
      title: t('Open orders by symbol'),
      ...openOrdersTable(orders ?? [], display),
      emptyText: t('No open orders.'),
      notes: readOnly ? [t('This profile is read-only: it cannot cancel orders.')] : [],
      buttons: [
        readOnly
          ? { action: 'editProfile', label: t('Edit Profile') }
          : { action: 'cancelAllOrders', label: t('Cancel All Orders (all symbols)…') },
      ],
    }),
  ];
}

type SectionContent = Omit<DocumentTable, 'notes'> & {
  readonly grid?: GridRows;
  readonly emptyText: string;
  readonly notes?: string[];
  readonly buttons?: OverviewButton[];
};

/** A list of which something could not be read is never called empty. */
function section(
  { snapshot, display }: AccountContext,
  list: AccountList,
  { emptyText, notes = [], buttons = [], ...table }: SectionContent,
): OverviewSection {
  const unreadable = unreadableRecords(snapshot, list);
  const isEmpty = table.rows.length === 0 && !table.grid && unreadable.length === 0;
  return {
    ...table,
    isOfAccount: true,
    notes: [
      ...unreadable.map((record) => unreadablePartText(record, display)),
      ...(isEmpty ? [emptyText] : []),
      ...notes,
    ],
    buttons,
  };
}

type Rows = Pick<DocumentTable, 'columns' | 'rows'>;

/** Every asset as the exchange lists it. */
function assetsTable(assets: readonly AssetBalance[], display: Display): Rows {
  const { t } = l10n;
  return {
    columns: [
      { label: t('Asset'), isNumeric: false },
      { label: t('Deposited'), isNumeric: true },
      { label: t('Margin'), isNumeric: true },
      { label: t('Locked'), isNumeric: true },
      { label: t('Margin asset'), isNumeric: false },
    ],
    rows: assets.map((asset) => [
      { text: cleanText(asset.name, 60) },
      ...(['deposited', 'margin', 'locked'] as const).map((field): Label => ({
        text: display.full(field, asset[field]),
      })),
      { text: yesOrNo(asset.isMargin) },
    ]),
  };
}

/** What open orders lock per symbol; one row for each side, which are never added. */
function openOrdersTable(orders: readonly LockedOrders[], display: Display): Rows {
  const { t } = l10n;
  return {
    columns: [
      { label: t('Symbol'), isNumeric: false },
      { label: t('Side'), isNumeric: false },
      { label: t('Size'), isNumeric: true },
      { label: t('Locked'), isNumeric: true },
    ],
    rows: orders.flatMap((locked) =>
      lockedSides(locked).map(({ label, size, locked: field }): Label[] => [
        { text: cleanText(locked.symbol, 60) },
        { text: label },
        { text: display.full(size, locked[size]) },
        { text: display.full(field, locked[field]) },
      ]),
    ),
  };
}

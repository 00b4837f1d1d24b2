import {
  unreadableFields,
  unreadableRecords,
  type AccountList,
} from '../../account/session/accountStore.ts';
import type { AccountSession } from '../../account/session/accountSession.ts';
import { originOf } from '../../account/session/profile.ts';
import { cleanText } from '../../base/cleanText.ts';
import type { Block, Card, DocumentTable, Section } from '../../protocol/document.ts';
import { CredentialsRequiredError } from '../profiles/credentials.ts';
import { isSignInRefused } from '../../exchange/exchangeError.ts';
import { t } from '../shared/translate.ts';
import { errorText } from '../text/failureText.ts';
import {
  ageText,
  readText,
  unreadablePartText,
  yesOrNo,
  pageAccount,
  joined,
} from '../text/messageText.ts';
import type { Live, LiveDocument } from '../webview/documentPanel.ts';
import {
  advice,
  emptyDocument,
  noAccount,
  switchButton,
  tableColumns,
} from '../webview/documentParts.ts';
import { accountFailureText, nextTryText, signInButtons } from '../text/signInHelp.ts';
import { accountCards, feeRatesCard, reconciliationCards } from './accountCards.ts';
import type { AccountContext, OverviewContext } from './overviewContext.ts';
import { recentSections } from './recentSections.ts';
import type { Display } from '../../base/display.ts';
import type { AssetBalance, LockedOrders } from '../../exchange/records.ts';
import { lockedSides } from '../text/lockedOrdersText.ts';
import { positionsGrid } from './positionsTable.ts';

/** The account of this window, as far as privacy mode shows it, or what to do without one. */
export function overviewDocument(context: OverviewContext): LiveDocument {
  const { state, display, environmentOf } = context;
  const empty = emptyDocument(t('Account overview'), display);
  if (state.kind === 'open') return openDocument(state.session, context, empty);
  if (state.kind === 'closed') return { ...empty, ...noAccount() };
  const { name } = state;
  const account = pageAccount({ name, environment: environmentOf(name) }, '');
  if (state.kind === 'opening')
    return { ...empty, account, sections: [advice(t('Opening {0}…', account.profile))] };
  const { error } = state;
  const retry = { action: 'refresh', label: t('Retry') } as const;
  const enter = { action: 'setCredentials', label: t('Set Credentials…') } as const;
  const next = error instanceof CredentialsRequiredError ? enter : retry;
  return { ...empty, account, notes: [errorText(error, display)], buttons: [next, switchButton()] };
}

function openDocument(
  session: AccountSession,
  context: OverviewContext,
  empty: LiveDocument,
): LiveDocument {
  const { display } = context;
  const { profile } = session;
  const { snapshot, failure } = session.store.state;
  const problem = accountFailureText(session, display);
  const failures = problem === undefined ? [] : [joined(problem, nextTryText(session, display))];
  const opened: LiveDocument = {
    ...empty,
    account: pageAccount(profile, originOf(profile), profile.readOnly ? t('read-only') : null),
    notes: failures,
    buttons: isSignInRefused(failure)
      ? signInButtons().map(({ action, title: label }) => ({ action, label }))
      : [{ action: 'refresh', label: failure === undefined ? t('Refresh') : t('Retry') }],
  };
  if (!snapshot)
    return failures.length > 0
      ? opened
      : { ...opened, sections: [advice(t('Reading the account…'))] };
  const { staleAgeMs } = session.staleness;
  const age = staleAgeMs === undefined ? null : t('{0} old', ageText(staleAgeMs, display));
  const account = { ...context, session, snapshot, age };
  return {
    ...opened,
    time: {
      text: readText(snapshot.readAt, staleAgeMs, display),
      detail: display.timeInBothZones(snapshot.readAt),
    },
    isStale: age !== null,
    notes: [
      ...failures,
      ...unreadableFields(snapshot).map((field) => unreadablePartText(field, display)),
    ],
    sections: [
      {
        // The heading of the cards is only read aloud.
        ...{ title: t('Account'), isSpoken: true, notes: [] },
        blocks: [{ kind: 'cards', isStrip: true, cards: accountCards(account) }],
      },
      ...accountSections(account),
      ...recentSections(account),
      cardsSection(t('Fees and reconciliation'), [
        { ...feeRatesCard(account), age },
        ...reconciliationCards(account),
      ]),
    ],
  };
}

function cardsSection(title: string, cards: Live<Card>[]): Live<Section> {
  return { title, notes: [], blocks: [{ kind: 'cards', cards }] };
}

/** The lists of the account, each with what could not be read of it. */
function accountSections(context: AccountContext): Live<Section>[] {
  const { snapshot, risk, display, session } = context;
  const { assets, orders } = snapshot.account;
  const ranked = risk.rankPositions(snapshot);
  const title = t('Positions');
  const { readOnly } = session.profile;
  return [
    section(context, 'positions', {
      title,
      blocks:
        ranked.length > 0 ? [{ kind: 'grid', title, rows: positionsGrid(ranked, context) }] : [],
      emptyText: t('No open positions.'),
    }),
    section(context, 'assets', {
      title: t('Assets'),
      blocks: assetTables(assets ?? [], display),
      emptyText: t('No assets.'),
    }),
    section(context, 'orders', {
      title: t('Open orders by symbol'),
      blocks: openOrderTables(orders ?? [], display),
      emptyText: t('No open orders.'),
      notes: readOnly ? [t('This profile is read-only: it cannot cancel orders.')] : [],
      buttons: [
        readOnly
          ? { action: 'editProfile', label: t('Edit Profile…') }
          : { action: 'cancelAllOrders', label: t('Cancel All Orders (all symbols)…') },
      ],
    }),
  ];
}

type SectionContent = Pick<Live<Section>, 'title' | 'blocks' | 'buttons'> & {
  readonly emptyText: string;
  readonly notes?: string[];
};

/** A list of which something could not be read is never called empty. */
function section(
  { snapshot, age, display }: AccountContext,
  list: AccountList,
  { emptyText, notes = [], ...content }: SectionContent,
): Live<Section> {
  const unreadable = unreadableRecords(snapshot, list);
  const isEmpty = content.blocks.length === 0 && unreadable.length === 0;
  return {
    ...content,
    age,
    notes: [
      ...unreadable.map((record) => unreadablePartText(record, display)),
      ...(isEmpty ? [emptyText] : []),
      ...notes,
    ],
  };
}

/** Every asset as the exchange lists it. */
function assetTables(assets: readonly AssetBalance[], display: Display): Live<Block>[] {
  const rows = assets.map((asset) => [
    { text: cleanText(asset.name, 60) },
    ...(['deposited', 'margin', 'locked'] as const).map((field) => ({
      text: display.full(field, asset[field]),
    })),
    { text: yesOrNo(asset.isMargin) },
  ]);
  const columns = [
    ...tableColumns([t('Asset')], [t('Deposited'), t('Margin'), t('Locked')]),
    ...tableColumns([t('Margin asset')]),
  ];
  return tables({ title: t('Assets'), columns, rows });
}

/** What open orders lock per symbol; one row for each side, which are never added. */
function openOrderTables(orders: readonly LockedOrders[], display: Display): Live<Block>[] {
  const rows = orders.flatMap((locked) =>
    lockedSides(locked).map(({ label, size, locked: field }) => [
      { text: cleanText(locked.symbol, 60) },
      { text: label },
      { text: display.full(size, locked[size]) },
      { text: display.full(field, locked[field]) },
    ]),
  );
  const columns = tableColumns([t('Symbol'), t('Side')], [t('Size'), t('Locked')]);
  return tables({ title: t('Open orders by symbol'), columns, rows });
}

/** None without rows. */
function tables(table: Live<Omit<DocumentTable, 'notes'>>): Live<Block>[] {
  return table.rows.length > 0 ? [{ kind: 'table', notes: [], ...table }] : [];
}

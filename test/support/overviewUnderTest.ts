import type { AccountSession } from '../../src/account/session/accountSession.ts';
import { rankPositions } from './risks.ts';
import { AccountStore } from '../../src/account/session/accountStore.ts';
import type { Profile } from '../../src/account/session/profile.ts';
import { Display } from '../../src/base/display.ts';
import { parseJson } from '../../src/base/exactJson.ts';
import { answers } from '../../src/exchange/records.ts';
import type { OnDemandReads, OverviewContext } from '../../src/host/overview/overviewContext.ts';
import { overviewDocument } from '../../src/host/overview/overviewDocument.ts';
import { cellTooltip, gridCellText } from '../../src/pages/grid/cells.ts';
import type { GridRows } from '../../src/protocol/document.ts';
import type { LiveDocument } from '../../src/host/webview/documentPanel.ts';
import { aProfile } from './builders.ts';
import { decode } from './decode.ts';
import { aDisplay } from './display.ts';
import { defaultLayout } from '../../src/protocol/values.ts';

const limits = { nearPercent: 10, criticalPercent: 5 };
const readAt = 1_700_000_000_000;
const symbols = [{ symbol: 'btc_usdt', marginAsset: 'usdt', quoteAsset: 'usdt' }];

const unread = {
  state: { isReading: false },
  start: () => Promise.resolve(),
  reset: () => undefined,
};

export const nothingRead: OnDemandReads = {
  ...{ feeTiers: unread, rateUnit: unread, orders: unread, trades: unread, transactions: unread },
};

/** What was read on demand. */
export function readOnDemand<Value>(value: Value) {
  return { ...unread, state: { isReading: false, last: { value, readAt } } };
}

export function overviewOf(context: Partial<OverviewContext>): LiveDocument {
  return overviewDocument({
    state: { kind: 'closed' },
    display: aDisplay(),
    risk: { limits, rankPositions },
    reads: nothingRead,
    layout: defaultLayout,
    ...{ reconciliation: { kind: 'noLedger' }, today: undefined },
    environmentOf: () => 'live',
    ...context,
  });
}

/** What the page draws of the document. */
export function asDrawn({ key: _key, display, ...overview }: LiveDocument) {
  const sections = overview.sections.map((section) => ({
    ...section,
    blocks: section.blocks.map(({ kind: _kind, ...block }) =>
      'rows' in block && 'layout' in block.rows
        ? { ...block, rows: drawnGrid(block.rows as GridRows, new Display(display)) }
        : block,
    ),
  }));
  return { ...overview, sections };
}

function drawnGrid({ columns, rows }: GridRows, display: Display): string[][] {
  const headers = columns.flatMap(({ label, detail = '', scale }) => [
    ...[label, detail],
    ...(scale ? [...scale.steps.map(({ word }) => word), scale.beyond] : []),
  ]);
  const cells = rows.map((row) =>
    columns.flatMap((_, index) => [
      gridCellText(row, index, columns, '', display),
      cellTooltip(row, index, columns, display),
    ]),
  );
  return [headers, ...cells];
}

export type AccountSituation = Partial<OverviewContext> & {
  readonly profile?: Partial<Profile>;
  readonly staleAgeMs?: number;
  readonly failure?: unknown;
};

/** The overview of an account whose response is `text`; of one that was not read yet without it. */
export function overviewOfAccount(
  text: string | undefined,
  { profile, staleAgeMs, failure, ...context }: AccountSituation = {},
): LiveDocument {
  const decoded = text === undefined ? undefined : decode(answers.accounts, parseJson(text));
  const session = {
    profile: aProfile({ name: 'Main', environment: 'live', ...profile }),
    staleness: { staleAgeMs },
    serverNow: () => readAt,
    refresher: { nextReadInMs: Number.NaN },
    rateLimiter: { usage: { at: readAt } },
    exchangeInformation: { cached: { value: { symbols } } },
    store: {
      state: {
        ...(decoded && {
          snapshot: new AccountStore().replace({
            account: decoded.value,
            badRecords: decoded.badRecords,
            asOf: readAt,
            readAt,
            sentAt: readAt,
            answeredAt: readAt,
          }),
        }),
        failure,
      },
    },
  } as unknown as AccountSession;
  return overviewOf({ state: { kind: 'open', session }, ...context });
}

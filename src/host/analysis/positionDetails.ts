import type { AccountSession } from '../../account/session/accountSession.ts';
import { cleanText } from '../../base/cleanText.ts';
import { isZero, negated, sum } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { UserFacingError } from '../../base/errors.ts';
import { always, openEnd, type Interval } from '../../base/interval.ts';
import { minuteMs, parseTimestampMs } from '../../base/time.ts';
import type { Order, Trade, Transaction } from '../../exchange/records.ts';
import type { RebuiltPosition } from '../../ledger/analysis/analysis.ts';
import type { FeeSign, LedgerHistory, LedgerQuery, LedgerRecord } from '../../ledger/ledger.ts';
import { withIds, type StoredRecord } from '../../ledger/relatedRecords.ts';
import type { Block, Section } from '../../protocol/document.ts';
import type { FeatureContext } from '../feature/context.ts';
import { recordColumns, recordRow } from '../ids/storedRecords.ts';
import type { AccountLedger, OpenLedger } from '../ledger/openLedger.ts';
import { rowsOf, storedRow, type StoredRows } from '../reconciliation/storedRows.ts';
import { t } from '../shared/translate.ts';
import type { Live, LiveDocument } from '../webview/documentPanel.ts';
import {
  advice,
  emptyDocument,
  noAccount,
  noLedger,
  tableColumns,
} from '../webview/documentParts.ts';
import { accountTab } from '../webview/tab.ts';
import { directionText } from './choices.ts';
import { positionFacts } from './positions.ts';

type PositionPageNeeds = {
  readonly ledger: Pick<AccountLedger, 'current' | 'onDidChange'>;
  readonly showStored: (rows: StoredRows) => void;
};

/** The pages of a position, and of those that an order or a trade is in. */
export function registerPositionDetails(context: FeatureContext, needs: PositionPageNeeds) {
  const { active, documents } = context;
  const { ledger } = needs;
  const page = documents.add({
    name: 'position',
    source: (key) => ({
      tab: () => accountTab(t('Position'), active),
      document: () => readDocument(key, context, needs),
      changes: [ledger.onDidChange, active.onDidSwitch],
    }),
  });
  const show = (...key: PositionKey): void => void page.show(key.join(' '));
  return {
    show: ({ symbol, opened }: RebuiltPosition): void => show(opened, '', symbol),
    showOf: async (record: Order | Trade): Promise<void> => {
      const { from, to } = await tradedWithin(record, ledger.current);
      show(from, to, record.symbol);
    },
  };
}

/** The position that opened at a moment, or if there is an end, all that were open at some time between both. */
type PositionKey = readonly [from: number, to: number | '', symbol: string];

/** From the first trade of an order to its last one; when it liquidated a position if it has none. */
async function tradedWithin(
  { orderId, symbol, time, ...record }: Order | Trade,
  ledger: OpenLedger | null | undefined,
): Promise<Interval> {
  if (!ledger) throw new UserFacingError(t('This account has no ledger.'));
  const at = parseTimestampMs(time) ?? 0;
  if ('tradeId' in record) return { from: at, to: at };
  const ofOrder = withIds('trades', { orderId: orderId ?? '', symbol });
  const ends = [false, true].map(async (isDescending) => {
    const sort = { field: 'time', isDescending };
    const { rows } = await ledger.reader.rows({ ...ofOrder, sort, isListed: true }, 0, 1);
    return rows.map((row) => parseTimestampMs((row as Trade).time) ?? 0);
  });
  const [[from], [to]] = (await Promise.all(ends)) as [number[], number[]];
  if (from !== undefined && to !== undefined) return { from, to };
  // A liquidation may have no trade.
  if (record.status !== 'LIQUIDATED')
    throw new UserFacingError(t('The ledger has no trade of this order.'));
  return { from: at, to: at };
}

async function readDocument(
  key: string,
  { active, display }: FeatureContext,
  { ledger, showStored }: PositionPageNeeds,
): Promise<LiveDocument> {
  const session = active.state.kind === 'open' ? active.state.session : undefined;
  const shown = display.latest();
  const empty = { ...emptyDocument(t('Position'), shown, session?.profile), key };
  if (!session) return { ...empty, ...noAccount() };
  if (!ledger.current) return { ...empty, ...noLedger() };
  const { reader } = ledger.current;
  const [positions, feeSign] = await Promise.all([
    positionsOf(key, reader, session, shown),
    reader.feeSign(),
  ]);
  const sections = positions.map(async (position, index) =>
    positionSection(position, await recordsOf(position, reader), {
      ...{ feeSign, showStored, display: shown, action: `position ${index}` },
    }),
  );
  const none = advice(t('The ledger has no position of that time.'));
  return { ...empty, sections: sections.length > 0 ? await Promise.all(sections) : [none] };
}

async function positionsOf(
  key: string,
  reader: OpenLedger['reader'],
  session: Pick<AccountSession, 'serverNow'>,
  { zone }: Display,
): Promise<readonly RebuiltPosition[]> {
  const [from, to, ...names] = key.split(' ');
  const opened = Number(from);
  const { positions } = await reader.analyse({
    ...({ view: 'positions', period: always, now: session.serverNow(), zone: zone.name } as const),
    ...({ groupBy: 'day', splitBy: 'asset', account: 'FUTURE' } as const),
    positions: { symbol: names.join(' '), touched: { from: opened, to: Number(to) || opened } },
  });
  return to === '' ? positions.filter((each) => each.opened === opened) : positions;
}

/** Nobody reads more of them at a glance. */
const mostListed = 100;

type PositionRecords = {
  readonly orders: readonly StoredRecord[];
  /** Of all orders of these fills. */
  readonly orderCount: number;
  readonly fills: readonly StoredRecord[];
  /** Of all fills. */
  readonly fillCount: number;
  readonly booked: readonly Booked[];
  /** Of all that were booked. */
  readonly bookedCount: number;
};
type Booked = StoredRecord & { readonly record: Transaction };

async function recordsOf(
  { symbol, opened, closed, lastAt }: RebuiltPosition,
  reader: OpenLedger['reader'],
): Promise<PositionRecords> {
  const read = async <History extends LedgerHistory>(
    history: History,
    filters: LedgerQuery['filters'],
    period: Interval,
  ) => {
    const oldestFirst = { field: 'time', isDescending: false };
    const query = {
      history,
      filters,
      period,
      sort: oldestFirst,
      search: '',
      isListed: true,
    } as const;
    const { rows, total } = await reader.rows(query, 0, mostListed);
    const records = rows as readonly LedgerRecord<History>[];
    return { total, records: records.map((record) => ({ history, record })) };
  };
  const fills = await read('trades', { symbol: [symbol] }, { from: opened, to: lastAt + 1 });
  const orderId = [...new Set(fills.records.flatMap(({ record }) => record.orderId ?? []))];
  const [orders, funding, fees] = await Promise.all([
    read('orders', { symbol: [symbol], orderId }, always),
    read(
      'futureTransactions',
      { type: ['FUNDING_FEE'] },
      { from: opened, to: closed === null ? openEnd : closed + 1 },
    ),
    read(
      'futureTransactions',
      { type: ['LIQUIDATION_FEE'] },
      // It may be booked after the liquidation.
      { from: opened, to: closed === null ? openEnd : closed + minuteMs + 1 },
    ),
  ]);
  return {
    ...{ orders: orders.records, orderCount: orderId.length },
    ...{ fills: fills.records, fillCount: fills.total },
    booked: [...funding.records, ...fees.records],
    bookedCount: funding.total + fees.total,
  };
}

/** Whether the rows are known to be more, or others, than what the position was charged. */
function hasOthers(booked: readonly Booked[], charges: RebuiltPosition['charges']): boolean {
  const rows = booked.map(({ record }) => record);
  if (charges === null || rows.some(({ amount }) => amount === null)) return false;
  const less = charges.map(({ asset, amount }) => ({ asset, amount: negated(amount) }));
  const byAsset = Map.groupBy([...rows, ...less], ({ asset }) => asset);
  return [...byAsset.values()].some(
    (own) => !isZero(sum(own.flatMap(({ amount }) => amount ?? []))),
  );
}

type SectionParts = Pick<PositionPageNeeds, 'showStored'> & {
  readonly feeSign: FeeSign;
  readonly display: Display;
  /** Begins the actions of its buttons. */
  readonly action: string;
};

function positionSection(
  position: RebuiltPosition,
  { orders, orderCount, fills, fillCount, booked, bookedCount }: PositionRecords,
  parts: SectionParts,
): Live<Section> {
  const { symbol, direction, opened, lastAt, charges } = position;
  const { showStored, display, action } = parts;
  const count = (number: number): string => display.count(number);
  const others = fillCount - position.fills;
  const showFills = (): void =>
    showStored(rowsOf('trades', { symbol }, { from: opened, to: lastAt + 1000 }));
  return {
    title: [cleanText(symbol, 40), ...(direction ? [directionText(direction)] : [])].join(' · '),
    notes: [],
    buttons: [{ action: `${action}-fills`, label: t('Show Fills'), run: showFills }],
    blocks: [
      { kind: 'details', items: positionFacts(position, display) },
      recordTable(t('Orders'), orders, parts, [
        orders.length < orderCount &&
          t('The ledger has {0} of {1} orders.', count(orders.length), count(orderCount)),
      ]),
      recordTable(t('Fills'), fills, parts, [
        fills.length < fillCount &&
          t(
            'The first {0} of {1} fills are listed, with their orders.',
            count(fills.length),
            count(fillCount),
          ),
        others > 0 && t('Fills at its ends that are of another position: {0}', count(others)),
      ]),
      recordTable(t('Funding and liquidation fees'), booked, parts, [
        booked.length < bookedCount &&
          t('{0} of {1} are listed.', count(booked.length), count(bookedCount)),
        charges === null && booked.length > 0 && t('It is not proved of which position these are.'),
        booked.length === bookedCount &&
          hasOthers(booked, charges) &&
          t('Some of these are of other positions.'),
      ]),
    ],
  };
}

/** The name of each record opens its row in the ledger. A note that does not apply is false. */
function recordTable(
  title: string,
  records: readonly StoredRecord[],
  { feeSign, showStored, display, action }: SectionParts,
  notes: readonly (string | false)[],
): Live<Block> {
  const [record = '', ...figures] = recordColumns(feeSign === null);
  return {
    ...{ kind: 'table', title, columns: tableColumns([record], figures) },
    notes: [
      `${title}: ${display.count(records.length)}`,
      ...notes.filter((note) => note !== false),
    ],
    rows: records.map((each, index) => {
      const [name = '', ...texts] = recordRow(each, feeSign, display).map((text) =>
        cleanText(text),
      );
      const button = {
        ...{ action: `${action} ${title} ${index}`, label: name, spoken: t('Show Row: {0}', name) },
        run: () => showStored(storedRow(each)),
      };
      return [{ text: '', button }, ...texts.map((text) => ({ text }))];
    }),
  };
}

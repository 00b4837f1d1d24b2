import * as v from 'valibot';
import type { Interval } from '../base/interval.ts';
import { secondMs } from '../base/time.ts';
import { otherAmounts, type RebuiltPosition } from '../ledger/analysis/analysis.ts';
import type { Checkpoint } from '../ledger/ledger.ts';
import { analysed, counts, knownAt, knownOf, texts, type OpenAccount } from './account.ts';
import { argument, periodOf, refusePeriod } from './arguments.ts';
import { evidenceOf, mostEvidence, tool, type Evidence, type Found } from './tool.ts';

const tierFacts = ['feeTier', 'feeTierDiscount'] as const;

type Listed = {
  readonly fields: readonly string[];
  readonly listIn: (checkpoint: Checkpoint) => readonly object[] | null;
  readonly hasFeeTable?: true;
};

/** What the last stored read of the account has in one of its lists. */
function stored({ fields, listIn, hasFeeTable }: Listed) {
  return {
    ...{ asks: {}, row: v.strictObject(texts(...fields)) },
    facts: { ...counts('ageSeconds'), ...texts('equity', 'upl', ...tierFacts) },
    find: async ({ reader, now }: OpenAccount) => {
      const checkpoint = await reader.newestCheckpoint(false);
      // A fee table is stored once, with the first read that has it.
      const listed = hasFeeTable ? await reader.newestCheckpoint(true) : checkpoint;
      const { answeredAt = now, equity = null, upl = null, fees } = checkpoint ?? {};
      const list = listed && listIn(listed);
      const rows = (list ?? []).map((item) => {
        const values = item as Readonly<Record<string, unknown>>;
        return Object.fromEntries(fields.map((field) => [field, values[field] ?? null]));
      });
      const ageSeconds = checkpoint && Math.max(0, Math.round((now - answeredAt) / secondMs));
      const [feeTier, feeTierDiscount] = [fees?.tier ?? null, fees?.discount ?? null];
      const facts = { ageSeconds, equity, upl, feeTier, feeTierDiscount };
      return { rows, known: knownAt(checkpoint, list), facts };
    },
  };
}

export const getAccount = tool({
  name: 'get_account',
  description:
    'Equity, unrealised P&L (upl) and balances at the last stored read of the account, and its age. They are not those of now: say when they were.',
  ...stored({ fields: ['name', 'deposited', 'margin', 'locked'], listIn: ({ assets }) => assets }),
});

const openPositions = stored({
  fields: ['state', 'symbol', 'marginMode', 'amount', 'basePrice'],
  listIn: ({ positions }) => positions?.map((each) => ({ state: 'open', ...each })) ?? null,
});

const amounts = v.nullable(v.array(v.strictObject(texts('asset', 'amount'))));

const closedPosition = v.strictObject({
  ...texts('state', 'symbol', 'direction', 'opened', 'closed', 'asset', 'amount'),
  ...texts('entryPrice', 'exitPrice', 'rpnl', 'netPl', 'undecided'),
  netLacks: v.array(v.string()),
  ...{ fees: amounts, charges: amounts, isLiquidated: v.nullable(v.boolean()) },
  ...counts('orders', 'fills'),
});

export const listPositions = tool({
  name: 'list_positions',
  description:
    'Open positions at the last stored read of the account, and its age; a short may be negative or not, as the exchange has it. Or closed ones of a period, from flat to flat, the newest first: amount is the largest size, rpnl is gross, charges are funding and liquidation fees, null if they may be of other positions. netPl is rpnl less fees, with charges, all of asset; netLacks names what is not in it: say so. notListed: how many older ones are in no answer; ask for a shorter period. evidence: the trades that closed the newest ones. undecided says why figures are null: never guess them.',
  asks: {
    state: v.optional(v.picklist(['open', 'closed']), 'open'),
    ...{ from: argument.from, to: argument.to },
  },
  facts: counts('ageSeconds', 'notListed'),
  row: v.union([openPositions.row, closedPosition]),
  find: async (account, { state, ...ends }) => {
    if (state === 'closed') return closedPositions(account, periodOf(ends));
    refusePeriod(ends, 'closed positions');
    const { facts, ...found } = await openPositions.find(account);
    return { ...found, facts: { ageSeconds: facts.ageSeconds, notListed: 0 } };
  },
});

async function closedPositions(account: OpenAccount, period: Interval): Promise<Found> {
  const asked = { zone: 'UTC', groupBy: 'month', splitBy: 'asset', account: 'FUTURE' } as const;
  const request = { ...asked, view: 'positions', period } as const;
  const { positions, count, coverage } = await analysed<'positions'>(account, request);
  const ended = positions.filter(({ closed, undecided }) => closed !== null || undecided !== null);
  const rows = ended.toReversed().map(({ largest, gross, net, ...position }) => {
    const { symbol, direction, opened, closed, asset, entryPrice, exitPrice } = position;
    const { undecided, charges, isLiquidated, isSignKnown, orders, fills } = position;
    const netLacks = net === null ? [] : lackingIn(position);
    const fees = isSignKnown ? position.fees : null;
    return {
      ...{ state: 'closed', symbol, direction, opened, closed, asset, amount: largest },
      ...{ entryPrice, exitPrice, rpnl: gross, netPl: net, undecided },
      ...{ netLacks, fees, charges, isLiquidated, orders, fills },
    };
  });
  const notListed = count - positions.length;
  const known = knownOf(coverage, period, account.now);
  const closing = ended
    .slice(-mostEvidence)
    .toReversed()
    .map((each) => closingTrade(account, each));
  const evidence = (await Promise.all(closing)).flat();
  return { rows, known, evidence, facts: { ageSeconds: null, notListed } };
}

/** The trade that ended a position; none if several have its time. */
async function closingTrade(
  { reader }: OpenAccount,
  { symbol, closed, undecided }: RebuiltPosition,
): Promise<readonly Evidence[]> {
  if (closed === null || undecided !== null) return [];
  const period = { from: closed, to: closed + 1 };
  const own = {
    period,
    filters: { symbol: [symbol] },
    search: '',
    sort: null,
    isListed: true,
  } as const;
  const { rows } = await reader.piece({ history: 'trades', ...own }, null, 2);
  return rows.length === 1 ? rows.map((record) => evidenceOf('trades', record)) : [];
}

function lackingIn(position: Pick<RebuiltPosition, 'asset' | 'fees' | 'charges'>): string[] {
  const { fees, charges } = position;
  return [
    ...(charges === null ? ['charges'] : []),
    ...otherAmounts(position, fees).map(({ asset }) => `${asset} fees`),
    ...otherAmounts(position, charges).map(({ asset }) => `${asset} charges`),
  ];
}

const feeTable = stored({
  fields: ['tier', 'maker', 'taker'],
  listIn: ({ fees }) => fees.table ?? null,
  hasFeeTable: true,
});

export const getRules = tool({
  name: 'get_rules',
  description:
    'The fee table that was stored last; the fee tier of the account at its last stored read, and the age of that. Leverage rules are not stored.',
  ...{ asks: {}, row: feeTable.row, facts: { ...counts('ageSeconds'), ...texts(...tierFacts) } },
  find: async (account) => {
    const { facts, ...found } = await feeTable.find(account);
    const { equity: _equity, upl: _upl, ...ofFees } = facts;
    return { ...found, facts: ofFees };
  },
});

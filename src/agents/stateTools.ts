import * as v from 'valibot';
import { secondMs } from '../base/time.ts';
import type { Checkpoint } from '../ledger/ledger.ts';
import { counts, knownAt, texts } from './account.ts';
import { rowsFrom, tool, type Tool } from './tool.ts';

type Listed = {
  readonly fields: readonly string[];
  readonly listIn: (checkpoint: Checkpoint) => readonly object[] | null;
  readonly hasFeeTable?: true;
};

/** What the last stored read of the account has in one of its lists. */
function stored(name: string, description: string, { fields, listIn, hasFeeTable }: Listed): Tool {
  return tool({
    ...{ name, description, asks: {}, row: v.strictObject(texts(...fields)) },
    facts: { ...counts('ageSeconds'), ...texts('equity', 'upl', 'feeTier', 'feeTierDiscount') },
    find: async ({ reader, now }, _asked, place) => {
      const checkpoint = await reader.newestCheckpoint(hasFeeTable === true);
      const { answeredAt = now, equity = null, upl = null, fees } = checkpoint ?? {};
      const list = checkpoint && listIn(checkpoint);
      const rows = (list ?? []).map((item) => {
        const values = item as Readonly<Record<string, unknown>>;
        return Object.fromEntries(fields.map((field) => [field, values[field] ?? null]));
      });
      const ageSeconds = checkpoint && Math.max(0, Math.round((now - answeredAt) / secondMs));
      const [feeTier, feeTierDiscount] = [fees?.tier ?? null, fees?.discount ?? null];
      const facts = { ageSeconds, equity, upl, feeTier, feeTierDiscount };
      return { ...rowsFrom(rows, place), known: knownAt(checkpoint, list), facts };
    },
  });
}

export const getAccount = stored(
  'get_account',
  'Equity, unrealised P&L (upl) and balances at the last stored read of the account, and its age. They are not those of now: say when they were.',
  { fields: ['name', 'deposited', 'margin', 'locked'], listIn: ({ assets }) => assets },
);

export const listPositions = stored(
  'list_positions',
  'Open positions at the last stored read of the account, and its age. A short may be negative or not, as the exchange has it.',
  {
    fields: ['state', 'symbol', 'marginMode', 'amount', 'basePrice'],
    listIn: ({ positions }) => positions?.map((each) => ({ state: 'open', ...each })) ?? null,
  },
);

export const getRules = stored(
  'get_rules',
  'The fee table as it was stored last, its age, and the fee tier of the account then. Leverage rules are not stored.',
  {
    fields: ['tier', 'maker', 'taker'],
    listIn: ({ fees }) => fees.table ?? null,
    hasFeeTable: true,
  },
);

import * as v from 'valibot';
import { secondMs } from '../base/time.ts';
import type { Checkpoint } from '../ledger/ledger.ts';
import { counts, knownAt, texts, type OpenAccount } from './account.ts';
import { rowsFrom, tool } from './tool.ts';

function ageOf({ now }: OpenAccount, checkpoint: Checkpoint | null) {
  const ageMs = checkpoint && Math.max(0, now - checkpoint.answeredAt);
  return { ageSeconds: ageMs === null ? null : Math.round(ageMs / secondMs) };
}

export const getAccount = tool({
  name: 'get_account',
  description:
    'Equity, unrealised P&L (upl) and balances at the last stored read of the account, and its age. They are not those of now: say when they were.',
  asks: {},
  facts: { ...counts('ageSeconds'), ...texts('equity', 'upl', 'feeTier', 'feeTierDiscount') },
  row: v.strictObject(texts('name', 'deposited', 'margin', 'locked')),
  find: async (account, _asked, place) => {
    const checkpoint = await account.reader.newestCheckpoint(false);
    const { assets = null, equity = null, upl = null, fees = null } = checkpoint ?? {};
    const { tier: feeTier = null, discount: feeTierDiscount = null } = fees ?? {};
    return {
      ...rowsFrom(
        (assets ?? []).map(({ name, deposited, margin, locked }) => {
          return { name, deposited, margin, locked };
        }),
        place,
      ),
      known: knownAt(checkpoint, assets),
      facts: { ...ageOf(account, checkpoint), equity, upl, feeTier, feeTierDiscount },
    };
  },
});

export const listPositions = tool({
  name: 'list_positions',
  description:
    'Open positions at the last stored read of the account, and its age. A short may be negative or not, as the exchange has it.',
  asks: {},
  facts: counts('ageSeconds'),
  row: v.strictObject(texts('state', 'symbol', 'marginMode', 'amount', 'basePrice')),
  find: async (account, _asked, place) => {
    const checkpoint = await account.reader.newestCheckpoint(false);
    const positions = checkpoint?.positions ?? null;
    const open = (positions ?? []).map(({ symbol, marginMode, amount, basePrice }) => {
      return { state: 'open', symbol, marginMode, amount, basePrice };
    });
    return {
      ...rowsFrom(open, place),
      known: knownAt(checkpoint, positions),
      facts: ageOf(account, checkpoint),
    };
  },
});

export const getRules = tool({
  name: 'get_rules',
  description:
    'The fee table as it was stored last, and the fee tier of the account. Leverage rules are not stored: leverageRules is null.',
  asks: {},
  facts: { ...texts('feeTier', 'feeTierDiscount'), leverageRules: v.null() },
  row: v.strictObject(texts('tier', 'maker', 'taker')),
  find: async (account, _asked, place) => {
    const { reader } = account;
    const [newest, withTable] = [
      await reader.newestCheckpoint(false),
      await reader.newestCheckpoint(true),
    ];
    const table = withTable?.fees.table ?? null;
    const { tier: feeTier = null, discount: feeTierDiscount = null } = newest?.fees ?? {};
    return {
      ...rowsFrom(table ?? [], place),
      known: knownAt(withTable, table),
      facts: { feeTier, feeTierDiscount, leverageRules: null },
    };
  },
});

import { minuteMs } from '../../base/time.ts';
import type { ExchangeClient } from '../../exchange/client.ts';
import { isSame } from '../../base/decimal.ts';
import type { FeeTier } from '../../exchange/records.ts';
import type { Checkpoint, CheckpointFees, FeeRates, LedgerWriter } from '../ledger.ts';
import { readableList, type AccountRead } from './accountChanges.ts';

type CheckpointOptions = {
  readonly client: Pick<ExchangeClient, 'steadyClock' | 'renewTime'>;
  readonly writer: Pick<LedgerWriter, 'addCheckpoint'>;
  /** The fee table as it was read last; undefined until then. */
  readonly feeTiers: () => readonly FeeTier[] | undefined;
};

/** `equity` and `upl` follow the mark price. */
const equityEveryMs = minuteMs;

/** Stores an account's figures and fee rates when they changed, and its equity at most once a minute. */
export class Checkpoints {
  private readonly options: CheckpointOptions;
  private last: Checkpoint | undefined;
  /** The fee table that was stored last. */
  private table: readonly FeeRates[] | undefined;

  constructor(options: CheckpointOptions) {
    this.options = options;
  }

  /** Nothing is stored until the exchange's time is known: a checkpoint without one proves nothing. */
  async take(read: AccountRead): Promise<void> {
    const { client, writer, feeTiers } = this.options;
    await client.renewTime({ priority: 'bulk' });
    if (!Number.isFinite(client.steadyClock.errorMs)) return;
    const table = feeTiers()?.map(({ tier, maker, taker }) => ({ tier, maker, taker }));
    const checkpoint = checkpointOf(read, client.steadyClock, table);
    if (!this.isNews(checkpoint)) return;
    const stored = this.withNewTable(checkpoint, table);
    this.last = checkpoint;
    await writer.addCheckpoint(stored).catch((error: unknown) => {
      [this.last, this.table] = [undefined, undefined];
      throw error;
    });
  }

  private withNewTable(checkpoint: Checkpoint, table: readonly FeeRates[] | undefined): Checkpoint {
    if (!table || JSON.stringify(table) === JSON.stringify(this.table)) return checkpoint;
    this.table = table;
    return { ...checkpoint, fees: { ...checkpoint.fees, table } };
  }

  private isNews(checkpoint: Checkpoint): boolean {
    const { last } = this;
    if (!last) return true;
    const lists = ['assets', 'positions', 'fees'] as const;
    if (lists.some((name) => isOther<unknown>(last[name], checkpoint[name]))) return true;
    const isMoved = isOther([last.equity, last.upl], [checkpoint.equity, checkpoint.upl]);
    const elapsedMs = checkpoint.answeredAt - last.answeredAt;
    return isMoved && (elapsedMs >= equityEveryMs || elapsedMs < 0);
  }
}

function checkpointOf(
  read: AccountRead,
  { aheadMs, errorMs }: ExchangeClient['steadyClock'],
  table: readonly FeeRates[] | undefined,
): Checkpoint {
  const { equity, upl } = read.account;
  const assets = readableList(read, 'assets')?.map(({ name, deposited, margin, locked }) => {
    return { name, deposited, margin, locked };
  });
  const positions = readableList(read, 'positions')?.map(
    ({ symbol, marginMode, amount, basePrice }) => ({ symbol, marginMode, amount, basePrice }),
  );
  return {
    sentAt: Math.floor(read.sentAt + aheadMs),
    answeredAt: Math.ceil(read.answeredAt + aheadMs),
    clockErrorMs: Math.ceil(errorMs),
    assets: assets ?? null,
    positions: positions ?? null,
    equity,
    upl,
    fees: feesOf(read, table),
  };
}

function feesOf(
  { account: { feeTierStructure: tier, feeTierDiscount: discount } }: AccountRead,
  table: readonly FeeRates[] | undefined,
): CheckpointFees {
  const rates = table?.find((each) => isSame(each.tier, tier));
  return { tier, discount, rates: rates ?? null };
}

/** A list that could not be read counts as unchanged. */
function isOther<Value>(before: Value | null, now: Value | null): boolean {
  return now !== null && JSON.stringify(before) !== JSON.stringify(now);
}

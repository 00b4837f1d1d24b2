import { minuteMs } from '../../base/time.ts';
import type { ExchangeClient } from '../../exchange/client.ts';
import type { Checkpoint, LedgerWriter } from '../ledger.ts';
import { readableList, type AccountRead } from './accountChanges.ts';

type CheckpointOptions = {
  readonly client: Pick<ExchangeClient, 'clockAheadMs' | 'clockErrorMs'>;
  readonly writer: Pick<LedgerWriter, 'addCheckpoint'>;
};

/** `equity` and `upl` follow the mark price. */
const equityEveryMs = minuteMs;

/** Stores an account's figures when they changed, and its equity at most once a minute. */
export class Checkpoints {
  private readonly options: CheckpointOptions;
  private last: Checkpoint | undefined;

  constructor(options: CheckpointOptions) {
    this.options = options;
  }

  /** Nothing is stored until the exchange's time is known: a checkpoint without one proves nothing. */
  async take(read: AccountRead): Promise<void> {
    const { client, writer } = this.options;
    if (!Number.isFinite(client.clockErrorMs)) return;
    const checkpoint = checkpointOf(read, client);
    if (!this.isNews(checkpoint)) return;
    this.last = checkpoint;
    await writer.addCheckpoint(checkpoint).catch((error: unknown) => {
      this.last = undefined;
      throw error;
    });
  }

  private isNews(checkpoint: Checkpoint): boolean {
    const { last } = this;
    if (!last) return true;
    if (isOther(last.assets, checkpoint.assets) || isOther(last.positions, checkpoint.positions))
      return true;
    const isMoved = isOther([last.equity, last.upl], [checkpoint.equity, checkpoint.upl]);
    const elapsedMs = checkpoint.answeredAt - last.answeredAt;
    return isMoved && (elapsedMs >= equityEveryMs || elapsedMs < 0);
  }
}

function checkpointOf(
  read: AccountRead,
  { clockAheadMs, clockErrorMs }: CheckpointOptions['client'],
): Checkpoint {
  const { equity, upl } = read.account;
  const assets = readableList(read, 'assets')?.map(({ name, deposited, margin, locked }) => {
    return { name, deposited, margin, locked };
  });
  const positions = readableList(read, 'positions')?.map(
    ({ symbol, marginMode, amount, basePrice }) => ({ symbol, marginMode, amount, basePrice }),
  );
  return {
    sentAt: Math.floor(read.sentAt + clockAheadMs),
    answeredAt: Math.ceil(read.asOf + clockAheadMs),
    clockErrorMs: Math.ceil(clockErrorMs),
    assets: assets ?? null,
    positions: positions ?? null,
    equity,
    upl,
  };
}

/** A list that could not be read is no change. */
function isOther<Value>(before: Value | null, now: Value | null): boolean {
  return now !== null && JSON.stringify(before) !== JSON.stringify(now);
}

import type { Receipt, ReceiptStore } from '../receipts.ts';

/** A store that fails stops no cancel-all. */
export class ForgivingReceipts implements ReceiptStore {
  private readonly store: ReceiptStore;
  private readonly onProblem: (error: unknown) => void;
  private readonly kept = new WeakSet<Receipt>();

  constructor(store: ReceiptStore, onProblem: (error: unknown) => void) {
    this.store = store;
    this.onProblem = onProblem;
  }

  /** Whether this very version of a receipt stands in the store. */
  hasKept(receipt: Receipt): boolean {
    return this.kept.has(receipt);
  }

  async keep(receipt: Receipt): Promise<void> {
    try {
      await this.store.keep(receipt);
      this.kept.add(receipt);
    } catch (error) {
      this.onProblem(error);
    }
  }

  async since(sentAtMs: number): Promise<readonly Receipt[]> {
    try {
      return await this.store.since(sentAtMs);
    } catch (error) {
      this.onProblem(error);
      return [];
    }
  }
}

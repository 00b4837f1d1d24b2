const windowMs = 60_000;

/** How much weight (section 8) was spent within the last minute. */
export class WeightMeter {
  private spent: { readonly atMs: number; readonly weight: number }[] = [];

  /** Books the weight of a request that left at `atMs`. */
  spend(weight: number, atMs: number): void {
    this.spent = [...this.recent(atMs), { atMs, weight }];
  }

  /** The weight of the minute before `nowMs`. */
  used(nowMs: number): number {
    return this.recent(nowMs).reduce((sum, { weight }) => sum + weight, 0);
  }

  private recent(nowMs: number) {
    return this.spent.filter(({ atMs }) => nowMs - atMs < windowMs);
  }
}

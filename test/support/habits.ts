/** A habit of a real exchange, from a public report: the smallest input that has it, and what a person must see. */
export type Habit = {
  readonly habit: string;
  /** The public report, or which row it is a sibling of. */
  readonly source: string;
  readonly sees: string;
  /** Gives the exchange's answer to the code, at the lowest level where a person's failure would show. */
  readonly check: () => void | Promise<void>;
};

/** One test for each row. A new report is a new row. */
export function testHabits(area: string, habits: readonly Habit[]): void {
  describe(`habits of real exchanges: ${area}`, () => {
    for (const { habit, source, sees, check } of habits)
      it(`${habit} (${source}): ${sees}`, async () => {
        await check();
      });
  });
}

/** Takes one step after the other, whatever became of those before; rejects as the first that did. */
export async function eachInTurn(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const taken: Promise<void>[] = [];
  for (const step of steps) {
    const running = step();
    taken.push(running);
    await Promise.allSettled([running]);
  }
  await Promise.all(taken);
}

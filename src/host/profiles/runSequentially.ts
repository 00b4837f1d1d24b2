/** Runs all steps one after the other, even if some fail. Rejects with the first error. */
export async function runSequentially(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const started: Promise<void>[] = [];
  for (const step of steps) {
    const running = step();
    started.push(running);
    await Promise.allSettled([running]);
  }
  await Promise.all(started);
}

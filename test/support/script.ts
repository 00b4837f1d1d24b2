/** A failure that one sentence explains: scripts print its message and no stack. */
export class PlainFailure extends Error {
  override readonly name = 'PlainFailure';
}

/** Runs a script's `main`; its number becomes the exit code, a failure is printed and becomes 1. */
export async function script(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(error instanceof PlainFailure ? error.message : error);
    process.exitCode = 1;
  }
}

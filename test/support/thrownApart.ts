/**
 * Called in a `describe`: gives what was thrown apart from every caller in the test that runs, which
 * would end the process otherwise.
 */
export function thrownApart(): readonly unknown[] {
  const thrown: unknown[] = [];
  let usual: NodeJS.UncaughtExceptionListener[] = [];
  beforeEach(() => {
    thrown.length = 0;
    usual = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (error) => thrown.push(error));
  });
  afterEach(() => {
    process.removeAllListeners('uncaughtException');
    for (const listener of usual) process.on('uncaughtException', listener);
  });
  return thrown;
}

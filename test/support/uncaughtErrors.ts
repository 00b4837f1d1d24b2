/** Called in a `describe`: collects the uncaught errors of each test, which else end the process. */
export function uncaughtErrors(): readonly unknown[] {
  const errors: unknown[] = [];
  let listeners: NodeJS.UncaughtExceptionListener[] = [];
  beforeEach(() => {
    errors.length = 0;
    listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (error) => errors.push(error));
  });
  afterEach(() => {
    process.removeAllListeners('uncaughtException');
    for (const listener of listeners) process.on('uncaughtException', listener);
  });
  return errors;
}

import Mocha from 'mocha';
import { StatsReporter } from '../support/statsReporter.ts';
import { switchAlerts } from '../support/userSetting.ts';

/** Runs every host test inside the extension host; rejects with the number of failures. */
export async function run(): Promise<void> {
  await switchAlerts(false);
  const mocha = new Mocha({
    ui: 'bdd',
    reporter: StatsReporter,
    color: false,
    timeout: 20_000,
    forbidOnly: true,
    forbidPending: true,
  });
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  await import('host-suite');
  const failures = await new Promise<number>((ended) => mocha.run(ended));
  if (failures > 0) throw new Error(`${failures} failed`);
}

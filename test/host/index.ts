import { hostTests } from 'host-suite';
import Mocha from 'mocha';
import { chosenTests } from '../support/hostTestChoice.ts';
import { StatsReporter } from '../support/statsReporter.ts';
import { switchAlerts } from '../support/userSetting.ts';

/** Runs the chosen host tests inside the extension host; rejects with the number of failures. */
export async function run(): Promise<void> {
  await switchAlerts(false);
  const mocha = new Mocha({
    ui: 'bdd',
    reporter: StatsReporter,
    color: false,
    timeout: 60_000,
    forbidOnly: true,
    forbidPending: true,
  });
  for (const [name, load] of chosenTests(hostTests)) {
    mocha.suite.emit('pre-require', globalThis, name, mocha);
    await load();
  }
  const failures = await new Promise<number>((ended) => mocha.run(ended));
  if (failures > 0) throw new Error(`${failures} failed`);
}

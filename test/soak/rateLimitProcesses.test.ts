import assert from 'node:assert/strict';
import { worstFixed, worstSliding } from '../support/arrivals.ts';
import { countingServer, type CountingServer } from '../support/countingServer.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/project.ts';
import { startWeightProcess, type WeightProcess } from '../support/weightProcesses.ts';

const usual = 200;
const windowMs = 1000;

describe('several windows of one user', () => {
  let server: CountingServer;
  let folder: TemporaryFolder;
  let processes: WeightProcess[];

  beforeEach(async () => {
    server = await countingServer({ uplinkMs: [1, 30] });
    folder = await temporaryFolder();
    processes = [];
  });
  afterEach(async () => {
    await Promise.all(processes.map((one) => one.kill()));
    await server.close();
    await folder.remove();
  });

  const start = async (limit = usual): Promise<WeightProcess> => {
    const { url } = server;
    const options = { url, folder: folder.path, limit, windowSeconds: windowMs / 1000, atATime: 8 };
    const started = await startWeightProcess(options);
    processes.push(started);
    return started;
  };
  const seen = (requests: number) =>
    eventually(`${requests} requests`, () => server.arrivals.length >= requests, {
      deadlineMs: 15_000,
    });

  it('keep the limit together, even when one is killed in the middle and comes back', async () => {
    const [first] = await Promise.all([start(), start(), start()]);
    await seen(40);
    processes.splice(processes.indexOf(first), 1);
    await first.kill();
    await start();
    await seen(120);
    keptLimit(usual);
  });

  it('keep it when all of them cancel at one instant with the rest of the limit used', async () => {
    const tight = 60;
    await Promise.all([start(tight), start(tight), start(tight), start(tight)]);
    for (const requests of [20, 35, 50]) {
      await seen(requests);
      await Promise.all(processes.flatMap((one) => [one.cancel(), one.cancel(), one.cancel()]));
    }
    keptLimit(tight);
    const deletes = server.requests.filter(({ method }) => method === 'DELETE');
    assert.ok(deletes.length >= 3, `${deletes.length} cancelled`);
  });

  function keptLimit(limit: number): void {
    const worst = [
      worstSliding(server.arrivals, windowMs),
      worstFixed(server.arrivals, windowMs),
    ] as const;
    assert.ok(Math.max(...worst) <= limit, `sliding ${worst[0]}, fixed ${worst[1]}`);
    assert.ok(worst[0] > limit / 2, `the limit was hardly approached: ${worst[0]}`);
  }
});

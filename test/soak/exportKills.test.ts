import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';
import { killExports } from '../support/killedExports.ts';
import { folderOfEachTest } from '../support/project.ts';

describe('an export in two windows', () => {
  const exchange = exchangesOfEachTest();
  const scratch = folderOfEachTest();

  it('has the bytes of an uninterrupted one after 200 kills, and leaves nothing', async () => {
    const trades = rowsOf('trades', 1000, { newestAt: 1_700_000_000_123 });
    const { url } = await exchange({ rows: { trades }, reading: { maxPageSize: 50 } });
    await killExports(url, scratch.path, 200);
  }).timeout(1_200_000);
});

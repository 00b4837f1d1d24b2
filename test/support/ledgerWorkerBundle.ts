import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { bundles } from '../../build/bundles.ts';

/** Mocha loads this first. Tests start hundreds of these threads: each loads one file in place of eighty. */
if (!process.env.MARGIN_DESK_LEDGER_WORKER) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ledger-worker-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const bundle = bundles.find(({ outfile }) => outfile === 'dist/ledgerWorker.cjs');
  const outfile = path.join(folder, 'ledgerWorker.cjs');
  buildSync({ ...bundle, outfile });
  // The processes of a parallel run, and those that tests start, have it too.
  process.env.MARGIN_DESK_LEDGER_WORKER = outfile;
}

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

/**
 * Preloaded into every Node of a run on another date, for what `faketime` does not reach: the times of
 * files, and the extension hosts, which VS Code's server starts without the variable that loads it.
 */
const aheadMs = Number(process.env.MARGIN_DESK_CLOCK_AHEAD_S) * 1000;

function ahead(stats) {
  if (typeof stats?.mtimeMs !== 'number') return stats;
  for (const time of ['atimeMs', 'mtimeMs', 'ctimeMs', 'birthtimeMs']) stats[time] += aheadMs;
  return stats;
}

const behind = (time) => new Date(new Date(time).getTime() - aheadMs);

const { stat, utimes } = fs.promises;
const { statSync } = fs;
fs.statSync = (...args) => ahead(statSync(...args));
fs.promises.stat = async (...args) => ahead(await stat(...args));
fs.promises.utimes = (file, atime, mtime) => utimes(file, behind(atime), behind(mtime));
syncBuiltinESMExports();

if (process.argv[1]?.endsWith('server-main.js')) {
  process.env.MARGIN_DESK_NODE = process.execPath;
  process.execPath = path.join(import.meta.dirname, 'movedNode.sh');
}

import { connectionFigures } from './connections.ts';
import { decodeFigures } from './decode.ts';
import { exportFigures } from './export.ts';
import { ledgerFigures } from './ledger.ts';
import { practiceFigures } from './practice.ts';
import { refreshFigures } from './refresh.ts';
import { walkFigures } from './walk.ts';

for (const { name, value, unit } of [
  ...decodeFigures(),
  ...(await connectionFigures()),
  ...(await practiceFigures()),
  ...(await walkFigures()),
  ...(await ledgerFigures()),
  ...(await exportFigures()),
  ...(await refreshFigures()),
])
  console.log(`${value.toFixed(unit === '' ? 0 : 2).padStart(10)} ${unit.padEnd(2)}  ${name}`);

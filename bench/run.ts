import { activationFigures } from './activation.ts';
import { cancelAllFigures } from './cancelAll.ts';
import { chartFigures } from './charts.ts';
import { connectionFigures } from './connections.ts';
import { decodeFigures } from './decode.ts';
import { exportFigures } from './export.ts';
import { isFailure, line } from './figures.ts';
import { gridFigures } from './grids.ts';
import { idFigures } from './ids.ts';
import { ledgerFigures } from './ledger.ts';
import { ledgerTableFigures } from './ledgerTables.ts';
import { packageFigures } from './package.ts';
import { panelFigures } from './panels.ts';
import { practiceFigures } from './practice.ts';
import { rateLimitFigures } from './rateLimit.ts';
import { refreshFigures } from './refresh.ts';
import { walkFigures } from './walk.ts';

const parts = [
  packageFigures,
  decodeFigures,
  cancelAllFigures,
  connectionFigures,
  practiceFigures,
  walkFigures,
  rateLimitFigures,
  exportFigures,
  ledgerFigures,
  idFigures,
  refreshFigures,
  activationFigures,
  gridFigures,
  chartFigures,
  panelFigures,
  ledgerTableFigures,
];

for (const part of parts)
  for (const figure of await part()) {
    console.log(line(figure));
    if (isFailure(figure)) process.exitCode = 1;
  }

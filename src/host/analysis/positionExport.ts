import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { environmentLabel, originOf } from '../../account/session/profile.ts';
import { digestsOf, metaFileName, moveIntoPlace } from '../../account/export/exportedFile.ts';
import type { ExportFields, ExportRecord } from '../../account/export/exportFields.ts';
import { writeAs } from '../../account/export/exportRun.ts';
import type { RebuiltPosition } from '../../ledger/analysis/analysis.ts';
import { askFormat, askTarget } from '../export/exportQuestions.ts';
import type { FeatureContext } from '../feature/context.ts';
import type { OpenLedger } from '../ledger/openLedger.ts';
import { t } from '../shared/translate.ts';
import { untrustedText } from '../text/messageText.ts';
import { requestOf, type AnalysisChoices } from './choices.ts';
import { otherAmounts, ownAmount } from './positions.ts';

/** The columns, in this order. */
export const positionFields: ExportFields = {
  ...({ symbol: 'text', direction: 'text', opened: 'time', closed: 'time' } as const),
  ...({ undecided: 'text', asset: 'text', net: 'number', gross: 'number' } as const),
  ...({ fee: 'number', funding: 'number', largest: 'number', entryPrice: 'number' } as const),
  ...({ exitPrice: 'number', isLiquidated: 'flag', orders: 'number', fills: 'number' } as const),
};

/** Fees in other assets, or of which the sign is not known, are in `extra`. */
export function positionRecord(position: RebuiltPosition): ExportRecord {
  const { symbol, direction, opened, closed, undecided, assetBasis, net, gross } = position;
  const { largest, entryPrice, exitPrice, isLiquidated, orders, fills, isSignKnown } = position;
  const others = isSignKnown ? otherAmounts(position, position.fees) : (position.fees ?? []);
  const named = Object.fromEntries(others.map((each) => [each.asset, each.amount]));
  return {
    asset: assetBasis === 'unknown' ? null : position.asset,
    ...{ symbol, direction, undecided, net, gross, largest, entryPrice, exitPrice },
    ...{ opened: String(opened), closed: closed === null ? null : String(closed) },
    fee: isSignKnown ? ownAmount(position, position.fees) : null,
    funding: ownAmount(position, position.charges),
    ...{ isLiquidated, orders: String(orders), fills: String(fills) },
    extra: others.length === 0 ? {} : { [isSignKnown ? 'otherFees' : 'feesAsSent']: named },
  };
}

/** Writes all positions of the period and the filters, in a format that the user chooses. */
export async function exportPositions(
  { active, display, confirmRealValues, writtenBy }: FeatureContext,
  { reader }: Pick<OpenLedger, 'reader'>,
  choices: AnalysisChoices,
): Promise<void> {
  const session = await active.session();
  if (!(await confirmRealValues())) return;
  const { profile } = session;
  const shown = display.current;
  const request = requestOf(choices, shown, session.serverNow());
  const filters = request.positions ?? {};
  const {
    pieces = [],
    count,
    coverage,
    period,
  } = await reader.analyse({
    ...({ ...request, view: 'positions' } as const),
    positions: { ...filters, inPieces: true },
  });
  const scope = t('{0} positions', shown.count(count));
  const format = await askFormat(scope, count, shown);
  if (!format) return;
  const name = { operation: 'positions', profile: profile.name, range: period, format } as const;
  const environment = environmentLabel(profile);
  const target = await askTarget({ ...name, environment }, undefined, shown);
  if (target === undefined) return;
  const draft = `${target}.${crypto.randomUUID().slice(0, 8)}.part`;
  const partition = { account: profile.name, operation: name.operation };
  try {
    const made = await writeAs({
      ...{
        format,
        file: draft,
        name: name.operation,
        partition,
        fields: positionFields,
        writtenBy,
      },
      ...{ pieces: () => records(pieces), onRows: () => undefined },
      signal: new AbortController().signal,
    });
    const meta = {
      ...{ file: path.basename(target), ...(await digestsOf(draft, made?.parts)), format },
      ...{ columns: made?.columns, rows: count, profile: profile.name, environment },
      ...{ origin: originOf(profile), operation: name.operation, filters, period },
      // Where trades or transactions may be missing.
      ...{ gaps: coverage.gaps, writtenBy },
    };
    const metaText = `${JSON.stringify(meta, null, 2)}\n`;
    await writeFile(metaFileName(draft), metaText, { mode: 0o600, flush: true });
    await moveIntoPlace(draft, metaFileName(draft), target);
  } finally {
    for (const file of [draft, metaFileName(draft)])
      await rm(file, { recursive: true, force: true });
  }
  const file = untrustedText(path.basename(target), 300);
  void vscode.window.showInformationMessage(t('Exported {0} to {1}.', scope, file));
}

/** Lets the window's thread do other things between the pieces. */
async function* records(pieces: readonly Uint8Array[]): AsyncGenerator<readonly ExportRecord[]> {
  for (const piece of pieces) {
    yield (JSON.parse(Buffer.from(piece).toString()) as RebuiltPosition[]).map(positionRecord);
    await setImmediate();
  }
}

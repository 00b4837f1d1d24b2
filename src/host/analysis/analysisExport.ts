import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { environmentLabel, originOf } from '../../account/session/profile.ts';
import { digestsOf, metaFileName, moveIntoPlace } from '../../account/export/exportedFile.ts';
import type { ExportFields, ExportRecord } from '../../account/export/exportFields.ts';
import { writeAs } from '../../account/export/exportRun.ts';
import type { Display } from '../../base/display.ts';
import type { JsonObject } from '../../base/exactJson.ts';
import {
  otherAmounts,
  type AnalysisOf,
  type AnalysisRequest,
  type RebuiltPosition,
  type SymbolFigures,
} from '../../ledger/analysis/analysis.ts';
import { askFormat, askTarget } from '../export/exportQuestions.ts';
import type { FeatureContext } from '../feature/context.ts';
import type { OpenLedger } from '../ledger/openLedger.ts';
import { t } from '../shared/translate.ts';
import { untrustedText } from '../text/messageText.ts';
import { requestOf, type AnalysisChoices } from './choices.ts';
import { countCell } from './netFigures.ts';
import { ownAmount } from './positions.ts';

/** The columns of positions, in this order. */
export const positionFields: ExportFields = {
  ...({ symbol: 'text', direction: 'text', opened: 'time', closed: 'time' } as const),
  ...({ heldMs: 'number', undecided: 'text', asset: 'text' } as const),
  ...({ net: 'number', gross: 'number' } as const),
  ...({ fee: 'number', funding: 'number', largest: 'number', entryPrice: 'number' } as const),
  ...({ exitPrice: 'number', isLiquidated: 'flag', orders: 'number', fills: 'number' } as const),
};

/** Amounts in other assets, and fees of which the sign is not known, are in `extra`. */
export function positionRecord(position: RebuiltPosition): ExportRecord {
  const { symbol, direction, opened, closed, undecided, assetBasis, net, gross } = position;
  const { largest, entryPrice, exitPrice, isLiquidated, orders, fills, isSignKnown } = position;
  const others = isSignKnown ? otherAmounts(position, position.fees) : (position.fees ?? []);
  const isOver = closed !== null && undecided === null;
  return {
    asset: assetBasis === 'unknown' ? null : position.asset,
    ...{ symbol, direction, undecided, net, gross, largest, entryPrice, exitPrice },
    ...{ opened: String(opened), closed: closed === null ? null : String(closed) },
    heldMs: isOver ? String(closed - opened) : null,
    fee: isSignKnown ? ownAmount(position, position.fees) : null,
    funding: ownAmount(position, position.charges),
    ...{ isLiquidated, orders: String(orders), fills: String(fills) },
    extra: {
      ...byAsset(isSignKnown ? 'otherFees' : 'feesAsSent', others),
      ...byAsset('otherFunding', otherAmounts(position, position.charges)),
    },
  };
}

function byAsset(name: string, amounts: NonNullable<RebuiltPosition['fees']>): JsonObject {
  if (amounts.length === 0) return {};
  return { [name]: Object.fromEntries(amounts.map(({ asset, amount }) => [asset, amount])) };
}

const symbolFields: ExportFields = {
  ...({ symbol: 'text', asset: 'text', net: 'number', gross: 'number', fee: 'number' } as const),
  ...({ funding: 'number', volume: 'number', positions: 'number', wins: 'number' } as const),
  ...({ undecided: 'number', liquidated: 'number' } as const),
};

function symbolRecord({ symbol, assetBasis, traded, ...figures }: SymbolFigures): ExportRecord {
  const { asset, net, gross, fees, charges } = figures;
  const { volume = null, positions, wins, undecided, liquidated } = traded ?? {};
  return {
    ...{ symbol, asset: assetBasis === 'unknown' ? null : asset },
    ...{ net, gross, fee: fees, funding: charges, volume },
    ...{ positions: countCell(positions), wins: countCell(wins) },
    ...{ undecided: countCell(undecided), liquidated: countCell(liquidated) },
    extra: {},
  };
}

/** What is exported of a view. */
type Exported = Pick<AnalysisOf<'positions'>, 'count' | 'period' | 'coverage'> & {
  readonly operation: 'positions' | 'symbols';
  readonly scope: string;
  readonly fields: ExportFields;
  readonly pieces: () => AsyncIterable<readonly ExportRecord[]>;
};

async function exportedPositions(
  reader: OpenLedger['reader'],
  request: Omit<AnalysisRequest, 'view'>,
  shown: Display,
): Promise<Exported> {
  const positions = { ...request.positions, inPieces: true } as const;
  const analysis = await reader.analyse({ ...request, view: 'positions', positions });
  const { count, period, coverage } = analysis;
  return {
    ...{ operation: 'positions', fields: positionFields, count, period, coverage },
    scope: t('{0} positions', shown.count(count)),
    pieces: () => recordPieces(analysis.pieces ?? [], positionRecords),
  };
}

async function exportedSymbols(
  reader: OpenLedger['reader'],
  request: Omit<AnalysisRequest, 'view'>,
): Promise<Exported> {
  const { symbols, period, coverage } = await reader.analyse({ ...request, view: 'bySymbol' });
  return {
    ...{ operation: 'symbols', scope: t('By symbol'), fields: symbolFields },
    ...{ count: symbols.length, period, coverage },
    pieces: () => recordPieces([symbols], (all) => all.map(symbolRecord)),
  };
}

/** Writes all positions, or all symbols, of the period and the filters, in a format that the user chooses. */
export async function exportAnalysis(
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
  const isOfSymbols = choices.view === 'bySymbol';
  const { operation, scope, fields, count, pieces, period, coverage } = isOfSymbols
    ? await exportedSymbols(reader, request)
    : await exportedPositions(reader, request, shown);
  const format = await askFormat(scope, count, shown);
  if (!format) return;
  const name = { operation, profile: profile.name, range: period, format };
  const environment = environmentLabel(profile);
  const target = await askTarget({ ...name, environment }, undefined, shown);
  if (target === undefined) return;
  const draft = `${target}.${crypto.randomUUID().slice(0, 8)}.part`;
  const partition = { account: profile.name, operation };
  try {
    const made = await writeAs({
      ...{ format, file: draft, name: operation, partition, fields, writtenBy },
      ...{ pieces, onRows: () => undefined },
      signal: new AbortController().signal,
    });
    const meta = {
      ...{ file: path.basename(target), ...(await digestsOf(draft, made?.parts)), format },
      ...{ columns: made?.columns, rows: count, profile: profile.name, environment },
      ...{ origin: originOf(profile), operation, filters, period },
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
async function* recordPieces<Piece>(
  pieces: readonly Piece[],
  recordsOf: (piece: Piece) => readonly ExportRecord[],
): AsyncGenerator<readonly ExportRecord[]> {
  for (const piece of pieces) {
    yield recordsOf(piece);
    await setImmediate();
  }
}

function positionRecords(piece: Uint8Array): readonly ExportRecord[] {
  return (JSON.parse(Buffer.from(piece).toString()) as RebuiltPosition[]).map(positionRecord);
}

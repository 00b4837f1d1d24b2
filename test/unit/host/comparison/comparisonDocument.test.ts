import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  comparisonDocument,
  type ComparisonState,
} from '../../../../src/host/comparison/document.ts';
import { compareFile } from '../../../../src/ledger/comparison/compare.ts';
import type { Cause } from '../../../../src/ledger/comparison/comparison.ts';
import type { LiveDocument } from '../../../../src/host/webview/documentPanel.ts';
import { defaultLayout } from '../../../../src/protocol/values.ts';
import { assertApproved } from '../../../support/approved.ts';
import { writeBook, type BookFormat } from '../../../support/botBooks.ts';
import { aProfile } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';

describe('the page of a comparison', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'compared-'));
  after(() => rmSync(folder, { recursive: true }));
  let files = 0;

  /** Of the first rows. */
  const compared = (
    format: BookFormat,
    cause: Cause | null,
    { hasLedger = true, more = '' } = {},
  ) => {
    const file = path.join(folder, String((files += 1)));
    const { source, ledger } = writeBook(file, format, 1, cause);
    if (!hasLedger) deleteCoverage(ledger);
    if (more !== '') appendFileSync(file, more);
    const result = compareFile(ledger, source, { offsetMinutes: null, symbols: {} });
    assert.ok(!('problem' in result));
    const rows = result.rows.slice(0, 3);
    return { kind: 'compared', id: 1, result: { ...result, rows } } as const;
  };
  const nothing = (): undefined => undefined;
  const actions = {
    ...{ showRow: nothing, openBotRow: nothing, showInLedger: nothing, fillGaps: nothing },
    ...{ export: nothing, changeZone: nothing, changeSymbol: nothing, changeColumns: nothing },
  };
  const documentOf = (state: ComparisonState, hidesMoney = false): LiveDocument => {
    const display = aDisplay({ hidesMoney });
    const view = { profile: aProfile(), display, layout: defaultLayout, actions };
    return comparisonDocument(state, { ...view, file: '/bots/tradesv3.sqlite' });
  };
  const checkSections = (name: string, state: ComparisonState, ...places: number[]): void => {
    const document = documentOf(state);
    const sections = document.sections.filter((_section, place) => places.includes(place));
    assertApproved(`comparison/${name}`, { ...document, sections });
  };

  it('has the first divergent row, its cause, counts, totals and conventions', () => {
    assertApproved('comparison/feeSign', documentOf(compared('freqtrade', 'feeSign')));
    checkSections('contracts', compared('csv', null), 3);
    checkSections('funding', compared('hummingbot', 'fundingMissing'), 0);
  });

  it('hides amounts in privacy', () => {
    const state = compared('freqtrade', 'feeSign');
    const figures = state.result.rows.flatMap((row) => Object.values(row.figures).flat());
    const money = figures.flatMap((figure) => (figure && figure.length > 3 ? figure : []));
    const written = (hidesMoney: boolean) => JSON.stringify(documentOf(state, hidesMoney).sections);
    const [amount = ''] = money;
    assert.ok(written(false).includes(amount));
    const prices = new Set(state.result.rows.flatMap((row) => row.figures.price ?? []));
    for (const figure of money)
      assert.ok(prices.has(figure) || !written(true).includes(figure), figure);
  });

  it('says what is missing', () => {
    checkSections('gaps', compared('csv', 'feeSign', { hasLedger: false }), 0, 1, 2);
    checkSections('unread', compared('csv', null, { more: '1,2\n' }), 0);
    assertApproved('comparison/noLedger', documentOf({ kind: 'noLedger' }));
    const changed = { kind: 'compared', id: 1, result: { problem: 'changed' } } as const;
    assertApproved('comparison/changed', documentOf(changed));
  });
});

/** Nothing is known to be complete. */
function deleteCoverage(ledger: string): void {
  const database = new DatabaseSync(ledger);
  database.exec('DELETE FROM coverage');
  database.close();
}

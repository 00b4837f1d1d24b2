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
  ): ComparisonState => {
    const file = path.join(folder, String((files += 1)));
    const { source, ledger } = writeBook(file, format, 1, cause);
    if (!hasLedger) deleteCoverage(ledger);
    if (more !== '') appendFileSync(file, more);
    const result = compareFile(ledger, source, { offsetMinutes: null, symbols: {} });
    assert.ok(!('problem' in result));
    return { kind: 'compared', id: 1, result: { ...result, rows: result.rows.slice(0, 3) } };
  };
  const nothing = (): undefined => undefined;
  const actions = {
    ...{ showRow: nothing, openBotRow: nothing, showInLedger: nothing, fillGaps: nothing },
    ...{ export: nothing, changeZone: nothing, changeSymbol: nothing, changeColumns: nothing },
  };
  const check = (name: string, state: ComparisonState, hidesMoney = false): void => {
    const display = aDisplay({ hidesMoney });
    const view = { profile: aProfile(), display, layout: defaultLayout, actions };
    assertApproved(
      `comparison/${name}`,
      comparisonDocument(state, { ...view, file: '/bots/tradesv3.sqlite' }),
    );
  };

  it('has the first divergent row, its cause, counts, totals and conventions', () => {
    check('feeSign', compared('freqtrade', 'feeSign'));
    check('contracts', compared('csv', null));
    check('funding', compared('hummingbot', 'fundingMissing'));
  });

  it('hides amounts in privacy', () => check('hidden', compared('freqtrade', 'feeSign'), true));

  it('says what is missing', () => {
    check('gaps', compared('csv', 'feeSign', { hasLedger: false }));
    check('unread', compared('csv', null, { more: '1,2\n' }));
    check('noLedger', { kind: 'noLedger' });
    check('changed', { kind: 'compared', id: 1, result: { problem: 'changed' } });
  });
});

/** Nothing is known to be complete. */
function deleteCoverage(ledger: string): void {
  const database = new DatabaseSync(ledger);
  database.exec('DELETE FROM coverage');
  database.close();
}

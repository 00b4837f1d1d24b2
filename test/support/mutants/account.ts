import type { Mutant } from './mutant.ts';

export const accountMutants: readonly Mutant[] = [
  {
    fault: 'The read-back of a cancel-all in a second pause is withheld for ever.',
    file: 'exchange/rateLimit/rateLimitState.ts',
    from: 'passed: now < state.pausedUntil ? state.passed : [] }',
    to: 'passed: state.passed }',
    killedBy: 'exchange/cancelAllLimits.test.ts',
  },
  {
    fault: 'Room in the limit that came too late for a cancel-all is lost for all windows.',
    file: 'account/cancelAll/cancelAll.ts',
    from: "late.complete({ kind: 'unsent' })",
    to: 'late.succeed()',
    killedBy: 'unit/account/cancelAll/cancelPlan.test.ts',
  },
  {
    fault: 'The room that a cancel-all waited for is lost when its plan has changed.',
    file: 'account/cancelAll/cancelAll.ts',
    from: "room?.complete({ kind: 'unsent' });",
    to: '',
    killedBy: 'unit/account/cancelAll/cancelPlan.test.ts',
  },
  {
    fault: 'A cancel-all does not wait as long as the limit may take.',
    file: 'account/cancelAll/cancelAll.ts',
    from: 'readyAt - now <= waitUntil - clock.steadyNow();',
    to: 'readyAt - now < waitUntil - clock.steadyNow();',
    killedBy: 'unit/account/cancelAll/cancelPlan.test.ts',
  },
  {
    fault: 'A refusal is compared with figures that were read long before.',
    file: 'account/cancelAll/receipts.ts',
    from: 'before.isFresh ? before.locked : []',
    to: 'before.locked',
    killedBy: 'unit/account/cancelAll/cancelAll.test.ts',
  },
  {
    fault: 'The re-checks are counted from the DELETE, not from the first read-back.',
    file: 'account/cancelAll/recheck.ts',
    from: 'after[0]?.at ?? endedAt ?? sentAt',
    to: 'endedAt ?? sentAt',
    killedBy: 'unit/account/cancelAll/cancelAll.test.ts',
  },
  {
    fault: 'An alert comes again for a distance that is exactly at the end of its band.',
    file: 'account/alerts/alertCondition.ts',
    from: 'rearmPercentagePoints) <= 0;',
    to: 'rearmPercentagePoints) < 0;',
    killedBy: 'unit/account/alerts/positionAlerts.test.ts',
  },
  {
    fault: 'A small limit of the fall of equity never alerts a second time.',
    file: 'account/alerts/alertCondition.ts',
    from: 'const isMet = sign(fallPercent) > 0 && isBeyond;',
    to: 'const isMet = isBeyond;',
    killedBy: 'unit/account/alerts/equityAlerts.test.ts',
  },
  {
    fault: 'A window that ends without closing forgets the position that it saw last.',
    file: 'account/alerts/alertMonitor.ts',
    from: '< afterMs && hasSamePositions(saved, held))',
    to: '< afterMs)',
    killedBy: 'unit/account/alerts/vanishedPositionAlerts.test.ts',
  },
  {
    fault: 'A liquidation goes unmentioned if only the second read of the orders failed.',
    file: 'account/alerts/vanishedPositions.ts',
    from: 'isComplete = page !== undefined',
    to: 'isComplete ||= page !== undefined',
    killedBy: 'unit/account/alerts/vanishedPositionAlerts.test.ts',
  },
  {
    fault: 'Nothing is read for as long as the exchange says, be it a day.',
    file: 'account/session/refresher.ts',
    from: 'Math.min(retryAfterMs, longPauseMs)',
    to: 'retryAfterMs',
    killedBy: 'unit/account/session/refresher.test.ts',
  },
  {
    fault: 'Reference data are never read again after the clock was set back.',
    file: 'account/session/cachedRead.ts',
    from: 'return ageMs >= 0 && ageMs < maxAgeMs;',
    to: 'return ageMs < maxAgeMs;',
    killedBy: 'unit/account/session/cachedRead.test.ts',
  },
  {
    fault: 'An export is complete if only its last page has the rows that were asked for.',
    file: 'account/export/exportRows.ts',
    from: 'const unmatched = { ...this.counted.unmatched };',
    to: 'const unmatched: Record<string, number> = {};',
    killedBy: 'unit/account/export/progress.test.ts',
  },
  {
    fault: 'An export that cannot be deleted holds up the next one of the same rows.',
    file: 'account/export/exportLedgers.ts',
    from: `    } finally {
      await this.store.close();
    }
  }
}`,
    to: `    } catch (error) {
      throw error;
    }
    await this.store.close();
  }
}`,
    killedBy: 'exchange/exports.test.ts',
  },
  {
    fault: 'An export of the ledger has the newest row first, whatever the exchange does.',
    file: 'account/export/exportRows.ts',
    from: "sort: isOldestFirst ? { field: 'time', isDescending: false } : null,",
    to: "sort: isOldestFirst ? null : { field: 'time', isDescending: false },",
    killedBy: 'exchange/ledgerExports.test.ts',
  },
  {
    fault: 'A row that the ledger gets while it is exported moves the others.',
    file: 'ledger/storage/rowQuery.ts',
    from: 'place?.last ?? lastRow(this.database, history)',
    to: 'lastRow(this.database, history)',
    killedBy: 'exchange/ledgerExports.test.ts',
  },
  {
    fault: 'A month is proved if a part of it is.',
    file: 'account/statement/statementMonth.ts',
    from: 'from <= month.from && to >= month.to',
    to: 'from < month.to && to > month.from',
    killedBy: 'unit/account/statement/statementMonth.test.ts',
  },
];

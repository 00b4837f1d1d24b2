import {
  costText,
  coverageWord,
  downloadText,
  gapReasonText,
} from '../../../../src/host/ledger/ledgerText.ts';
import { hourMs, minuteMs } from '../../../../src/base/time.ts';
import { ledgerHistoryNames } from '../../../../src/ledger/ledger.ts';
import { assertApprovedLines } from '../../../support/approved.ts';
import { aDisplay } from '../../../support/display.ts';

describe('what is said of a download', () => {
  const display = aDisplay();
  const durations = [minuteMs, minuteMs + 1, 2 * hourMs - 1, 2 * hourMs + 1];

  it('is what it takes, how far it is, and why a period is not complete: never more than is known', () => {
    const cost = { rows: 1, pages: 12, weight: 1200 };
    const reasons = ['unreadableRecords', 'countDisagrees', 'of another version', null];
    assertApprovedLines('ledger/texts', [
      ...durations.map((durationMs) => costText({ ...cost, isCounted: true, durationMs }, display)),
      costText({ ...cost, pages: 1, isCounted: false, durationMs: 0 }, display),
      ...ledgerHistoryNames.map((history, index) => {
        const fraction = [0, 0.005, 0.999, 1][index] ?? 0.5;
        const progress = { history, fraction, rows: index, weightLeft: 0 };
        return downloadText(progress, durations[index] ?? 0, display);
      }),
      coverageWord('complete'),
      ...(['drifted', 'unknown', 'neverRead'] as const).flatMap((state) =>
        reasons.map(
          (reason) => `${coverageWord(state)}, ${reason}: ${gapReasonText(state, reason)}`,
        ),
      ),
    ]);
  });
});

import { l10n } from 'vscode';
import type { PanelPage } from '../../account/slicedPages.ts';
import type { Display } from '../../base/display.ts';
import type { Undecided } from '../../exchange/dialect/historyPage.ts';
import type { TableQuery } from '../../protocol/table.ts';

/** What a reader must know of a page: what it cost in slices, what was not heeded, what was dropped. */
export function pageNotes(
  { slices, weight, outside, unmatched, undecided, largest }: PanelPage<unknown>,
  { size }: TableQuery,
  display: Display,
): readonly string[] {
  const { t } = l10n;
  const notes = unmatched.map(({ parameter, rows }) =>
    parameter === 'dateFrom' || parameter === 'dateTo'
      ? t(
          'The exchange did not heed {0}: {1} rows of this page lay outside the period and are left out.',
          parameter,
          display.count(rows),
        )
      : t(
          'The exchange did not heed the filter {0}: {1} rows of this page do not match it.',
          parameter,
          display.count(rows),
        ),
  );
  notes.push(...undecided.map(undecidedWords));
  const isIgnored = unmatched.some(({ parameter }) => parameter.startsWith('date'));
  if (outside > 0 && !isIgnored)
    notes.push(
      outside === 1
        ? t('1 row at the edge of the period was answered and left out.')
        : t(
            '{0} rows at the edge of the period were answered and left out.',
            display.count(outside),
          ),
    );
  if (slices > 1)
    notes.push(
      t(
        'Cost {0} of the limit’s weight: the exchange takes no longer period, so it was asked in {1} slices.',
        display.count(weight),
        display.count(slices),
      ),
    );
  if (largest !== null && largest < size)
    notes.push(t('The exchange gives at most {0} rows a page.', display.count(largest)));
  return notes;
}

function undecidedWords(undecided: Undecided): string {
  const { t } = l10n;
  switch (undecided) {
    case 'listsUndecided':
      return t(
        'It is undecided how this exchange reads several statuses: rows of some may be missing. Ask for one status at a time to be sure.',
      );
    case 'datesUndecided':
      return t(
        'It is undecided how this exchange reads dates: rows of this period may be missing. “Margin Desk: Test Connection” finds out; “dialect” in the profile’s settings says it.',
      );
    case 'zoneUnknown':
      return t(
        'The exchange’s time zone is not known here, so that dates are written in UTC: rows of this period may be missing.',
      );
    default:
      return undecided satisfies never;
  }
}

import { l10n } from 'vscode';
import type { DocumentTexts } from '../../protocol/document.ts';
import type { GridTextName } from '../../protocol/texts.ts';
import { customPeriodTexts, gridTexts } from '../text/gridTexts.ts';

/** The texts of a page with documents and of its grid, whose rows are all on one page. */
export function documentTexts(): DocumentTexts & Record<GridTextName, string> {
  const { t } = l10n;
  return {
    ...gridTexts(),
    thisPage: '',
    sortedAscending: t('Rows sorted, ascending'),
    sortedDescending: t('Rows sorted, descending'),
    unsorted: t('Rows in order of time'),
    find: t('Find in the rows'),
    choices: t('What is shown: {0}'),
    labelled: t('{0}: {1}'),
    loading: t('Computing…'),
    hint: t(
      '← and → move along the chart, Home and End to its ends. Enter or a click shows the rows.',
    ),
    hintWithoutRows: t('← and → move along the chart, Home and End to its ends.'),
    showRowsOf: t('Show Rows of {0}'),
    widerRows: t('With other rows of this period'),
    noFigure: t('no figure'),
    notKnown: t('not known'),
    incomplete: t('incomplete'),
    from: t('From'),
    to: t('To'),
    inZone: t('{0} ({1})'),
    ...customPeriodTexts(),
  };
}

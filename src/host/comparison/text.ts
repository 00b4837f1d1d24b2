import type { ExplainedBy, Judgement } from '../../ledger/comparison/comparison.ts';
import type { BotFileProblem } from '../../ledger/comparison/fileCopy.ts';
import { t } from '../shared/translate.ts';

export function judgementText(judgement: Judgement): string {
  return {
    differs: t('differs'),
    onlyBot: t('only the bot’s'),
    onlyExchange: t('only the exchange’s'),
    undecided: t('undecided'),
    agrees: t('agrees'),
  }[judgement];
}

export function explanationText(by: ExplainedBy): string {
  return {
    multiplier: t('contract multiplier'),
    fillTwice: t('fill counted twice'),
    afterStop: t('order that ended after the bot stopped'),
    missingFill: t('missing fill'),
    liquidation: t('liquidation'),
    manual: t('order placed by hand, or by another program'),
    fundingTwice: t('funding counted twice'),
    fundingMissing: t('funding missing'),
    feeAsset: t('fee in another asset'),
    feeSign: t('sign of the fee'),
    zone: t('time zone'),
    rounding: t('rounding'),
    noise: t('digits lost by floats or the file'),
    notKept: t('not kept by the bot'),
    unknown: t('no known cause'),
  }[by];
}

export function botFileProblemText(problem: BotFileProblem): string {
  return {
    missing: t('The bot’s file is gone.'),
    forbidden: t('The bot’s file may not be read.'),
    busy: t('The bot’s file is locked, or written so often that it cannot be copied.'),
    tooLarge: t('The bot’s file is larger than 500 MB.'),
    foreign: t('The file is no SQLite database with tables, CSV or JSON Lines.'),
    broken: t('The bot’s file is damaged.'),
    changed: t('The file has other columns than before. Choose them again.'),
  }[problem];
}

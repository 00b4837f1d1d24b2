import { l10n } from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import { compare, isSame, unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { operations } from '../../exchange/operations.ts';
import type { FeeTier } from '../../exchange/records.ts';
import type { Label } from '../../protocol/documentTable.ts';
import type { OverviewButton, OverviewCard } from '../../protocol/overview.ts';
import { errorText } from '../text/failureText.ts';
import { localized, untrustedText } from '../text/messageText.ts';
import type { OnDemandReads } from './onDemandRead.ts';
import type { AccountContext } from './overviewContext.ts';

/** The account's tier, and its rates once the fee tiers were read. */
export function feeTierCard({ snapshot, reads, display }: AccountContext): OverviewCard {
  const { feeTierStructure, feeTierDiscount, tradeFeeAsset } = snapshot.account;
  const { t } = l10n;
  const tier = display.full('feeTierStructure', feeTierStructure);
  const discount = display.full('feeTierDiscount', feeTierDiscount);
  const asset = tradeFeeAsset === null ? unknownText : cleanText(tradeFeeAsset, 12);
  return {
    label: t('Fee tier'),
    isOfAccount: true,
    lines: [
      { text: t('Tier {0}', tier) },
      { text: t('discount level {0} · fees in {1}', discount, asset) },
      ...rateLines(feeTierStructure, reads.feeTiers, display),
    ],
    notes: readNotes(reads.feeTiers, display),
    buttons: [readButton(reads.feeTiers)],
  };
}

function rateLines(
  tier: string | null,
  { last }: OnDemandReads['feeTiers'],
  display: Display,
): Label[] {
  const own = last?.value.value.find((one) => isSame(one.tier, tier));
  const maker = display.full('maker', own?.maker ?? null);
  const taker = display.full('taker', own?.taker ?? null);
  return [
    { text: l10n.t('Maker {0} · taker {1}', maker, taker) },
    { text: nextTierText(own, last?.value, display) },
  ];
}

/** The API has the volume of each tier, not the account's own. */
function nextTierText(
  own: FeeTier | undefined,
  read: NonNullable<OnDemandReads['feeTiers']['last']>['value'] | undefined,
  display: Display,
): string {
  const { t } = l10n;
  const unknown = t('Next tier: {0}', unknownText);
  if (!own || !read) return unknown;
  const [next] = read.value
    .filter(({ tier }) => compare(tier, own.tier) > 0)
    .sort((one, other) => compare(one.tier, other.tier));
  if (read.badRecords.length > 0) return unknown;
  if (!next) return t('Highest tier');
  return t(
    'Tier {0} from a 30-day volume of {1}; the API does not give yours',
    display.full('tier', next.tier),
    display.full('volume30D', next.volume30D),
  );
}

function readNotes({ last, failure }: OnDemandReads['feeTiers'], display: Display): string[] {
  return [
    ...(failure === undefined ? [] : [errorText(failure, display)]),
    ...(last
      ? [l10n.t('Rates read at {0}', display.timeOfDay(String(last.readAt)))]
      : [l10n.t('The rates were not read yet.')]),
    ...(last?.value.badRecords ?? []).map(({ problem }) =>
      l10n.t(
        'A part of the fee tiers could not be read: {0}.',
        untrustedText(localized(problem, display)),
      ),
    ),
  ];
}

function readButton({ isReading, last }: OnDemandReads['feeTiers']): OverviewButton {
  const { weight } = operations.feeTiers;
  const label = isReading
    ? l10n.t('Reading…')
    : last
      ? l10n.t('Read Rates Again ({0} weight)', weight)
      : l10n.t('Read Rates ({0} weight)', weight);
  return { action: 'readFeeTiers', label };
}

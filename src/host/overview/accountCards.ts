import { mayBeLocked } from '../../account/cancelAll/lockedOrders.ts';
import { cleanText } from '../../base/cleanText.ts';
import { unknownText, compare, isSame, product, type NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { AssetBalance, FeeTier } from '../../exchange/records.ts';
import type { Card, DocumentButton, Label } from '../../protocol/document.ts';
import { todayCards } from '../analysis/today.ts';
import { verdictCountTexts } from '../reconciliation/verdictText.ts';
import { t } from '../shared/translate.ts';
import { accountStatus, equityText, riskSummary } from '../status/statusFields.ts';
import { distanceText, riskLabel } from '../text/riskText.ts';
import type { AccountContext } from './overviewContext.ts';
import { profitLabel } from '../text/profitLabel.ts';
import { errorText } from '../text/failureText.ts';
import { localized, untrustedText } from '../text/messageText.ts';
import { requestsText } from '../text/progressText.ts';
import type { Live } from '../webview/documentPanel.ts';
import { card } from '../webview/documentParts.ts';

/** What matters of an account at a glance: each figure as the exchange sends it, none added to another. */
export function accountCards(context: AccountContext): Live<Card>[] {
  const { snapshot, age, display, session, today } = context;
  const { account } = snapshot;
  const cards = [
    card(t('Equity'), [{ text: equityText(snapshot, display) }]),
    card(t('Unrealised P&L'), [profitLabel('upl', account.upl, display)]),
    ...todayCards(today, session, snapshot, display),
    card(t('Margin in use'), marginLines(account.assets, display)),
    card(t('Positions in danger'), dangerLines(context)),
    card(t('Fee tier'), [tierLine(context), ratesLine(context)]),
  ];
  return cards.map((one) => ({ ...one, age }));
}

function tierLine({ snapshot, display }: AccountContext): Label {
  const tier = display.full('feeTierStructure', snapshot.account.feeTierStructure);
  return { text: t('Tier {0}', tier) };
}

function dangerLines({ session, risk, snapshot, display }: AccountContext): Label[] {
  const summary = riskSummary(accountStatus(session, risk), display);
  const [nearest] = risk.rankPositions(snapshot);
  const tone = nearest?.band;
  if (!nearest || (tone !== 'critical' && tone !== 'near')) return [{ text: summary }];
  const symbol = cleanText(nearest.position.symbol, 30);
  const text = `${symbol} ${distanceText(nearest, display)} · ${riskLabel(nearest)}`;
  return [{ text: summary, tone }, { text }];
}

const maxLines = 4;

/**
 * One line for each asset, because amounts of two assets have no sum. Zeros are left out unless privacy
 * hides which they are.
 */
function marginLines(assets: readonly AssetBalance[] | null, display: Display): Label[] {
  if (!assets) return [{ text: unknownText }];
  const shown = assets.filter((asset) => display.hides('margin') || mayBeLocked(asset.margin));
  if (shown.length === 0) return [{ text: t('none') }];
  const lines = shown.slice(0, maxLines).map((asset) => ({
    text: `${display.full('margin', asset.margin)} ${cleanText(asset.name, 12)}`,
  }));
  const more = shown.length - lines.length;
  return more > 0 ? [...lines, { text: t('{0} more below', display.count(more)) }] : lines;
}

/** Whether the ledger agrees with the exchange; nothing for an account without a ledger. */
export function reconciliationCards({
  reconciliation: state,
  display,
}: AccountContext): Live<Card>[] {
  if (state.kind === 'noLedger') return [];
  const isComputed = state.kind === 'computed';
  return [
    {
      label: t('Reconciliation'),
      lines: isComputed
        ? verdictCountTexts(state.report, display)
        : [
            {
              text:
                state.kind === 'failed'
                  ? t('The records could not be compared.')
                  : t('Comparing the records…'),
            },
          ],
      notes: isComputed ? [t('Compared at {0}', display.timeOfDay(state.computedAt))] : [],
      buttons: [
        { action: 'openReconciliation', label: t('Open Reconciliation') },
        { action: 'openAnalysis', label: t('Open Analysis') },
      ],
    },
  ];
}

/** The account's rates once the fee tiers were read, and what else decides what a trade costs. */
export function feeRatesCard(context: AccountContext): Live<Card> {
  const { snapshot, display } = context;
  const { feeTierDiscount, tradeFeeAsset } = snapshot.account;
  const discount = display.full('feeTierDiscount', feeTierDiscount);
  const asset = tradeFeeAsset === null ? unknownText : cleanText(tradeFeeAsset, 12);
  return {
    label: t('Fee rates'),
    lines: [
      ratesLine(context),
      { text: rateUnitText(context) },
      { text: t('Discount level {0} · fees in {1}', discount, asset) },
      { text: nextTierText(context) },
    ],
    notes: readNotes(context),
    buttons: [readButton(context)],
  };
}

function ratesLine(context: AccountContext): Label {
  const own = ownTier(context);
  const rate = (field: 'maker' | 'taker'): string => rateText(own?.[field] ?? null, field, context);
  const rates = t('Maker {0} · taker {1}', rate('maker'), rate('taker'));
  const isUnknown = own !== undefined && !context.reads.rateUnit.state.last?.value;
  return { text: isUnknown ? t('{0} · unit not known', rates) : rates };
}

/** In percent once its unit is known, and as it is sent until then. */
function rateText(
  rate: NumberText | null,
  field: 'maker' | 'taker',
  { reads, display }: AccountContext,
): string {
  const unit = reads.rateUnit.state.last?.value ?? null;
  if (rate === null || unit === null) return display.full(field, rate);
  return `${display.full(field, unit === 'shares' ? product(rate, '100') : rate)} %`;
}

function rateUnitText({ reads }: AccountContext): string {
  return reads.rateUnit.state.last?.value
    ? t('The fees in the ledger prove the unit of the rates.')
    : t('The API does not name the unit of the rates: the fees in the ledger may prove it.');
}

function ownTier({ snapshot, reads }: AccountContext): FeeTier | undefined {
  const tiers = reads.feeTiers.state.last?.value.value;
  return tiers?.find(({ tier }) => isSame(tier, snapshot.account.feeTierStructure));
}

/** The API has the volume of each tier, not the account's own. */
function nextTierText(context: AccountContext): string {
  const { reads, display } = context;
  const read = reads.feeTiers.state.last?.value;
  const own = ownTier(context);
  const unknown = t('Next tier: {0}', unknownText);
  if (!own || !read) return unknown;
  const [next] = read.value
    .filter(({ tier }) => compare(tier, own.tier) > 0)
    .sort((one, other) => compare(one.tier, other.tier));
  if (read.badRecords.length > 0) return unknown;
  if (!next) return t('Highest tier');
  return t(
    'Tier {0} from a 30-day volume of {1}; the exchange does not say what yours is',
    display.full('tier', next.tier),
    display.full('volume30D', next.volume30D),
  );
}

function readNotes({ reads, display }: AccountContext): string[] {
  const { last, failure } = reads.feeTiers.state;
  return [
    ...(failure === undefined ? [] : [errorText(failure, display)]),
    ...(last
      ? [t('Rates read at {0}', display.timeOfDay(last.readAt))]
      : [t('The rates were not read yet.')]),
    ...(last?.value.badRecords ?? []).map(({ problem }) =>
      t(
        'A part of the fee tiers could not be read: {0}.',
        untrustedText(localized(problem, display)),
      ),
    ),
  ];
}

function readButton({ reads, session, display }: AccountContext): Live<DocumentButton> {
  const { isReading, last } = reads.feeTiers.state;
  const label = isReading
    ? t('Reading…')
    : last
      ? t('Read Rates Again ({0})', requestsText(1, display))
      : t('Read Rates ({0})', requestsText(1, display));
  return { action: 'readFeeTiers', label, run: () => reads.feeTiers.start(session) };
}

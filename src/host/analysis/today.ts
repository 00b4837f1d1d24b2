import type { AccountSession } from '../../account/session/accountSession.ts';
import { unreadableRecords, type Snapshot } from '../../account/session/accountStore.ts';
import { sum, type NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { minuteMs, secondMs, type Clock } from '../../base/time.ts';
import { lastDays } from '../../base/timeZone.ts';
import type { AnalysisOf } from '../../ledger/analysis/analysis.ts';
import type { Card, Label } from '../../protocol/document.ts';
import type { AccountLedger } from '../ledger/openLedger.ts';
import type { Services } from '../settings/services.ts';
import { t } from '../shared/translate.ts';
import { knownSymbols } from '../tables/definition.ts';
import { profitLabel } from '../text/profitLabel.ts';
import type { Live } from '../webview/documentPanel.ts';
import { card } from '../webview/documentParts.ts';
import { Followed } from '../webview/followed.ts';
import { AnalysisReads } from './choices.ts';
import { completePeriodText, partOf } from './coverage.ts';
import { notInNetTexts } from './numbers.ts';
import { plAssetText } from './series.ts';

type Numbers = AnalysisOf<'numbers'>;
type TodayOptions = Pick<Services, 'active' | 'display' | 'log'> & {
  readonly ledger: Pick<AccountLedger, 'current' | 'onDidChange' | 'onDidWrite'>;
  readonly clock: Clock;
};

/** The numbers of today, which follow the account that is open and its ledger. */
export class Today extends DisposableOwner {
  private readonly options: TodayOptions;
  private readonly didChange = this.disposables.add(new Emitter<void>());
  readonly onDidChange = this.didChange.event;
  private readonly reads = new AnalysisReads();
  private readonly followed: Followed<Numbers | undefined>;
  /** As they were read last, maybe of a day that is over. */
  private read: Numbers | undefined;

  constructor(options: TodayOptions) {
    super();
    this.options = options;
    const { active, ledger, display, log, clock } = options;
    this.followed = this.disposables.add(
      new Followed({
        compute: () => this.readNumbers(),
        show: (numbers) => this.show(numbers),
        fail: (error) => {
          log.failure('the figures of today', error);
          this.show(undefined);
        },
        delayMs: secondMs,
        restMs: () => 20 * secondMs,
        clock,
      }),
    );
    // How complete they are depends on the time, too.
    for (const change of [active.onDidChange, ledger.onDidWrite, display.onDidChange])
      this.disposables.add(change(() => this.followed.change()));
    this.disposables.add(ledger.onDidChange(() => this.startAgain()));
  }

  get numbers(): Numbers | undefined {
    return this.read;
  }

  /** What was read of another ledger is not shown. */
  private startAgain(): void {
    this.followed.stop();
    this.show(undefined);
    this.followed.change();
  }

  private async readNumbers(): Promise<Numbers | undefined> {
    const { active, ledger, display } = this.options;
    if (active.state.kind !== 'open') return undefined;
    const now = active.state.session.serverNow();
    const { zone } = display.current;
    const open = ledger.current;
    if (!open) return undefined;
    // Names the assets of open positions.
    await active.state.session.exchangeInformation.getOrCached();
    return this.reads.readNumbers(open, {
      ...{ period: lastDays(1, now, zone), now, zone: zone.name },
      ...{ groupBy: 'day', splitBy: 'asset', account: 'FUTURE' },
    });
  }

  private show(numbers: Numbers | undefined): void {
    if (numbers === this.read) return;
    this.read = numbers;
    this.didChange.fire();
  }
}

/** A ledger that is kept current is read at least so often. */
const longestBehindMs = 40 * minuteMs;

/**
 * For each asset, what trading brought today, and what open positions stand at. None unless the ledger has the whole
 * day, up to a moment that is named if it is not now.
 */
export function todayCards(
  numbers: Numbers | undefined,
  session: AccountSession,
  snapshot: Snapshot,
  display: Display,
): Live<Card>[] {
  if (!numbers || session.staleness.staleAgeMs !== undefined) return [];
  const now = session.serverNow();
  const { from } = lastDays(1, now, display.zone);
  if (numbers.period.from !== from || partOf(numbers, display) !== null) return [];
  const to = numbers.coverage.complete.at(-1)?.to ?? from;
  if (now - to > longestBehindMs) return [];
  const complete = t('Complete {0}', completePeriodText({ from, to }, display));
  const notes = now - to > 5 * minuteMs ? [complete] : [];
  const unrealised = unrealisedByAsset(session, snapshot);
  const idle = [...(unrealised?.keys() ?? [])]
    .filter((asset) => numbers.assets.every((each) => each.asset !== asset))
    .map((asset) => {
      return { asset, assetBasis: 'known', grossPl: '0', netPl: '0', otherFeeAssets: [] } as const;
    });
  const assets = [...numbers.assets, ...idle];
  if (assets.length === 0) {
    const unknown = profitLine('upl', null, (figure) => t('Unrealised {0}', figure), display);
    return [card(t('Today'), [unrealised ? { text: t('none') } : unknown], notes)];
  }
  return assets.map((each) => {
    const upl = unrealised ? (unrealised.get(each.asset) ?? '0') : null;
    const lines = [
      profitLine('rpnl', each.netPl, (figure) => t('Net {0}', figure), display),
      profitLine('rpnl', each.grossPl, (figure) => t('Gross {0}', figure), display),
      profitLine('upl', upl, (figure) => t('Unrealised {0}', figure), display),
    ];
    return card(t('Today · {0}', plAssetText(each)), lines, [...notes, ...notInNetTexts(each)]);
  });
}

function profitLine(
  field: 'rpnl' | 'upl',
  figure: NumberText | null,
  named: (figure: string) => string,
  display: Display,
): Label {
  const { text, ...tone } = profitLabel(field, figure, display);
  return { text: named(text), ...tone };
}

/** Of open positions, by margin asset; undefined if a figure or an asset is not known. */
function unrealisedByAsset(
  session: AccountSession,
  snapshot: Snapshot,
): ReadonlyMap<string, NumberText> | undefined {
  const { positions } = snapshot.account;
  if (!positions || unreadableRecords(snapshot, 'positions').length > 0) return undefined;
  const assets = new Map(knownSymbols(session).map((each) => [each.symbol, each.marginAsset]));
  const upls = Map.groupBy(positions, ({ symbol }) => assets.get(symbol));
  const sums = new Map<string, NumberText>();
  for (const [asset, own] of upls) {
    const known = own.flatMap(({ upl }) => upl ?? []);
    if (asset === undefined || known.length < own.length) return undefined;
    sums.set(asset, sum(known));
  }
  return sums;
}

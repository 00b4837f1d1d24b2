import { Emitter, type Event } from '../../base/emitter.ts';
import type { Today } from '../analysis/today.ts';
import { environmentOfProfile } from '../profiles/profileSettings.ts';
import type { FeatureContext } from '../feature/context.ts';
import type { AccountLedger } from '../ledger/openLedger.ts';
import type { AccountReconciliation } from '../reconciliation/accountReconciliation.ts';
import { commands } from '../shared/contributions.ts';
import { logRejection } from '../shared/log.ts';
import { t } from '../shared/translate.ts';
import type { DocumentSource } from '../webview/documentPanel.ts';
import { accountTab } from '../webview/tab.ts';
import { onDemandReads, type OnDemandReads } from './overviewContext.ts';
import { overviewDocument } from './overviewDocument.ts';
import { positionColumns, positionRecord, positionsGridTexts } from './positionsTable.ts';

type OverviewOptions = FeatureContext & {
  readonly reconciliation: AccountReconciliation;
  readonly today: Pick<Today, 'numbers' | 'onDidChange'>;
};

/** The overview: the account that is open, as it is. */
export function registerOverview(
  context: FeatureContext,
  ledger: AccountLedger,
  reconciliation: AccountReconciliation,
  today: OverviewOptions['today'],
) {
  const { active, display, documents } = context;
  const options = { ...context, reconciliation, today };
  const page = documents.add({
    name: 'overview',
    source: (_key, panel) => {
      const didRead = new Emitter<void>();
      const reads = onDemandReads(display, ledger, didRead.fire);
      const reset = (): void => Object.values(reads).forEach((read) => read.reset());
      const switching = active.onDidSwitch(reset);
      panel.onDidDispose(() => {
        switching.dispose();
        reset();
      });
      reconciliation.want();
      return sourceOf(options, reads, didRead.event);
    },
  });
  return { page, commands: { [commands.openOverview]: () => void page.show() } };
}

function sourceOf(
  options: OverviewOptions,
  reads: OnDemandReads,
  onDidRead: Event<void>,
): DocumentSource {
  const { active, display, risk, choices, reconciliation, today } = options;
  const learnRateUnit = rateUnitLearner(reads, options);
  return {
    tab: () => accountTab(t('Overview'), active),
    document: () => {
      readRates(reads, options);
      learnRateUnit();
      return overviewDocument({
        ...{ state: active.state, display: display.latest(), risk, reads },
        layout: choices.layout('positions').get(),
        ...{ reconciliation: reconciliation.state, today: today.numbers },
        environmentOf: environmentOfProfile,
      });
    },
    changes: [
      ...[active.onDidChange, risk.onDidChange, reconciliation.onDidChange, today.onDidChange],
      onDidRead,
    ],
    grid: {
      name: 'positions',
      texts: positionsGridTexts(),
      columns: () => positionColumns(risk.limits, display.latest()),
      records: (pageId) => shownPositions(options, pageId),
      layout: choices.layout('positions'),
    },
  };
}

/** Once for each account that the page shows: the rates seldom change. */
function readRates(reads: OnDemandReads, { active: { state }, log }: OverviewOptions): void {
  const { last, failure } = reads.feeTiers.state;
  if (last || failure !== undefined) return;
  if (state.kind === 'open' && state.session.store.state.snapshot)
    logRejection(log, 'reading the rates', reads.feeTiers.start(state.session));
}

/** After each comparison of the ledger, until it is known. */
function rateUnitLearner(reads: OnDemandReads, options: OverviewOptions): () => void {
  let asked: unknown;
  return () => {
    const { active, reconciliation, log } = options;
    if (reconciliation.state.kind !== 'computed' || active.state.kind !== 'open') return;
    if (reconciliation.state.report === asked || reads.rateUnit.state.last?.value) return;
    asked = reconciliation.state.report;
    logRejection(log, 'learning the unit of the rates', reads.rateUnit.start(active.state.session));
  };
}

/** Undefined if the positions were read again meanwhile. */
function shownPositions(
  { active: { state }, risk }: OverviewOptions,
  pageId: number,
): readonly object[] | undefined {
  const snapshot = state.kind === 'open' ? state.session.store.state.snapshot : undefined;
  return snapshot?.asOf === pageId ? risk.rankPositions(snapshot).map(positionRecord) : undefined;
}

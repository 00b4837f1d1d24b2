import type { AccountSession } from '../../account/session/accountSession.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { minuteMs, secondMs, systemClock, type Clock } from '../../base/time.ts';
import { LedgerError } from '../../ledger/ledgerError.ts';
import { Ledgers } from '../../ledger/ledgers.ts';
import type { Choices } from '../../protocol/document.ts';
import type { ColumnLayout } from '../../protocol/gridMessages.ts';
import type { FeatureContext } from '../feature/context.ts';
import type { AccountLedger, OpenLedger } from '../ledger/openLedger.ts';
import { commands } from '../shared/contributions.ts';
import type { StoredValue } from '../../base/storedValue.ts';
import { t } from '../shared/translate.ts';
import type { DocumentSource, LiveDocument } from '../webview/documentPanel.ts';
import { Followed } from '../webview/followed.ts';
import type { DocumentGrid } from '../webview/gridRequests.ts';
import { accountTab, type PanelTab } from '../webview/tab.ts';
import {
  analysedViews,
  firstChoices,
  readChoices,
  type AnalysisChoices,
  AnalysisReads,
} from './choices.ts';
import {
  analysisDocument,
  shownRows,
  type AnalysisActions,
  type AnalysisState,
} from './document.ts';
import type { ViewRows } from './grid.ts';
import { exportAnalysis } from './analysisExport.ts';
import type { Services } from '../settings/services.ts';

type ShownAnalysisOptions = Omit<AnalysisActions, 'showPeriod' | 'exportAnalysis'> &
  Pick<Services, 'active' | 'display' | 'log'> & {
    readonly ledger: Pick<AccountLedger, 'current' | 'onDidChange' | 'onDidWrite'>;
    /** Of the grid. */
    readonly layout: Pick<StoredValue<ColumnLayout>, 'get' | 'set'>;
    readonly clock: Clock;
    readonly exportAnalysis: (ledger: OpenLedger, choices: AnalysisChoices) => Promise<void>;
    /** Whether this VS Code has SQLite. */
    readonly isSupported: boolean;
  };

/** Rows come in bursts, and each analysis reads all of a period. */
const pauseMs = 5 * secondMs;

/** A sample of equity is stored at most once a minute. */
const samplesEveryMs = minuteMs;

/** The page of an analysis, which a window shows at most once. */
export function registerAnalysis(
  context: FeatureContext,
  needs: Pick<ShownAnalysisOptions, 'ledger' | 'fill' | 'showStored' | 'showPosition'>,
) {
  const reads = new AnalysisReads();
  const layout = context.choices.layout('analysis');
  const isSupported = Ledgers.isSupported();
  const options: ShownAnalysisOptions = {
    ...{ ...context, ...needs, layout, isSupported, clock: systemClock },
    exportAnalysis: (open, choices) => exportAnalysis(context, open, choices),
  };
  let shown: ShownAnalysis | undefined;
  const page = context.documents.add({
    name: 'analysis',
    source: (_key, panel) => {
      const analysis = new ShownAnalysis(options, reads, () => panel.visible);
      panel.onDidDispose(() => analysis.dispose());
      shown = analysis;
      return analysis;
    },
  });
  const choose = (changed: Partial<AnalysisChoices>): void => {
    page.show();
    shown?.choose(changed);
  };
  return {
    commands: {
      [commands.openAnalysis]: () => void page.show(),
      [commands.openClosedPositions]: () => choose({ view: 'positions' }),
    },
    choose,
  };
}

/** The analysis that a page shows, which follows the account that is open and its ledger. */
export class ShownAnalysis extends DisposableOwner implements DocumentSource {
  private readonly options: ShownAnalysisOptions;
  private readonly reads: AnalysisReads;
  private readonly didChange = this.disposables.add(new Emitter<void>());
  readonly changes = [this.didChange.event];
  readonly grid: DocumentGrid;
  private readonly followed: Followed<AnalysisState>;
  private chosen = firstChoices;
  /** Undefined until it was read. */
  private state: AnalysisState | undefined;
  /** A page has asked, and waits for what is read from now on. */
  private wasOpened = false;
  private count = 0;
  private readAt = 0;
  private session: AccountSession | undefined;
  private zone = '';

  constructor(options: ShownAnalysisOptions, reads: AnalysisReads, isVisible: () => boolean) {
    super();
    this.options = options;
    this.reads = reads;
    const { active, ledger, display, clock, layout } = options;
    this.followed = this.disposables.add(
      new Followed({
        compute: () => this.read(),
        show: (state) => this.show(state),
        fail: (error) => this.fail(error),
        delayMs: secondMs,
        restMs: () => pauseMs,
        ...{ isVisible, clock },
      }),
    );
    this.grid = {
      name: 'analysis',
      columns: () => this.rows?.columns ?? [],
      records: (pageId) => this.recordsOf(pageId),
      layout,
    };
    this.disposables.add(ledger.onDidChange(() => this.startAgain()));
    this.disposables.add(ledger.onDidWrite(() => this.followed.change()));
    this.disposables.add(active.onDidChange(() => this.followAccount()));
    this.disposables.add(
      display.onDidChange(() => {
        if (display.current.zone.name !== this.zone) this.startAgain();
      }),
    );
  }

  readonly tab = (): PanelTab => accountTab(t('Analysis'), this.options.active);

  /** Rows that were written while nobody saw the page were not followed. */
  readonly opened = (): void => {
    this.wasOpened = true;
  };

  /** What is shown changes at once with the display, also while something else is read. */
  readonly document = async (choices: Choices | null): Promise<LiveDocument> => {
    const mustRead = choices !== null || this.wasOpened || !this.state;
    this.wasOpened = false;
    if (choices) this.chosen = readChoices(choices);
    if (mustRead) await this.followed.update();
    return this.state ? this.describe(this.state) : this.document(null);
  };

  private describe(state: AnalysisState): LiveDocument {
    const { display, layout, fill, showStored, showPosition, ledger, exportAnalysis } =
      this.options;
    return analysisDocument(state, {
      exportAnalysis: (choices) => ledger.current && exportAnalysis(ledger.current, choices),
      ...{ fill, showStored, showPosition, showPeriod: (period) => this.choose({ period }) },
      choices: this.chosen,
      // The page has no menu that would show a hidden column again.
      layout: { ...layout.get(), hidden: [] },
      display: display.latest(),
    });
  }

  private async read(): Promise<AnalysisState> {
    const { active, ledger, display, clock, isSupported } = this.options;
    const { chosen: choices } = this;
    this.session = active.state.kind === 'open' ? active.state.session : undefined;
    this.zone = display.current.zone.name;
    this.readAt = clock.now();
    const { session } = this;
    if (!session) return { kind: 'noAccount', profile: undefined };
    const { profile } = session;
    const error = new LedgerError('unsupported');
    if (!isSupported) return { kind: 'failed', profile, error };
    const open = ledger.current;
    if (!open) return { kind: 'noLedger', profile };
    const now = session.serverNow();
    const read = await this.reads.read(open, choices, display.current, now);
    return { kind: 'read', profile, id: this.count + 1, choices, read };
  }

  /** Shows another view or period. */
  choose(changed: Partial<AnalysisChoices>): void {
    this.chosen = { ...this.chosen, ...changed };
    void this.followed.update();
  }

  /** The same figures stay the same result: its page does not change. */
  private show(state: AnalysisState): void {
    const before = this.state?.kind === 'read' ? { ...this.state, id: this.count + 1 } : undefined;
    if (state.kind !== 'read' || JSON.stringify(before) !== JSON.stringify(state)) {
      this.count += 1;
      this.state = state;
    }
    this.didChange.fire();
  }

  private fail(error: unknown): void {
    this.options.log.failure('the analysis', error);
    this.show({ kind: 'failed', profile: this.session?.profile, error });
  }

  /** Another account, ledger or zone: nothing that is being read now is right. */
  private startAgain(): void {
    this.followed.stop();
    void this.followed.update();
    this.didChange.fire();
  }

  private followAccount(): void {
    const { active, clock } = this.options;
    const session = active.state.kind === 'open' ? active.state.session : undefined;
    if (session !== this.session) this.startAgain();
    // A read of the account stores a sample, which is no row. A clock may be set back.
    else if (
      analysedViews[this.chosen.view] === 'equity' &&
      Math.abs(clock.now() - this.readAt) >= samplesEveryMs
    )
      this.followed.change();
  }

  private get rows(): (ViewRows & { readonly id: number }) | undefined {
    const { state, options } = this;
    if (state?.kind !== 'read') return undefined;
    const rows = shownRows(state, options.display.current);
    return rows && { ...rows, id: state.id };
  }

  /** Undefined if it is another result by now. */
  private recordsOf(pageId: number): readonly object[] | undefined {
    const { id, columns = [], rows } = this.rows ?? {};
    if (id !== pageId) return undefined;
    return rows?.map((cells) =>
      Object.fromEntries(columns.map(({ field }, index) => [field, cells[index]])),
    );
  }
}

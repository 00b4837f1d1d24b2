import * as v from 'valibot';
import * as vscode from 'vscode';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import {
  analysisActionSchema,
  analysisChoicesSchema,
  chartPlaceSchema,
  firstChoices,
  type AnalysisAction,
  type AnalysisChoices,
  type AnalysisDocument,
  type AnalysisEvents,
  type AnalysisMethods,
  type ChartPlace,
} from '../../protocol/analysisMessages.ts';
import { rowOfPageSchema, type GridCommand, type RowOfPage } from '../../protocol/gridMessages.ts';
import type { Handlers, RpcServer } from '../../protocol/rpcServer.ts';
import type { AnalysisGap } from '../../ledger/analysis/analysis.ts';
import { commands, type CommandId } from '../shared/contributions.ts';
import { gridRequests, type CellCopyingOptions } from '../webview/gridRequests.ts';
import { nameAccountTab } from '../webview/tab.ts';
import type { TableChoices } from '../webview/tableChoices.ts';
import { serveDocumentPage, type DocumentPageOptions } from '../webview/webviewPage.ts';
import { storedRow, type StoredRows } from '../reconciliation/storedRows.ts';
import { analysisParts, type AnalysisParts } from './analysisDocument.ts';
import { analysisTexts } from './analysisText.ts';
import { pointRows } from './pointRows.ts';
import type { ReadAnalysis } from './readAnalysis.ts';
import type { ShownAnalysis } from './shownAnalysis.ts';

type AnalysisPanelOptions = DocumentPageOptions &
  Pick<CellCopyingOptions, 'confirmRealValues'> & {
    readonly active: ActiveAccount;
    readonly choices: TableChoices;
    /** Made for this page, which disposes of it. */
    readonly analysis: ShownAnalysis;
    /** Runs a command, which reports its own failures. */
    readonly run: (id: CommandId) => void;
    /** Downloads what is missing; reports its own failures. */
    readonly fill: (gaps: readonly AnalysisGap[]) => void;
    /** Opens the panel of rows of the ledger. */
    readonly showStored: (rows: StoredRows) => void;
  };

/** The host's end of the page of an analysis: that of the ledger of the account that is open. */
export class AnalysisPanel implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: AnalysisPanelOptions;
  readonly panel: vscode.WebviewPanel;
  private readonly rpc: RpcServer<AnalysisMethods, AnalysisEvents>;
  private chosen: AnalysisChoices = firstChoices;
  /** What the page has. */
  private shown: AnalysisParts | undefined;

  constructor(panel: vscode.WebviewPanel, options: AnalysisPanelOptions) {
    this.panel = panel;
    this.options = options;
    const { active, display, analysis } = options;
    this.rpc = this.disposables.add(this.serve());
    this.disposables.add(panel);
    this.disposables.add(analysis);
    this.disposables.add(analysis.onDidChange(() => this.update()));
    this.disposables.add(display.onDidChange(() => this.update()));
    this.disposables.add(active.onDidChange(() => this.updateTitle()));
    this.updateTitle();
  }

  /** Has the page do something with the selected cells of its grid. */
  command(command: GridCommand): void {
    this.rpc.notify('grid/command', command);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private serve(): RpcServer<AnalysisMethods, AnalysisEvents> {
    const handlers: Handlers<AnalysisMethods> = {
      'analysis/open': { params: v.nullable(analysisChoicesSchema), run: this.open },
      'analysis/press': { params: analysisActionSchema, run: this.press },
      'analysis/show': { params: chartPlaceSchema, run: this.showRows },
      'analysis/showRow': { params: rowOfPageSchema, run: this.showRow },
      ...gridRequests({
        ...this.options,
        onCopied: (selection) => this.rpc.notify('grid/copied', selection),
        columns: () => this.shown?.rows?.columns ?? [],
        records: (pageId) => this.recordsOf(pageId),
        layout: this.options.choices.layout('analysis'),
      }),
    };
    const page = { name: 'analysis', data: { texts: JSON.stringify(analysisTexts()) } } as const;
    return serveDocumentPage<AnalysisMethods, AnalysisEvents>(
      this.panel.webview,
      page,
      handlers,
      this.options,
    );
  }

  private readonly open = async (choices: AnalysisChoices | null): Promise<AnalysisDocument> => {
    if (choices) this.chosen = choices;
    await this.options.analysis.read(this.chosen);
    return this.describe().document;
  };

  private describe(): AnalysisParts {
    const { analysis, display, choices } = this.options;
    this.shown = analysisParts({
      profile: this.openAccount?.profile,
      state: analysis.state,
      choices: this.chosen,
      // The page has no menu that would show a hidden column again.
      layout: { ...choices.layout('analysis').get(), hidden: [] },
      display: display.latest(),
    });
    return this.shown;
  }

  private readonly press = (action: AnalysisAction): void => {
    switch (action) {
      case 'fillGaps':
        this.fill('analysis');
        break;
      case 'fillNumbersGaps':
        this.fill('numbers');
        break;
      case 'fillDrawdownGaps':
        this.fill('equity');
        break;
      case 'downloadHistory':
      case 'openReconciliation':
      case 'togglePrivacy':
      case 'tryPractice':
      case 'switchProfile':
        this.options.run(commands[action]);
    }
  };

  private fill(part: keyof ReadAnalysis): void {
    const { state } = this.options.analysis;
    if (state.kind === 'read') this.options.fill(state.read[part].coverage.gaps);
  }

  private readonly showRows = ({ id, ...place }: ChartPlace): void => {
    const { shown } = this;
    const isShown = shown?.document.result?.id === id;
    const rows = isShown ? pointRows(shown.charts, place) : undefined;
    if (rows) this.options.showStored(rows);
  };

  /** The trade of a deviation, in its panel. */
  private readonly showRow = ({ pageId, row }: RowOfPage): void => {
    const { state } = this.options.analysis;
    if (state.kind !== 'read' || state.id !== pageId) return;
    const { analysis } = state.read;
    const deviation = analysis.view === 'feeAudit' ? analysis.deviations[row] : undefined;
    if (!deviation) return;
    const record = { ...deviation.trade, extra: {} };
    this.options.showStored(storedRow({ history: 'trades', record }));
  };

  /** Undefined if it is another result by now. */
  private recordsOf(pageId: number): readonly object[] | undefined {
    const { document, rows: table } = this.shown ?? {};
    if (!table || document?.result?.id !== pageId) return undefined;
    const { columns, rows } = table;
    return rows.map((cells) =>
      Object.fromEntries(columns.map(({ field }, index) => [field, cells[index]])),
    );
  }

  /** Posts only what changed. A hidden page is discarded, and asks again when it is shown. */
  private update(): void {
    this.updateTitle();
    if (!this.panel.visible || !this.shown) return;
    const before = JSON.stringify(this.shown.document);
    const { document } = this.describe();
    if (JSON.stringify(document) !== before) this.rpc.notify('analysis/changed', document);
  }

  private get openAccount(): AccountSession | undefined {
    const { state } = this.options.active;
    return state.kind === 'open' ? state.session : undefined;
  }

  private updateTitle(): void {
    const { active, extensionUri } = this.options;
    nameAccountTab(this.panel, vscode.l10n.t('Analysis'), active, extensionUri);
  }
}

import path from 'node:path';
import * as vscode from 'vscode';
import { environmentLabel, originOf } from '../../account/session/profile.ts';
import {
  isComplete,
  manifestName,
  type StatementSource,
} from '../../account/statement/manifest.ts';
import { readHistories } from '../../account/statement/statementCoverage.ts';
import { writeStatement, type WrittenStatement } from '../../account/statement/writeStatement.ts';
import { verifyStatement, type StatementCheck } from '../../account/statement/verifyStatement.ts';
import type { Display } from '../../base/display.ts';
import { UserFacingError } from '../../base/errors.ts';
import { readLedgerSummary } from '../../ledger/coverage/ledgerSummary.ts';
import { commands } from '../shared/contributions.ts';
import type { FeatureContext } from '../feature/context.ts';
import { canRevealInFileManager } from '../export/exportCommand.ts';
import type { LedgerSession } from '../../account/ledger/ledgerSession.ts';
import type { ProfileLedgers } from '../ledger/profileLedgers.ts';
import { logRejection } from '../shared/log.ts';
import { accountLabel } from '../text/messageText.ts';
import { withProgress } from '../shared/notificationProgress.ts';
import { askFolder, askMonth, askStatementFormat } from './statementQuestions.ts';
import { checkText, isDamaged, writtenText } from './statementText.ts';
import type { Services } from '../settings/services.ts';

type StatementCommandOptions = Pick<Services, 'display' | 'log' | 'confirmRealValues'> & {
  readonly profileLedgers: ProfileLedgers;
  /** The name and version of the extension. */
  readonly writtenBy: string;
};

export function registerStatements(context: FeatureContext, profileLedgers: ProfileLedgers) {
  const statements = new StatementCommand({ ...context, profileLedgers });
  return {
    [commands.writeStatement]: () => statements.write(),
    [commands.verifyStatement]: verifyStatementFolder,
  };
}

/** Writes the statement of a month from the ledger of the open account. */
export class StatementCommand {
  private readonly options: StatementCommandOptions;

  constructor(options: StatementCommandOptions) {
    this.options = options;
  }

  async write(): Promise<void> {
    const { profileLedgers, confirmRealValues, writtenBy, log } = this.options;
    const ledger = await profileLedgers.require();
    if (!(await confirmRealValues())) return;
    const asked = await this.ask(ledger);
    if (!asked) return;
    const { profile } = ledger.account;
    const title = vscode.l10n.t(
      'Writing the statement of {0} · {1}',
      accountLabel(profile),
      asked.month.name,
    );
    const written = await withProgress(title, (cancelled, onProgress) =>
      writeStatement({
        ledger,
        source: sourceOf(ledger),
        writtenBy,
        onProgress,
        ...asked,
        // Closing the ledger cancels it, as opening another account does.
        signal: AbortSignal.any([cancelled, ledger.signal]),
      }),
    );
    logRejection(
      log,
      'showing a statement',
      showWritten(written, this.options.display.current, ledger.account.serverNow()),
    );
  }

  private async ask(ledger: LedgerSession) {
    const { reader, writer } = ledger;
    const { period } = await readLedgerSummary(reader, writer);
    const { t } = vscode.l10n;
    if (period.to <= period.from)
      throw new UserFacingError(
        t('The ledger is empty. Run “Margin Desk: Download History…” first.'),
      );
    const histories = await readHistories(writer);
    const month = await askMonth(
      period,
      histories,
      this.options.display.current,
      ledger.account.serverNow(),
    );
    if (!month) return undefined;
    const format = await askStatementFormat();
    if (!format) return undefined;
    const parent = await askFolder(t('Folder for the Statement'), t('Write Here'));
    return parent === undefined ? undefined : { month, format, parent };
  }
}

/** The practice exchange has another address in each window. */
function sourceOf({ account: { profile } }: LedgerSession): StatementSource {
  const environment = environmentLabel(profile);
  const origin = profile.environment === 'practice' ? environment : originOf(profile);
  return { profile: profile.name, environment, origin };
}

async function showWritten(
  statement: WrittenStatement,
  display: Display,
  now: number,
): Promise<void> {
  const { t } = vscode.l10n;
  const { contents, folder } = statement;
  const isWhole = isComplete(contents);
  const [open, reveal, ledger] = [t('Open Manifest'), t('Reveal'), t('Open Ledger')];
  const show = isWhole ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  const buttons = [
    open,
    ...(canRevealInFileManager() ? [reveal] : []),
    ...(isWhole ? [] : [ledger]),
  ];
  const chosen = await show(writtenText(statement, display, now), ...buttons);
  const manifest = vscode.Uri.file(path.join(folder, manifestName));
  if (chosen === open) await vscode.commands.executeCommand('vscode.open', manifest);
  if (chosen === reveal) await vscode.commands.executeCommand('revealFileInOS', manifest);
  if (chosen === ledger) await vscode.commands.executeCommand(commands.openLedger);
}

/** Checks the files of a statement. Needs no account, no ledger and no connection. */
async function verifyStatementFolder(): Promise<void> {
  const { t } = vscode.l10n;
  const folder = await askFolder(t('Folder of the Statement'), t('Verify'));
  if (folder === undefined) return;
  const check = await withProgress(t('Verifying the statement'), (signal) =>
    verifyStatement(folder, signal),
  );
  void showOf(check)(checkText(folder, check));
}

function showOf(check: StatementCheck): (text: string) => Thenable<unknown> {
  if (isDamaged(check)) return vscode.window.showErrorMessage;
  const isExpected = check.previous !== 'different' && check.others.length === 0;
  return isExpected ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
}

import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Services } from '../settings/services.ts';
import type { Documents } from '../webview/documents.ts';
import type { OpeningSnapshots } from '../webview/snapshot.ts';
import type { TableChoices } from '../webview/tableChoices.ts';

/** What the features of a window are registered with. */
export type FeatureContext = Services &
  Pick<vscode.ExtensionContext, 'extensionUri' | 'globalState' | 'workspaceState'> & {
    readonly documents: Documents;
    readonly openings: OpeningSnapshots;
    readonly choices: TableChoices;
    /** The name and version of the extension: exported files name what wrote them. */
    readonly writtenBy: string;
    /** Of the extension. */
    readonly version: string;
    /** Disposed of with the window. */
    readonly add: <Item extends Disposable>(item: Item) => Item;
    /** A folder in the extension's storage, shared by all windows. */
    readonly storageFolder: (name: string) => string;
    /** A file of the extension. */
    readonly file: (name: string) => string;
  };

/** Called with the menu's item if the command was run from a context menu. */
export type CommandHandler = (argument: unknown) => Promise<void> | void;

import * as vscode from 'vscode';
import type { TableDescription, TablePage, TableQuery } from '../../src/protocol/table.ts';
import { restoreQuery } from '../../src/protocol/tableQuery.ts';
import { eventually } from './eventually.ts';

export type Message = {
  readonly kind: string;
  readonly id?: string;
  readonly name?: string;
  readonly body: unknown;
};

/** A webview panel without a page: the test says what a page would. */
export class FakePanel {
  readonly posted: Message[] = [];
  title = '';
  iconPath: unknown;
  active = false;
  visible = true;
  disposed = false;
  revealed = 0;
  private readonly received = new vscode.EventEmitter<unknown>();
  private readonly didChangeViewState = new vscode.EventEmitter<void>();
  private readonly didDispose = new vscode.EventEmitter<void>();
  private lastId = 0;
  /** The load of the page that has asked for its description. */
  private opened: string | undefined;
  readonly webview = {
    options: {},
    html: '',
    cspSource: 'test:',
    asWebviewUri: (uri: vscode.Uri) => uri,
    onDidReceiveMessage: this.received.event,
    postMessage: (message: Message) => Promise.resolve(this.posted.push(message) > 0),
  };
  readonly onDidDispose = this.didDispose.event;
  readonly onDidChangeViewState = this.didChangeViewState.event;

  reveal(): void {
    this.revealed += 1;
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.didDispose.fire();
  }

  /** Asks the host as a page does once it is loaded, and waits for its reply or its error. */
  async ask(name: string, body: unknown): Promise<Message> {
    if (this.webview.html === '') await eventually('a page', () => this.webview.html !== '');
    const id = this.begin(name, body);
    return eventually(`an answer to ${name}`, () => this.posted.find((reply) => reply.id === id));
  }

  /** Tells the host something that is no request. */
  tell(message: unknown): void {
    this.received.fire(message);
  }

  /** A hidden page is discarded; it loads again when it is shown. */
  setVisible(visible: boolean): void {
    this.visible = visible;
    this.didChangeViewState.fire();
  }

  private begin(name: string, body: unknown): string {
    const id = this.firstId(name) ?? `page:${(this.lastId += 1)}`;
    this.received.fire({ kind: 'request', id, name, body });
    return id;
  }

  /** What a page asks once it is loaded has the name of that load: the host began to serve it before. */
  private firstId(name: string): string | undefined {
    const [, stamp] = /data-stamp="([^"]+)"/.exec(this.webview.html) ?? [];
    if (stamp === this.opened || !name.endsWith('/open')) return undefined;
    this.opened = stamp;
    return `${stamp}:1`;
  }

  async describe(): Promise<TableDescription> {
    return (await this.ask('table/open', null)).body as TableDescription;
  }

  /** Asks for the rows that the description names, as a page does: the host reads them ahead. */
  async firstRows(): Promise<{ readonly query: TableQuery; readonly page: TablePage }> {
    const query = restoreQuery(await this.describe());
    return { query, page: (await this.ask('table/page', query)).body as TablePage };
  }

  asPanel(): vscode.WebviewPanel {
    return this as unknown as vscode.WebviewPanel;
  }
}

import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { webviewHtml } from '../../src/host/webview/webviewPage.ts';

describe('the HTML of a page', () => {
  const webview = {
    cspSource: 'https://source.example',
    asWebviewUri: (uri: vscode.Uri) => uri,
  } as unknown as vscode.Webview;
  const html = () =>
    webviewHtml(webview, vscode.Uri.file('/extension'), { name: 'document', data: { x: '"><b>' } });

  it('lets one script run, by a nonce that is new each time, and nothing else', () => {
    const text = html();
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1] ?? '';
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? assert.fail('no nonce');
    assert.deepEqual(policy.split('; ').sort(), [
      "base-uri 'none'",
      "default-src 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      `script-src 'nonce-${nonce}'`,
      'style-src https://source.example',
      'trusted-types lit-html',
    ]);
    assert.equal(text.match(/<script\b/g)?.length, 1);
    assert.ok(
      text.includes('data-x="&#34;&#62;&#60;b&#62;"'),
      'data is an attribute, never markup',
    );
    assert.ok(text.includes(`<script nonce="${nonce}" src="`));
    assert.ok(Buffer.from(nonce, 'base64').length >= 16);
    assert.ok(!html().includes(nonce));
  });
});

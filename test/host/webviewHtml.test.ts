import assert from 'node:assert/strict';
import { webviewHtml } from '../../src/host/webview/webviewPage.ts';
import { activatedExtension } from '../support/extensionUnderTest.ts';

describe('the HTML of a page', () => {
  const access = activatedExtension();
  const html = (snapshot?: string) =>
    webviewHtml(
      access.context.extensionUri,
      { name: 'document', data: { x: '"><b>' } },
      snapshot === undefined
        ? undefined
        : { html: snapshot, time: 'As of <10:00>.', isEarlier: true },
    );

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
      `style-src 'nonce-${nonce}'`,
      'trusted-types lit-html',
    ]);
    assert.equal(text.match(/<script\b/g)?.length, 1);
    assert.ok(
      text.includes('data-x="&#34;&#62;&#60;b&#62;"'),
      'data is an attribute, never markup',
    );
    assert.equal(text.match(/<\/script\b/g)?.length, 1);
    assert.ok(text.includes(`<script nonce="${nonce}">`));
    assert.equal(text.match(/<style nonce=/g)?.length, 1);
    assert.ok(!text.includes('src='), 'nothing is loaded');
    assert.ok(Buffer.from(nonce, 'base64').length >= 16);
    assert.ok(!html().includes(nonce));
  });

  it('has a snapshot that nobody can operate, with its styles, before the script', () => {
    const text = html('<style media="all">.kept0{top:1px}</style><main>12.5</main>');
    const kept =
      /<div id="kept" inert aria-hidden="true"><style nonce="[^"]+">\.kept0\{top:1px\}<\/style><main>12\.5<\/main><p class="keptAge" data-earlier="true">As of &#60;10:00&#62;\.<\/p><\/div>/;
    assert.match(text, kept);
    assert.ok(text.search(kept) < text.indexOf('<script'));
    assert.ok(!html().includes('id="kept"'));
  });

  it('styles what a snapshot has in place of a custom element like the element', () => {
    assert.match(html(), /:is\(margin-grid, kept-margin-grid\)\s*[,{]/);
    assert.match(html(), / margin-block: /);
  });
});

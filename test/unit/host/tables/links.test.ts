import assert from 'node:assert/strict';
import { parseLink } from '../../../../src/host/tables/panel.ts';
import { aDisplay } from '../../../support/display.ts';

describe('a link of the exchange', () => {
  it('is an https URL, with its host in ASCII and no invisible character', () => {
    const { host, href } = parseLink('https://ex\u00e4mple.com:8443/tx/a\u202eb?q=1', aDisplay());
    assert.equal(host, 'xn--exmple-cua.com:8443');
    assert.equal(href, 'https://xn--exmple-cua.com:8443/tx/a%E2%80%AEb?q=1');
  });

  it('is refused if it could lead elsewhere than it seems, or is no web page', () => {
    for (const [link, message] of [
      ['http://host.example/', /only https links/],
      ['command:workbench.action.quit', /only https links/],
      ['java\nscript:alert(1)', /only https links/],
      ['file:///etc/passwd', /only https links/],
      ['[x](command:quit)', /only https links/],
      ['https://bank.example@evil.example/', /contains a user name/],
      ['https://:secret@evil.example/', /contains a user name/],
      [`https://host.example/${'x'.repeat(2000)}`, /longer than 2,000/],
    ] as const)
      assert.throws(() => parseLink(link, aDisplay()), { name: 'UserFacingError', message });
  });
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import JSZip from 'jszip';
import { bundles } from '../../build/bundles.ts';
import { noticeSeparator, noticesFile, packagesIn } from '../../build/notices.ts';
import { packagedVsix } from '../support/vsix.ts';

describe('the package', () => {
  it('is below a megabyte', async () => {
    const { length } = await readFile(await packagedVsix());
    assert.ok(length > 0 && length < 1_000_000, `${length} bytes`);
  });

  /** A window without an account loads nothing else. */
  it('is activated by a script below 5 KB', async () => {
    const zip = await JSZip.loadAsync(await readFile(await packagedVsix()));
    const script = await zip.file('extension/dist/extension.cjs')?.async('string');
    assert.ok(script && script.length < 5000, `${script?.length} bytes`);
  });

  for (const [page, most] of [
    ['table', 90_000],
    ['document', 110_000],
  ] as const)
    it(`has a script for each ${page} below ${most / 1000} KB, compressed`, async () => {
      const zip = await JSZip.loadAsync(await readFile(await packagedVsix()));
      const script = await zip.file(`extension/dist/pages/${page}.js`)?.async('nodebuffer');
      assert.ok(script && gzipSync(script, { level: 9 }).length < most);
    });

  it('has the whole license of each package that its scripts contain code of', async () => {
    const zip = await JSZip.loadAsync(await readFile(await packagedVsix()));
    const notices = await zip.file(`extension/${noticesFile}`)?.async('string');
    const built = bundles.map((bundle) => build({ ...bundle, metafile: true, write: false }));
    const packages = packagesIn((await Promise.all(built)).map(({ metafile }) => metafile));
    assert.ok(packages.length > 10, packages.join(' '));
    for (const name of packages.map((folder) => folder.replace('node_modules/', ''))) {
      const notice = notices
        ?.split(noticeSeparator)
        .find((each) => each.trim().startsWith(`${name} `));
      assert.match(notice ?? '', /copyright.{10,}permi(?:tted|ssion)/is, name);
    }
  });
});

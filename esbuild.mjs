import { writeFile } from 'node:fs/promises';
import { build, context } from 'esbuild';
import { bundles, hostTests } from './build/bundles.ts';
import { noticesFile, noticesOf, packagesIn } from './build/notices.ts';

const isRelease = process.argv.includes('--release');
const shared = { logLevel: 'warning', minify: isRelease, sourcemap: !isRelease };

if (process.argv.includes('--watch')) {
  for (const bundle of [...bundles, hostTests]) {
    const watched = await context({ ...shared, ...bundle });
    await watched.rebuild();
    await watched.watch();
  }
  console.log('Built. Each change is built at once.');
} else {
  const packaged = bundles.map((bundle) => build({ ...shared, ...bundle, metafile: true }));
  await Promise.all([...packaged, build({ ...shared, ...hostTests })]);
  const metafiles = (await Promise.all(packaged)).map(({ metafile }) => metafile);
  await writeFile(noticesFile, await noticesOf(packagesIn(metafiles)));
}

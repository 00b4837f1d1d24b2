import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { script } from '../script.ts';
import { bundleFile, bundleOf, bundleText, sourcesOf } from './extract.ts';

/** `npm run l10n`: writes the texts that the code has now. */
await script(async () => {
  const bundle = bundleOf(sourcesOf('base', 'exchange', 'account', 'protocol', 'host'));
  await mkdir(path.dirname(bundleFile), { recursive: true });
  await writeFile(bundleFile, bundleText(bundle));
  console.log(`${Object.keys(bundle).length} texts`);
  return 0;
});

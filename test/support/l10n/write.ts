import { updateFile } from '../project.ts';
import { script } from '../script.ts';
import { bundleFile, bundleOf, bundleText, sourcesOf } from './extract.ts';

/** `npm run l10n`: writes the texts that the code has now. */
await script(async () => {
  const bundle = bundleOf(sourcesOf('base', 'exchange', 'account', 'protocol', 'host'));
  await updateFile(bundleFile, bundleText(bundle));
  console.log(`${Object.keys(bundle).length} texts`);
  return 0;
});

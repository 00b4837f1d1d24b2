import { writeFile } from 'node:fs/promises';
import { packageFile, packageWithSchema } from './profileJsonSchema.ts';
import { script } from './script.ts';

/** `npm run schema`: writes the JSON schema of profiles into package.json. */
await script(async () => {
  await writeFile(packageFile, packageWithSchema());
  return 0;
});

import { packageFile, packageWithSchema } from './profileJsonSchema.ts';
import { updateFile } from './project.ts';
import { script } from './script.ts';

/** `npm run schema`: writes the JSON schema of profiles into package.json. */
await script(async () => {
  await updateFile(packageFile, packageWithSchema());
  return 0;
});

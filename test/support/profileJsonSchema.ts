import { toJsonSchema } from '@valibot/to-json-schema';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { freeHeader, freeParameter } from '../../src/exchange/auth/templates.ts';
import { profileSchema } from '../../src/host/profiles/profileSchema.ts';
import { projectRoot } from './project.ts';

export type Schema = Readonly<Record<string, unknown>>;

export const packageFile = path.join(projectRoot, 'package.json');

const setting = 'marginDesk.profiles';

type Manifest = {
  contributes: { configuration: { properties: Record<string, Schema> } };
};

/** The JSON schema of the setting of profiles in package.json. */
export function schemaInPackage(): Schema {
  const manifest = JSON.parse(readFileSync(packageFile, 'utf8')) as Manifest;
  return manifest.contributes.configuration.properties[setting] ?? {};
}

/** package.json with the schema that the parser of profiles has. */
export function packageWithSchema(): string {
  const manifest = JSON.parse(readFileSync(packageFile, 'utf8')) as Manifest;
  const { properties } = manifest.contributes.configuration;
  properties[setting] = { ...properties[setting], additionalProperties: profileJsonSchema() };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** The JSON schema of a profile, with its texts by the path of each field. */
export function profileJsonSchema(): Schema {
  const options = { typeMode: 'output', errorMode: 'ignore' } as const;
  const schema = toJsonSchema(profileSchema, options);
  delete schema.$schema;
  return described({ ...schema }, ['profile']);
}

/** What VS Code says of a text that breaks a pattern. */
const problems: Readonly<Record<string, string>> = {
  [freeHeader.source]: '%profile.problem.header%',
  [freeParameter.source]: '%profile.problem.parameter%',
};

function described(schema: Schema, at: readonly string[]): Schema {
  const { properties, required, pattern, ...others } = schema;
  const fields = Object.entries((properties ?? {}) as Record<string, Schema>);
  const isNeeded = Array.isArray(required) && required.length > 0;
  return {
    ...others,
    ...(isNeeded && { required }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        fields.map(([name, field]) => [name, described(field, [...at, name])]),
      ),
    }),
    ...(typeof pattern === 'string' && {
      pattern,
      patternErrorMessage: problems[pattern] ?? `%profile.problem.${at.at(-1)}%`,
    }),
    ...(at.length > 1 && { markdownDescription: `%${at.join('.')}%` }),
  };
}

import * as v from 'valibot';
import { defaultDialect } from '../../exchange/dialect/dialect.ts';
import { authSchema } from './authSchema.ts';
import { addressCure, choice, noList, objectCure } from './schemaParts.ts';

const environments = ['live', 'test'] as const;

const dialectSchema = v.pipe(
  noList(),
  v.strictObject(
    {
      firstPage: v.optional(choice([0, 1]), defaultDialect.firstPage),
      dates: v.optional(
        choice(['epochMs', 'epochS', 'isoInstant', 'isoLocal', 'isoDate']),
        defaultDialect.dates,
      ),
      lists: v.optional(choice(['repeat', 'comma', 'brackets']), defaultDialect.lists),
    },
    objectCure,
  ),
);

/** One field of the setting `marginDesk.profiles`. */
export const profileSchema = v.strictObject(
  {
    baseUrl: v.string(addressCure),
    environment: v.optional(choice(environments), 'live'),
    readOnly: v.optional(v.boolean('write true or false.'), false),
    auth: v.optional(authSchema, {}),
    dialect: v.optional(dialectSchema, {}),
  },
  objectCure,
);

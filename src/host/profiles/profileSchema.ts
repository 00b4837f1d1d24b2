import * as v from 'valibot';
import { authSchema } from './authSchema.ts';
import { dialectSchema } from './dialectSchema.ts';
import { addressCure, choice, flagCure, objectCure } from './schemaParts.ts';

const environments = ['live', 'test'] as const;

/** One field of the setting `marginDesk.profiles`. */
export const profileSchema = v.strictObject(
  {
    baseUrl: v.string(addressCure),
    environment: v.optional(choice(environments), 'live'),
    readOnly: v.optional(v.boolean(flagCure), false),
    auth: v.optional(authSchema, {}),
    dialect: v.optional(dialectSchema, {}),
  },
  objectCure,
);

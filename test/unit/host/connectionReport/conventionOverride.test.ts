import assert from 'node:assert/strict';
import { conventionNames } from '../../../../src/exchange/conventions/apiConventions.ts';
import { parseProfile } from '../../../../src/host/profiles/parseProfile.ts';
import { conventionChoices } from '../../../../src/host/profiles/profileSchema.ts';

describe('the values that a convention can be overridden with', () => {
  for (const name of conventionNames)
    it(`are valid in settings: ${name}`, () => {
      const values = conventionChoices[name];
      assert.ok(values.length > 1);
      for (const value of values) {
        const entry = { baseUrl: 'https://host.example', dialect: { [name]: value } };
        assert.deepEqual(parseProfile('Main', entry).dialect[name], value);
      }
    });
});

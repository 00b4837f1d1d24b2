import { checkWalkProperty, walkProperties } from '../support/walkProperties.ts';

describe('a walk over thousands of random histories', () => {
  for (const property of walkProperties)
    it(property.title, () => checkWalkProperty(property, { numRuns: 2000 })).timeout(600_000);
});

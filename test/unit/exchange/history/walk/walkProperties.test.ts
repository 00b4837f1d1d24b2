import { checkWalkProperty, walkProperties } from '../../../../support/walkProperties.ts';

describe('a walk over fixed random histories', () => {
  for (const property of walkProperties)
    it(property.title, () => checkWalkProperty(property, { numRuns: 50, seed: 1 }));
});

import { testEveryPage } from '../pages/everyPage.ts';

describe('the pages at every width', () => testEveryPage({ isSoak: false }));

import { testEveryPage } from '../pages/everyPage.ts';

describe('the pages in ten themes', () => testEveryPage({ isSoak: true }));

import type { Mutant } from './mutant.ts';

export const baseMutants: readonly Mutant[] = [
  {
    fault: 'An interval contains the moment where it ends.',
    file: 'base/interval.ts',
    from: 'return from <= moment && moment < to;',
    to: 'return from <= moment && moment <= to;',
    killedBy: 'unit/base/interval.test.ts',
  },
  {
    fault: 'Two intervals that touch stay two.',
    file: 'base/interval.ts',
    from: 'if (!last || last.to < from)',
    to: 'if (!last || last.to <= from)',
    killedBy: 'unit/base/interval.test.ts',
  },
  {
    fault: 'An interval does not cover one that begins with it.',
    file: 'base/interval.ts',
    from: 'each.from <= from && to <= each.to',
    to: 'each.from < from && to <= each.to',
    killedBy: 'unit/base/interval.test.ts',
  },
  {
    fault: 'A masked percentage shows the sign of its figure.',
    file: 'base/display.ts',
    from: 'if (figure === null || this.hides(field)) return this.shortPercent(field, figure);',
    to: 'if (figure === null) return this.shortPercent(field, figure);',
    killedBy: 'unit/base/display.test.ts',
  },
  {
    fault: 'A loss shows a digit less than a gain.',
    file: 'base/decimal.ts',
    from: 'const significant = isFraction ? zeros + 4 : 4 - (point - start);',
    to: 'const significant = isFraction ? zeros + 4 : 4 - point;',
    killedBy: 'unit/base/decimal.test.ts',
  },
  {
    fault: 'A text that is just as long as it may be loses its last characters.',
    file: 'base/cleanText.ts',
    from: 'return clean.length > maxLength ?',
    to: 'return clean.length >= maxLength ?',
    killedBy: 'unit/base/cleanText.test.ts',
  },
  {
    fault: 'A file that is named after an account is hidden if the name begins with a point.',
    file: 'base/cleanText.ts',
    from: ".replace(/^[-.]+|[-.]+$/g, '')",
    to: ".replace(/[-.]+$/g, '')",
    killedBy: 'unit/base/cleanText.test.ts',
  },
  {
    fault: 'A page that is loaded a second time gets the first answer of the first time.',
    file: 'base/rpc.ts',
    from: '    this.forgetExpected();\n    const isExpected =',
    to: '    const isExpected =',
    killedBy: 'unit/protocol/rpc.test.ts',
  },
  {
    fault: 'The P&L of a bot is shown in privacy mode.',
    file: 'base/fieldPrivacy.ts',
    from: "botPnl: 'private'",
    to: "botPnl: 'public'",
    killedBy: 'unit/api/fields.test.ts',
  },
];

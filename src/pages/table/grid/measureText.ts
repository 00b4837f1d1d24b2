import type { Measure } from './columnFits.ts';

/** Measures in the font of an element. */
export function measureIn(element: Element): Measure {
  const { font } = getComputedStyle(element);
  const context = document.createElement('canvas').getContext('2d');
  return (text, isBold) => {
    if (!context) return text.length * 8;
    context.font = isBold ? `600 ${font.replace(/\b(?:normal|bold|\d{3})\s/g, '')}` : font;
    return context.measureText(text).width;
  };
}

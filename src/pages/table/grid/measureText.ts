import type { Measure } from './columnFits.ts';

/** Measures in the font of an element, as it is when the first text is measured. */
export function measureIn(element: Element): Measure {
  const fonts = { plain: '', bold: '' };
  const context = document.createElement('canvas').getContext('2d');
  return (text, isBold) => {
    if (!context) return text.length * 8;
    if (fonts.plain === '') {
      const { fontSize, fontFamily } = getComputedStyle(element);
      fonts.plain = `${fontSize} ${fontFamily}`;
      fonts.bold = `600 ${fonts.plain}`;
    }
    context.font = isBold ? fonts.bold : fonts.plain;
    return context.measureText(text).width;
  };
}

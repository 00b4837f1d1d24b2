import assert from 'node:assert/strict';
import manifest from '../../package.json' with { type: 'json' };

type Kind = keyof (typeof manifest.contributes.colors)[number]['defaults'];

/** Editor and side bar, which are where views stand, of the themes that come with VS Code, by their kind. */
const backgrounds: Readonly<Record<Kind, readonly (readonly [theme: string, ...string[]])[]>> = {
  dark: [
    ['Dark Modern', '#1f1f1f', '#181818'],
    ['Dark 2026', '#121314', '#191a1b'],
    ['Dark+, Visual Studio Dark', '#1e1e1e', '#252526'],
    ['Abyss', '#000c18', '#060621'],
    ['Kimbie Dark', '#221a0f', '#362712'],
    ['Monokai', '#272822', '#1e1f1c'],
    ['Monokai Dimmed', '#1e1e1e', '#272727'],
    ['Red', '#390000', '#330000'],
    ['Solarized Dark', '#002b36', '#00212b'],
    ['Tomorrow Night Blue', '#002451', '#001c40'],
  ],
  light: [
    ['Light Modern', '#ffffff', '#f8f8f8'],
    ['Light 2026', '#ffffff', '#fafafd'],
    ['Light+, Visual Studio Light', '#ffffff', '#f3f3f3'],
    ['Quiet Light', '#f5f5f5', '#f2f2f2'],
    ['Solarized Light', '#fdf6e3', '#eee8d5'],
  ],
  highContrast: [['Default High Contrast', '#000000']],
  highContrastLight: [['Default High Contrast Light', '#ffffff']],
};

/** What WCAG 2.2 asks for text (1.4.3): an arrow is as thin. */
const leastRatio = 4.5;

describe('the contributed colours', () => {
  it('can be read on every theme that comes with VS Code', () => {
    const faint = manifest.contributes.colors.flatMap(({ id, defaults }) =>
      (Object.keys(backgrounds) as Kind[]).flatMap((kind) =>
        backgrounds[kind].flatMap(([theme, ...behind]) =>
          behind
            .map((background) => contrast(defaults[kind], background))
            .filter((ratio) => ratio < leastRatio)
            .map((ratio) => `${id} on ${theme}: ${ratio.toFixed(2)}`),
        ),
      ),
    );
    assert.deepEqual(faint, []);
  });

  it('are measured as WCAG measures', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21);
    assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
  });
});

/** The contrast ratio of two colours, from 1 to 21. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

import type { Locator, Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { webview } from './webview.ts';

/** The filters of the panel in front, used as a person uses them. */
export class PanelFilters {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** The button of a filter; one that is always set shows its option too. */
  button(label: string): Locator {
    return webview(this.page).getByRole('button', { name: new RegExp(`^${label}(?:: |$)`) });
  }

  /** Types a text and presses Enter; again if the panel was loaded anew meanwhile, as after a change of privacy. */
  async type(label: string, text: string): Promise<void> {
    const field = webview(this.page).getByRole('combobox', { name: label });
    const timeout = 3000;
    await eventually(`the filter ${label}`, async () => {
      if (!(await field.isVisible())) await this.button(label).click({ timeout });
      await field.fill(text, { timeout });
      await field.press('Enter', { timeout });
      return true;
    });
  }

  /** Again if the panel was loaded anew while its menu was open. */
  async choose(label: string, option: string): Promise<void> {
    const item = webview(this.page).getByRole('menuitemradio', { name: option, exact: true });
    const timeout = 3000;
    await eventually(`the option ${option} of ${label}`, async () => {
      if (!(await item.isVisible())) await this.button(label).click({ timeout });
      await item.click({ timeout });
      return true;
    });
  }
}

// Counts the clicks of a journey. Keys and typing count nothing.
import type { Locator, Page } from 'playwright-core'
import { openScreen } from './inspector-page.ts'

export class Clicks {
  readonly #page: Page
  count = 0

  constructor(page: Page) {
    this.#page = page
  }

  async on(element: Locator): Promise<void> {
    this.count += 1
    await element.click()
  }

  /** Opens a screen by the rail, which takes one click. */
  async screen(label: string): Promise<void> {
    this.count += 1
    await openScreen(this.#page, label)
  }
}

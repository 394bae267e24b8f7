// Sets up the tests of the inspector: an emulator with the clinics demo, Chromium, and one tab. Test files in the same worker
// share all three, because their start takes longer than most tests.
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import type { EmulatorConfig } from '../../emulator/index.ts'
import { CHROMIUM, CHROMIUM_HINT, workerChromium } from './chromium.ts'
import { type InspectorPage, type Look, openTab } from './inspector-page.ts'
import { startTestEmulator, type TestEmulator } from './test-emulator.ts'
import { endWithWorker } from './worker-emulator.ts'

export interface InspectorWorld {
  readonly at: TestEmulator
  /** `http://127.0.0.1:<port>/_emulator`, to which a screen's path is added. */
  readonly url: string
  readonly browser: Browser
  /**
   * Opens a screen in the worker's tab. The test uses the tab until its end. The page must then have reported no unexpected
   * errors.
   */
  open(path?: string, options?: OpenOptions): Promise<InspectorPage>
  /** Allows errors of the page that this test provokes. */
  allow(...complaints: readonly RegExp[]): void
  /** Changes the theme or the size of the worker's tab, without leaving the screen. */
  look(look: Look): Promise<void>
  /** Writes pictures of the tab, see `InspectorPage.shoot`. */
  shoot(name: string): Promise<void>
}

export interface OpenOptions extends Look {
  /**
   * Loads the page as for a typed address. By default, the tab opens the screen within the loaded page, which takes a tenth of
   * the time.
   */
  readonly isFresh?: boolean
  /** What to do with the page before it goes to the screen, for example intercept requests. */
  readonly before?: (page: Page) => Promise<unknown>
}

/** Defines tests on the worker's emulator, in the state after the demo was applied. */
export function describeInspector(title: string, tests: (world: InspectorWorld) => void): void {
  describeWorld(title, tests, new World(sharedDemo))
}

/** Defines tests on a separate emulator, for tests that move the clock, arm faults, reset or apply fixtures. */
export function describeOwnInspector(
  title: string,
  tests: (world: InspectorWorld) => void,
  config: EmulatorConfig = {},
): void {
  describeWorld(title, tests, new World(() => startDemo(config)))
}

function describeWorld(title: string, tests: (world: InspectorWorld) => void, world: World): void {
  describe.skipIf(CHROMIUM === undefined)(`${title}${CHROMIUM_HINT}`, () => {
    beforeAll(() => world.start())
    afterEach(({ task }) => world.endTest(task.result?.state === 'fail'))
    afterAll(() => world.stop())
    tests(world)
  })
}

let shared: Promise<TestEmulator> | undefined
let tab: InspectorPage | undefined

class World implements InspectorWorld {
  readonly #startEmulator: () => Promise<TestEmulator>
  #started: { readonly at: TestEmulator; readonly browser: Browser } | undefined
  #allowed: RegExp[] = []
  /** Whether the emulator may have changed since the page was loaded or opened its screen. */
  #hasChanged = true

  constructor(startEmulator: () => Promise<TestEmulator>) {
    this.#startEmulator = startEmulator
  }

  get at(): TestEmulator {
    return this.#present.at
  }

  get browser(): Browser {
    return this.#present.browser
  }

  get url(): string {
    return `${this.at.url}/_emulator`
  }

  async start(): Promise<void> {
    const at = await this.#startEmulator()
    this.#hasChanged = true
    const call: TestEmulator['call'] = (method, path, options) => {
      this.#hasChanged ||= method !== 'GET'
      return at.call(method, path, options)
    }
    this.#started = { at: { ...at, call }, browser: await workerChromium() }
  }

  async stop(): Promise<void> {
    if (this.#startEmulator === sharedDemo) return
    await closeTab()
    await this.#started?.at[Symbol.asyncDispose]()
  }

  async open(path = '/', options: OpenOptions = {}): Promise<InspectorPage> {
    const { isFresh = false, before, ...look } = options
    if (tab?.page.url().startsWith(this.url) !== true) await closeTab()
    const isLoaded = tab !== undefined
    tab ??= await openTab(this.browser)
    if (isLoaded) await tab.leave()
    await tab.look(look)
    await before?.(tab.page)
    // A screen reuses data for two seconds after it has read the data (renderer/api/query-client.ts).
    const needsLoad = isFresh || this.#hasChanged
    this.#hasChanged = false
    if (isLoaded && !needsLoad) await tab.enter(this.url + path)
    else await tab.load(this.url + path)
    return tab
  }

  allow(...complaints: readonly RegExp[]): void {
    this.#allowed.push(...complaints)
  }

  async look(look: Look): Promise<void> {
    await tab?.look(look)
  }

  async shoot(name: string): Promise<void> {
    await tab?.shoot(name)
  }

  /** Closes the tab after a failed test, because the test may have stopped anywhere. */
  async endTest(hasFailed: boolean): Promise<void> {
    const allowed = this.#allowed.splice(0)
    if (hasFailed) return closeTab()
    await tab?.page.unrouteAll({ behavior: 'ignoreErrors' })
    tab?.expectSilence(allowed)
  }

  get #present(): { readonly at: TestEmulator; readonly browser: Browser } {
    if (this.#started === undefined) throw new Error('The tests have not started yet.')
    return this.#started
  }
}

async function closeTab(): Promise<void> {
  const closed = tab
  tab = undefined
  await closed?.[Symbol.asyncDispose]()
}

/** Returns the emulator of this worker, in the state after the demo was applied. The emulator ends with the worker's process. */
async function sharedDemo(): Promise<TestEmulator> {
  if (shared === undefined) {
    endWithWorker()
    shared = startDemo()
  }
  const at = await shared
  await at.emulator.reset()
  return at
}

async function startDemo(config: EmulatorConfig = {}): Promise<TestEmulator> {
  const at = await startTestEmulator(config)
  await at.emulator.applyFixture('fixtures/clinics')
  return at
}

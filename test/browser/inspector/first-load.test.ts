// What the browser has to load before the first screen can be used, and what it refuses to run.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, CHROMIUM_HINT } from '../../support/chromium.ts'
import { type InspectorWorld, startInspector } from '../../support/inspector-page.ts'

/** Bytes of script on the wire for the shell and its first screen. */
const SCRIPT_BUDGET = 300 * 1_024

describe.skipIf(CHROMIUM === undefined)(`the inspector’s first load${CHROMIUM_HINT}`, () => {
  let world: InspectorWorld
  beforeAll(async () => {
    world = await startInspector()
  })
  afterAll(() => world?.[Symbol.asyncDispose]())

  it('takes at most 300 KB of compressed script', async () => {
    await using opened = await world.open('/')
    await opened.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()

    const { scriptBytes, interactiveMillis } = await opened.page.evaluate(() => ({
      scriptBytes: performance
        .getEntriesByType('resource')
        .filter((entry): entry is PerformanceResourceTiming => /\.js$/.test(entry.name))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      interactiveMillis: Math.round(performance.now()),
    }))

    console.log(
      `first screen: ${Math.round(scriptBytes / 1_024)} KB of script, usable after ${interactiveMillis} ms`,
    )
    expect(scriptBytes).toBeGreaterThan(0)
    expect(scriptBytes).toBeLessThanOrEqual(SCRIPT_BUDGET)
  })

  it('runs no script injected into the page', async () => {
    await using opened = await world.open('/')

    const ran = await opened.page.evaluate(async () => {
      const inline = document.createElement('script')
      inline.textContent = 'globalThis.slippedIn = "inline"'
      document.body.append(inline)
      const image = document.createElement('div')
      image.innerHTML = '<img src="x" onerror="globalThis.slippedIn = \'handler\'">'
      document.body.append(image)
      const foreign = document.createElement('script')
      foreign.src = 'data:text/javascript,globalThis.slippedIn="data"'
      document.body.append(foreign)
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))
      return Reflect.get(globalThis, 'slippedIn')
    })

    expect(ran).toBeUndefined()
  })

  it('is not shown in a frame of another site', async () => {
    const answer = await fetch(`${world.url}/`)

    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })
})

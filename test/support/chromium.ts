// A real browser for test/browser: the system's Chromium, driven by playwright-core.
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

// The first is the same engine without windows, and opens pages in half the time.
const USUAL_PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The executable: what the variable CHROMIUM names, else where a system has it; `undefined` when there is none. */
export const CHROMIUM: string | undefined = (
  process.env['CHROMIUM'] === undefined ? USUAL_PLACES : [process.env['CHROMIUM']]
).find((path) => existsSync(path))

/** What to do about its absence; a part of the title of skipped tests. */
export const CHROMIUM_HINT =
  CHROMIUM === undefined
    ? ' (skipped: no Chromium here; "apt-get install chromium-headless-shell", or name another one with CHROMIUM=/path/to/it)'
    : ''

export function launchChromium(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error(`Chromium is needed${CHROMIUM_HINT}`)
  return chromium.launch({
    executablePath: CHROMIUM,
    // A container's root has no sandbox; nothing but the test's own servers is to be reached.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

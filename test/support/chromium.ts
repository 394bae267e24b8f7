// A real browser for test/browser: the system's Chromium, driven by playwright-core.
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

// The first path is the same engine without windows, which opens pages in half the time.
const USUAL_PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The path in the variable CHROMIUM, or the first usual place with a browser; `undefined` when no browser is installed. */
export const CHROMIUM: string | undefined = (
  process.env['CHROMIUM'] === undefined ? USUAL_PLACES : [process.env['CHROMIUM']]
).find((path) => existsSync(path))

/** Explains in the titles of skipped tests how to install a browser. */
export const CHROMIUM_HINT =
  CHROMIUM === undefined
    ? ' (skipped: no Chromium here; "apt-get install chromium-headless-shell", or name another one with CHROMIUM=/path/to/it)'
    : ''

let shared: Promise<Browser> | undefined

/** Returns the Chromium of this worker, which ends with the worker's process. */
export async function workerChromium(): Promise<Browser> {
  shared ??= launchChromium()
  const browser = await shared
  if (browser.isConnected()) return browser
  shared = undefined
  return workerChromium()
}

function launchChromium(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error(`Chromium is needed${CHROMIUM_HINT}`)
  return chromium.launch({
    executablePath: CHROMIUM,
    // Chromium's sandbox does not work for the root user of a container. The tests open only their own servers.
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

// The test of the desktop app (test/browser/desktop/journey.test.ts) with the real Electron binary. `npx install-electron --no`
// downloads the binary; the suite is skipped without it. On a machine without a screen, run `xvfb-run npm test -- --project
// desktop`.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ElectronApplication, _electron as electron } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'

const BINARY = electronBinary()
const HINT =
  BINARY === undefined ? ' (skipped: no Electron here; "npx install-electron --no" brings it)' : ''

describe.skipIf(BINARY === undefined)(`the desktop app on Electron${HINT}`, () => {
  let app: ElectronApplication | undefined
  afterEach(() => app?.close())

  async function start(): Promise<ElectronApplication> {
    const userData = mkdtempSync(join(tmpdir(), 'tenantry-user-'))
    app = await electron.launch({
      ...(BINARY === undefined ? {} : { executablePath: BINARY }),
      args: ['.', `--user-data-dir=${userData}`, '--no-sandbox'],
    })
    return app
  }

  it('shows the inspector of a demo workspace', async () => {
    const window = await (await start()).firstWindow()

    await window.waitForURL(/\/_emulator\/$/)
    await window.getByRole('navigation', { name: 'Screens' }).waitFor()
  })

  it('exposes only the app’s bridge to pages, and no Node.js globals', async () => {
    const window = await (await start()).firstWindow()
    await window.waitForURL(/\/_emulator\/$/)

    const seen = await window.evaluate(() => ({
      bridge: Object.keys(Reflect.get(globalThis, 'tenantryDesktop')).sort(),
      node: ['require', 'process', 'module', 'Buffer'].filter((name) => name in globalThis),
    }))

    expect(seen).toEqual({
      bridge: ['onState', 'run', 'setTheme', 'state', 'workspaces'],
      node: [],
    })
  })

  it('has the menus Workspace, Edit, Emulator, View and Window', async () => {
    const running = await start()
    await (await running.firstWindow()).waitForURL(/\/_emulator\/$/)

    const labels = await running.evaluate(({ Menu }) =>
      Menu.getApplicationMenu()?.items.map(({ label }) => label),
    )

    expect(labels).toEqual(
      expect.arrayContaining(['Workspace', 'Edit', 'Emulator', 'View', 'Window']),
    )
  })
})

// Reads the path from the package's file, because importing the package would start a download.
function electronBinary(): string | undefined {
  const pathFile = 'node_modules/electron/path.txt'
  if (!existsSync(pathFile)) return undefined
  const binary = join('node_modules/electron/dist', readFileSync(pathFile, 'utf8'))
  return existsSync(binary) ? binary : undefined
}

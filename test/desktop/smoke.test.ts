// The same journey with the real binary. It is not downloaded with the packages: `npx install-electron --no` brings it, and this
// suite runs by itself from then on. On a machine without a screen: `xvfb-run npm test -- --project desktop`.
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

  it('gives pages only the bridge of the app, and no Node', async () => {
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

  it('has the menus of the platform', async () => {
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

// Asking the package itself would start a download.
function electronBinary(): string | undefined {
  const pathFile = 'node_modules/electron/path.txt'
  if (!existsSync(pathFile)) return undefined
  const binary = join('node_modules/electron/dist', readFileSync(pathFile, 'utf8'))
  return existsSync(binary) ? binary : undefined
}

// The desktop app from its first start to its last quit. Chromium replaces the app's window.
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { DesktopBridge } from '../../../main/bridge.ts'
import type { Desktop } from '../../../main/desktop.ts'
import { startDesktop } from '../../../main/main.ts'
import { CHROMIUM, CHROMIUM_HINT, workerChromium } from '../../support/chromium.ts'
import { createStandIn, type StandIn, type StandInOptions } from '../../support/desktop-stand-in.ts'
import { until } from '../../support/until.ts'

declare global {
  interface Window {
    readonly tenantryDesktop: DesktopBridge
  }
}

describe.skipIf(CHROMIUM === undefined)(`the desktop app${CHROMIUM_HINT}`, () => {
  interface App {
    readonly standIn: StandIn
    readonly desktop: Desktop
  }

  const userData = mkdtempSync(join(tmpdir(), 'tenantry-user-'))
  const others: StandIn[] = []
  let kept: App | undefined

  afterEach(async ({ task }) => {
    for (const standIn of others.splice(0)) await standIn.quit()
    if (task.result?.state === 'fail') await quit()
  })
  afterAll(() => quit())

  /** Returns the app that an earlier test left running. Otherwise starts the app again for the same user. */
  async function running(): Promise<App> {
    kept ??= await start({ userData })
    return kept
  }
  async function quit(): Promise<void> {
    const ending = kept
    kept = undefined
    await ending?.standIn.quit()
  }
  async function startOther(options: StandInOptions): Promise<App> {
    const app = await start(options)
    others.push(app.standIn)
    return app
  }
  async function start(options: StandInOptions): Promise<App> {
    const standIn = await createStandIn(await workerChromium(), options)
    rememberFreePort(standIn.userData)
    const desktop = await startDesktop(standIn.port, {
      pagesUrl: standIn.pagesUrl,
      demoFixture: 'fixtures/clinics',
      now: () => '2026-11-21T12:00:00.000Z',
    })
    if (desktop === undefined) throw new Error('The app thinks it runs already.')
    const page = await standIn.page()
    if (desktop.state.phase === 'ready')
      await page.getByRole('navigation', { name: 'Screens' }).waitFor()
    return { standIn, desktop }
  }

  it('shows the inspector of a demo workspace at the first start', async () => {
    const { standIn } = await running()

    const page = await standIn.page()

    expect(page.url()).toMatch(/\/_emulator\/$/)
    expect(standIn.seen.tooltip).toBe('Tenantry: Demo is running')
    expect(readdirSync(join(standIn.userData, 'workspaces'))).toEqual(['Demo'])
  })

  it('brings the first window to the front and follows the link when it is started again', async () => {
    const { standIn } = await running()
    const page = await standIn.page()

    standIn.secondStart(['/usr/bin/tenantry', 'tenantry://view/mailbox'])

    await page.waitForURL(/\/_emulator\/mailbox$/)
  })

  it('opens the documentation of its emulator in the browser', async () => {
    const { standIn, desktop } = await running()
    standIn.seen.openedOutside.length = 0

    standIn.clickMenu('Help', 'Documentation')

    await until(() => standIn.seen.openedOutside.length === 1)
    expect(standIn.seen.openedOutside).toEqual([`${desktop.origin}/_emulator/docs/`])
    standIn.seen.openedOutside.length = 0
  })

  it('lets no page navigate to another address', async () => {
    const { standIn } = await running()
    const page = await standIn.page()

    await page.evaluate(() => {
      location.href = 'https://elsewhere.test/'
    })
    await until(() => standIn.seen.openedOutside.length === 1)

    expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/_emulator\//)
    expect(standIn.seen.openedOutside).toEqual(['https://elsewhere.test/'])
  })

  it('refuses a page that sends a command reserved for menus', async () => {
    const { standIn, desktop } = await running()
    const page = await standIn.page()
    const quit = page.evaluate(() =>
      window.tenantryDesktop.run({ kind: 'open_fixture', path: '/etc' }).catch(String),
    )

    expect(await quit).toMatch(/invalid/i)
    expect(desktop.state.phase).toBe('ready')
  })

  it('shows a notification for each mailbox message after the user switches notifications on', async () => {
    const { standIn, desktop } = await running()
    const ask = () => requestCode(desktop)
    await ask()

    standIn.clickMenu('Emulator', 'Notify about new messages')
    await desktop.run({ kind: 'focus' })
    await ask()

    expect(standIn.seen.notices.map(({ title }) => title)).toEqual(['E-mail to ana@patients.test'])
  })

  it('keeps tenants when the menu restarts the emulator', async () => {
    const { standIn, desktop } = await running()
    standIn.clickMenu('Workspace', 'Copy .env')
    await until(() => standIn.seen.copied.length === 1)

    standIn.clickMenu('Emulator', 'Restart')
    await until(() => desktop.state.phase !== 'ready')
    await until(() => desktop.state.phase === 'ready')
    standIn.clickMenu('Workspace', 'Copy .env')
    await until(() => standIn.seen.copied.length === 2)

    const key = (text: string | undefined) => /TENANTRY_GROUP_ID=(\S+)/.exec(text ?? '')?.[1]
    expect(key(standIn.seen.copied[0])).toBeDefined()
    expect(key(standIn.seen.copied[1])).toBe(key(standIn.seen.copied[0]))
  })

  it('creates, duplicates and removes workspaces on the Workspaces page', async () => {
    const { standIn, desktop } = await running()
    standIn.clickMenu('Workspace', 'New or open…')
    const page = await standIn.page()
    await page.getByRole('heading', { name: 'Workspaces' }).waitFor()

    await page.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByRole('navigation', { name: 'Screens' }).waitFor()
    expect(desktop.state.workspace?.name).toBe('Demo copy')
    standIn.clickMenu('Workspace', 'New or open…')
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Demo copy' })
      .getByRole('button', { name: 'Remove' })
      .click()
    await until(() => desktop.workspaces().length === 1)
    await page.getByLabel('Name of a new workspace').fill('con')
    await page.getByRole('button', { name: 'Create' }).click()

    await page.getByRole('alert').filter({ hasText: 'not allow this name' }).waitFor()
    await page.getByLabel('Name of a new workspace').fill('Second')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('navigation', { name: 'Screens' }).waitFor()
    expect(desktop.state.workspace?.name).toBe('Second')
  })

  it('opens a double-clicked bundle beside the workspace after the user confirms', async () => {
    const { desktop, standIn } = await running()
    const made = await fetch(`${desktop.origin}/_emulator/v1/bundles`, { method: 'POST' })
    standIn.seen.openedOutside.length = 0
    const path = join(standIn.userData, 'bug.tenantry')
    writeFileSync(path, new Uint8Array(await made.arrayBuffer()))

    standIn.person.confirms = false
    standIn.openTarget(path)
    await desktop.run({ kind: 'focus' })
    expect(standIn.seen.openedOutside).toEqual([])
    standIn.person.confirms = true
    standIn.openTarget(path)
    await until(() => standIn.seen.openedOutside.length > 0)

    const [address = ''] = standIn.seen.openedOutside
    expect(new URL(address).origin).not.toBe(desktop.origin)
    const answer = await fetch(new URL('/_emulator/v1/bundles/opened', address))
    expect(await answer.json()).toMatchObject({ opened: { file: 'bug.tenantry' } })
    expect(desktop.state.phase).toBe('ready')
    await quit()
    await expect(fetch(address)).rejects.toThrow()
  })

  it('quits despite open connections, and releases the data directory at once', async () => {
    const { desktop } = await running()
    const origin = desktop.origin ?? ''
    const waiting = fetch(`${origin}/_emulator/v1/mailbox/next?timeout_ms=60000`).catch(() => 'cut')
    await quit()

    expect(await waiting).toBe('cut')
    const again = await running()
    expect(again.desktop.state.phase).toBe('ready')
  })

  it('remembers the theme chosen in the inspector for the next start', async () => {
    const { standIn } = await running()
    const page = await standIn.page()
    await page.evaluate(() => window.tenantryDesktop.setTheme('light'))
    await quit()

    const again = await running()

    expect(standIn.seen.themes).toEqual(['system', 'light'])
    expect(again.standIn.seen.themes).toEqual(['light'])
  })

  it('reports a workspace that another app has open, and opens the workspace after the other app quits', async () => {
    const first = await running()
    const folder = first.desktop.state.workspace?.folder ?? ''
    const { standIn } = await startOther({ argv: [`tenantry://workspace?folder=${folder}`] })
    const page = await standIn.page()
    await page.getByRole('heading', { name: 'The workspace is open elsewhere' }).waitFor()

    await quit()
    await page.getByRole('button', { name: 'Try again' }).click()

    await page.getByRole('navigation', { name: 'Screens' }).waitFor()
  })

  it('offers a free port when another program uses its port, and starts on the free port', async () => {
    const other = mkdtempSync(join(tmpdir(), 'tenantry-user-'))
    await using taken = await occupyPort()
    rememberFreePort(other, taken.port)
    const { standIn, desktop } = await startOther({ userData: other })
    const page = await standIn.page()
    await page.getByRole('heading', { name: 'Another program uses the port' }).waitFor()
    expect(await page.locator('main').innerText()).not.toContain('--port')

    await page.getByRole('button', { name: 'Use a free port' }).click()

    await page.getByRole('navigation', { name: 'Screens' }).waitFor()
    expect(desktop.state.phase).toBe('ready')
  })

  it('reports damaged data, leaves it unchanged and offers another workspace', async () => {
    const damaged = mkdtempSync(join(tmpdir(), 'tenantry-damaged-'))
    writeFileSync(join(damaged, 'platform.db'), 'this is no database')
    const { standIn } = await startOther({ argv: [`tenantry://workspace?folder=${damaged}`] })
    const page = await standIn.page()
    await page.getByRole('heading', { name: 'The workspace cannot be opened' }).waitFor()

    await page.getByRole('button', { name: 'Choose another workspace' }).click()

    await page.getByRole('heading', { name: 'Workspaces' }).waitFor()
    expect(readFileSync(join(damaged, 'platform.db'), 'utf8')).toBe('this is no database')
  })

  it('exits at once when the app already runs', async () => {
    const standIn = await createStandIn(await workerChromium(), { isFirst: false })

    const desktop = await startDesktop(standIn.port, {
      pagesUrl: standIn.pagesUrl,
      demoFixture: 'fixtures/clinics',
      now: () => '',
    })

    expect(desktop).toBeUndefined()
    expect(existsSync(join(standIn.userData, 'workspaces'))).toBe(false)
  })
})

// Makes the emulator of a test use a free port instead of the usual one, which another process may use.
function rememberFreePort(userData: string, port = 0): void {
  const file = join(userData, 'preferences.json')
  if (existsSync(file)) return
  writeFileSync(file, JSON.stringify({ port }))
}

async function occupyPort(): Promise<{ port: number } & AsyncDisposable> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port.')
  return {
    port: address.port,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function requestCode(desktop: Desktop): Promise<void> {
  const info = (await (await fetch(`${desktop.origin}/_emulator/v1/info`)).json()) as {
    groups: { tenants: { slug: string; anon_key: string }[] }[]
  }
  const tenant = info.groups[0]?.tenants[0]
  const answer = await fetch(`${desktop.origin}/auth/v1/otp/send`, {
    method: 'POST',
    headers: { apikey: tenant?.anon_key ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ana@patients.test' }),
  })
  expect(answer.status, await answer.text()).toBeLessThan(300)
}

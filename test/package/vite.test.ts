// tenantry/vite with the supported releases of Vite: the samples in React and Vue, in Chromium.
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, CHROMIUM_HINT, workerChromium } from '../support/chromium.ts'
import { spawnCliIn } from '../support/cli-process.ts'
import { answersRegistry, cachedInstall, copySample, NO_REGISTRY } from '../support/npm-registry.ts'
import { until } from '../support/until.ts'
import { runningIn, runVite, type ViteServer } from '../support/vite-server.ts'

const isOnline = await answersRegistry()
const HINT = isOnline ? CHROMIUM_HINT : ` (skipped: ${NO_REGISTRY})`

/** plugin-react 6 needs Vite 8, and plugin-react 5 works with the releases before. */
const VITES = [
  ['6', '5'],
  ['7', '5'],
  ['8', '6'],
] as const
const SAMPLES = ['vite-react', 'vite-vue'] as const

const install = (vite: string, react: string): string =>
  cachedInstall(`vite-${vite}`, [
    `vite@${vite}`,
    `@vitejs/plugin-react@${react}`,
    '@vitejs/plugin-vue@6',
    'react@19',
    'react-dom@19',
    'vue@3',
  ])
const MATRIX = VITES.flatMap(([vite, react]) => SAMPLES.map((sample) => ({ vite, react, sample })))
const ADDRESS = /http:\/\/localhost:\d+\//

describe.skipIf(!isOnline || CHROMIUM === undefined).each(MATRIX)(
  `the sample $sample with Vite $vite${HINT}`,
  ({ react, sample, vite: release }) => {
    let app = ''
    let vite: ViteServer
    let context: BrowserContext
    let page: Page
    const received: Promise<string>[] = []
    beforeAll(async () => {
      app = copySample(sample, install(release, react))
      vite = runVite(app, ['--port', '0'])
      const url = await vite.says(ADDRESS)
      context = await (await workerChromium()).newContext()
      page = await context.newPage()
      page.on('response', (response) => received.push(response.text().catch(() => '')))
      await page.goto(url)
    }, 280_000)
    afterAll(async () => {
      await context?.close()
      await vite?.end()
      rmSync(app, { recursive: true, force: true })
    })

    it('prints the address of the emulator below its own, and gives pages the tenant', async () => {
      await vite.says(/➜ {2}Tenantry: http:\/\/127\.0\.0\.1:\d+\/_emulator\/ \(tenant acme\)/)
      expect(await page.title()).toBe('Notes of acme')
    })

    it('lets a user sign in and read her rows, without any secret key in the page', async () => {
      await page.getByLabel('E-mail').fill('ana@acme.test')
      await page.getByLabel('Password').fill('acme-ana')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('listitem').filter({ hasText: 'Buy coffee' }).waitFor()
      const info = await (await fetch(`${runningIn(app)?.url}/_emulator/v1/info`)).json()
      const [{ group_api_key: group, tenants }] = info.groups
      const texts = (await Promise.all(received)).join('\n')
      expect(texts).toContain(tenants[0].anon_key)
      for (const secret of [group, tenants[0].service_role_key, tenants[0].management_key])
        expect(texts).not.toContain(secret)
    })

    it('logs a refused request with its reason', async () => {
      await page.getByLabel('Title').fill('forbidden')
      await page.getByRole('button', { name: 'Add note' }).click()
      expect(await vite.says(/\[vite\] .*\[tenantry\] 403 .*/)).toMatch(
        /403 42501 POST \/notes\S* as authenticated: .*owners add/,
      )
    })

    it('keeps the emulator while Vite restarts, and ends it with Vite', async () => {
      const before = runningIn(app)
      appendFileSync(join(app, 'vite.config.js'), '\n')
      await vite.says(/server restarted/)
      await page.reload()
      await page.getByRole('listitem').filter({ hasText: 'Buy coffee' }).waitFor()
      expect(runningIn(app)).toEqual(before)
      await vite.end()
      expect(runningIn(app)).toBeUndefined()
    })
  },
  280_000,
)

describe.skipIf(!isOnline)(
  `tenantry/vite${isOnline ? '' : HINT}`,
  () => {
    let app = ''
    let servers: ViteServer[] = []
    beforeAll(() => {
      const [vite, react] = VITES[2]
      app = copySample('vite-react', install(vite, react))
    }, 280_000)
    afterEach(async () => {
      for (const server of servers) await server.end('SIGKILL')
      servers = []
      await until(() => runningIn(app) === undefined)
      rmSync(join(app, '.tenantry'), { recursive: true, force: true })
    })
    afterAll(() => rmSync(app, { recursive: true, force: true }))

    function run(args: readonly string[] = ['--port', '0']): ViteServer {
      const server = runVite(app, args)
      servers.push(server)
      return server
    }

    it('ends the emulator when Vite is killed', async () => {
      const vite = run()
      await vite.says(ADDRESS)
      await vite.end('SIGKILL')
      await until(() => runningIn(app) === undefined)
    })

    it('uses the emulator that runs in the folder, and leaves it running', async () => {
      const cli = spawnCliIn(app, ['dev', '--port', '0', '--postgres-port', 'none', '--json'])
      await cli.ready
      const running = runningIn(app)
      const vite = run()
      await vite.says(new RegExp(`Tenantry: ${running?.url}`))
      await vite.end()
      expect(runningIn(app)).toEqual(running)
      cli.child.kill()
      await cli.ended
    })

    it.each([
      [
        'the emulator cannot start',
        "{ args: ['--engine', 'none-such'] }",
        /tenantry: .*'none-such' is invalid/,
      ],
      ['the options name an unknown tenant', "{ tenant: 'nowhere' }", /tenantry: .*nowhere/],
    ])('ends Vite without a stack when %s', async (_case, options, message) => {
      const config = join(app, 'vite.config.js')
      const text = readFileSync(config, 'utf8')
      writeFileSync(config, text.replace('tenantry()', `tenantry(${options})`))
      const vite = run()
      await new Promise((resolve) => vite.child.once('close', resolve))
      writeFileSync(config, text)
      expect(vite.said()).toMatch(message)
      expect(vite.said()).not.toMatch(/\n\s+at /)
    })

    it('does nothing in a build', async () => {
      const vite = run(['build'])
      await new Promise((resolve) => vite.child.once('close', resolve))
      expect(vite.said()).toMatch(/built in/)
      const built = readdirSync(join(app, 'dist/assets')).map((name) =>
        readFileSync(join(app, 'dist/assets', name), 'utf8'),
      )
      expect(built.join('\n')).not.toMatch(/eyJ|proj_acme/)
    })
  },
  280_000,
)

// tenantry/playwright with Playwright's own runner: the sample's tests, and what the report and the trace of a failed test contain.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, CHROMIUM_HINT } from '../../support/chromium.ts'
import { CLI_COMMAND, temporaryFolder } from '../../support/cli-process.ts'

const FAILING = `import { expect } from '@playwright/test'
import { test } from 'tenantry/playwright'
test('refused', async ({ user }) => {
  const page = await user('ana@acme.test')
  await page.goto('/')
  await page.getByLabel('Title').fill('forbidden')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByRole('alert')).not.toBeEmpty()
  expect(await page.getByRole('alert').textContent()).toBe('')
})
test('nothing refused', async ({ tenant }) => {
  expect(tenant.slug).toBe('another')
})
test.describe('with a tenant for each test', () => {
  test.use({ tenantry: { ownTenant: true } })
  test('an own tenant', async ({ tenant }) => {
    expect(tenant.slug).toMatch(/^test_/)
    expect(await tenant.sql('select count(*) from notes')).toEqual([{ count: '0' }])
  })
})
test.describe('with a sign-in link', () => {
  test.use({ tenantry: { signIn: 'link' } })
  test('signs in by the link', async ({ user }) => {
    const page = await user('ben@acme.test')
    await expect(page.getByRole('heading')).toHaveText('Notes of ben@acme.test')
  })
})
`

interface Attachment {
  readonly name: string
  readonly contentType: string
  readonly body?: string
  readonly path?: string
}

interface Spec {
  readonly title: string
  readonly ok: boolean
  readonly tests: readonly {
    readonly results: readonly {
      readonly attachments: readonly Attachment[]
      readonly errors: readonly { readonly message: string }[]
    }[]
  }[]
}

interface Suite {
  readonly specs: readonly Spec[]
  readonly suites?: readonly Suite[]
}

describe.skipIf(CHROMIUM === undefined)(`tenantry/playwright${CHROMIUM_HINT}`, () => {
  const folder = temporaryFolder()
  const specs = new Map<string, Spec>()
  beforeAll(async () => {
    const app = join(folder.path, 'app')
    mkdirSync(join(folder.path, 'node_modules/@playwright'), { recursive: true })
    cpSync('fixtures/samples/playwright', app, { recursive: true })
    symlinkSync(resolve('.'), join(folder.path, 'node_modules/tenantry'))
    symlinkSync(
      resolve('node_modules/@playwright/test'),
      join(folder.path, 'node_modules/@playwright/test'),
    )
    writeFileSync(join(app, 'tests/failing.spec.js'), FAILING)
    await run(app)
    const { suites }: Suite = JSON.parse(readFileSync(join(app, 'report.json'), 'utf8'))
    const note = ({ specs: own, suites: inner }: Suite): void => {
      for (const spec of own) specs.set(spec.title, spec)
      inner?.forEach(note)
    }
    suites?.forEach(note)
  }, 280_000)
  afterAll(() => folder.remove())

  const resultOf = (title: string) => specs.get(title)?.tests[0]?.results[0]
  const attached = (title: string, name: string): string | undefined => {
    const found = resultOf(title)?.attachments.find((one) => one.name === name)?.body
    return found && Buffer.from(found, 'base64').toString()
  }

  it.each([
    'a page is already signed in',
    'two users in one test see only their own notes',
    'the mailbox has the message of a sign-in',
    'a session is renewed after hours of platform time',
    'an own tenant',
    'signs in by the link',
  ])('the test "%s" passes', (title) => {
    expect(resultOf(title)?.errors).toEqual([])
    expect(specs.get(title)?.ok).toBe(true)
  })

  it('a failed test gets the reasons of refused requests', () => {
    expect(attached('refused', 'refused requests')).toMatch(
      /refused 1 request of proj_acme in this test:\n.* 403 42501 {2}POST \/notes\S* {2}proj_acme authenticated\n.*owners add/,
    )
    const [{ chain }] = JSON.parse(attached('refused', 'refused requests, explained') ?? '[]')
    expect(chain.links.length).toBeGreaterThan(0)
  })

  it('a failed test without a refused request gets no such attachment', () => {
    const names = resultOf('nothing refused')?.attachments.map(({ name }) => name)
    expect(names).toContain('trace')
    expect(names).not.toContain('refused requests')
  })

  it('the trace of the failed test names the attachments', () => {
    const trace = resultOf('refused')?.attachments.find(({ name }) => name === 'trace')?.path
    expect(textInZip(trace ?? '', 'test.trace')).toContain('"name":"refused requests"')
  })
})

/** Runs the sample as its script \`test\` does. */
async function run(app: string): Promise<void> {
  const { VITEST: _vitest, VITEST_POOL_ID: _pool, VITEST_WORKER_ID: _worker, ...own } = process.env
  const env = {
    ...own,
    CHROMIUM,
    PORT: String(await freePort()),
    PLAYWRIGHT_JSON_OUTPUT_NAME: join(app, 'report.json'),
  }
  const [program = '', ...command] = CLI_COMMAND
  const playwright = [process.execPath, resolve('node_modules/@playwright/test/cli.js')]
  const args = [
    ...command,
    'exec',
    '--history',
    '--',
    ...playwright,
    'test',
    '--reporter=json',
    '--workers=1',
  ]
  await new Promise<void>((done) => {
    execFile(program, args, { cwd: app, env }, (error, stdout, stderr) => {
      if (!readdirSync(app).includes('report.json'))
        throw new Error(`Playwright left no report: ${error} ${stdout} ${stderr}`)
      done()
    })
  })
}

/** Unpacks one file of a ZIP archive (APPNOTE.TXT 4.3.12: the central directory has its size and place). */
function textInZip(archive: string, name: string): string {
  const bytes = readFileSync(archive)
  const entry = bytes.lastIndexOf(name) - 46
  const [size, local] = [bytes.readUInt32LE(entry + 20), bytes.readUInt32LE(entry + 42)]
  const begin = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
  return inflateRawSync(bytes.subarray(begin, begin + size)).toString()
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

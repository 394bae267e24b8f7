// The published package: its files, and that a test runs and compiles in an empty folder with only this package.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answersRegistry, NO_REGISTRY, npm } from '../support/npm-registry.ts'

const EXPECTED = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|CONTRIBUTING\.md|SECURITY\.md)$/,
  /^dist\/(bin|index|make-engine-code|node-test|playwright|vite|vitest|vitest-setup|worker)\.mjs$/,
  /^dist\/(cluster\.img|demo\.img|third-party-licenses\.txt|engine-[\w.-]+\.code)$/,
  /^dist\/(chunks|client|desktop|docs-site|ui)\/.*\.(mjs|cjs|js|css|html|svg|png|woff2|gz|br|json|txt)$/,
  /^dist\/types\/.*\.d\.ts$/,
  /^emulator\/database\/tenant-schema\/.*\.sql$/,
  /^docs\/.*\.(md|png|svg|1)$/,
  /^fixtures\//,
]

/** Reads one row of the demo as in the guides. */
const READ_ONE_ROW = `
  const { TENANTRY_DATA_URL: url, TENANTRY_ANON_KEY: key } = process.env
  const answer = await fetch(url + '/treatments?limit=1', { headers: { apikey: key, authorization: 'Bearer ' + key } })
  console.log('rows:', (await answer.json()).length)`

const TYPED_PROGRAM = `
import { createEmulator, defineFixture, type EmulatorConfig } from 'tenantry'
import { createClient } from 'tenantry/client'
const config: EmulatorConfig = { clone: 'full' }
const emulator = await createEmulator(config)
await emulator.applyFixture(defineFixture({ groups: [{ name: 'a', template: { slug: 'a' } }] }))
// @ts-expect-error a fixture has no such member
defineFixture({ grups: [] })
// @ts-expect-error the configuration has no such member
await createEmulator({ datadir: '.' })
const client = createClient('http://127.0.0.1:7357', 'key', { project: 'a' })
export const rows: { id: number }[] | null = (await client.from('t').select('id')).data
export const file: Blob | null = (await client.storage.from('b').download('k')).data
`

const folder = mkdtempSync(join(tmpdir(), 'tenantry-package-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the published package', () => {
  let files: readonly string[] = []
  let tarball = ''

  // Packs without scripts, because the scripts of a release would rebuild dist while other tests use it.
  beforeAll(() => {
    execFileSync(process.execPath, ['scripts/build-types.ts'])
    const [pack] = JSON.parse(
      npm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder], resolve('.')),
    )
    files = pack.files.map(({ path }: { path: string }) => path)
    tarball = join(folder, pack.filename)
  })

  it('contains the bundle, its declarations, fixtures and documentation, and no sources', () => {
    expect(files.filter((path) => !EXPECTED.some((pattern) => pattern.test(path)))).toEqual([])
    for (const pattern of EXPECTED)
      expect(
        files.some((path) => pattern.test(path)),
        String(pattern),
      ).toBe(true)
  })

  it('contains every file that package.json names', async () => {
    const { default: manifest } = await import('../../package.json', { with: { type: 'json' } })
    const named = [manifest.exports, manifest.bin].flatMap((one) =>
      JSON.stringify(one).match(/[\w./-]+\.\w+/g),
    )
    for (const path of named) expect(files).toContain(String(path).replace(/^\.\//, ''))
  })

  it('runs and compiles in an empty folder with its own dependencies only', async ({ skip }) => {
    skip(!(await answersRegistry()), NO_REGISTRY)
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
    npm(['install', '--omit=dev', '--no-audit', '--no-fund', '--prefer-offline', tarball], folder)
    expect(packagesIn(join(folder, 'node_modules')).length).toBeLessThanOrEqual(15)

    writeFileSync(join(folder, 'read.mjs'), READ_ONE_ROW)
    expect(
      npm(['exec', '--no', '--', 'tenantry', 'exec', '--', 'node', 'read.mjs'], folder),
    ).toContain('rows: 1')

    writeFileSync(join(folder, 'program.ts'), TYPED_PROGRAM)
    const compiler = resolve('node_modules/typescript/bin/tsc')
    const options =
      '--noEmit --strict --module nodenext --target es2024 --lib es2024,dom,esnext.disposable --types node'
    const typeRoots = resolve('node_modules/@types')
    const compiled = await promisify(execFile)(
      process.execPath,
      [compiler, ...options.split(' '), '--typeRoots', typeRoots, 'program.ts'],
      { cwd: folder },
    ).catch(({ stdout }) => ({ stdout }))
    expect(compiled.stdout).toBe('')
  })
})

/** Names of the packages in a folder `node_modules`, including packages with a scope. */
function packagesIn(modules: string): readonly string[] {
  return readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@')
        ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`)
        : [name],
    )
}

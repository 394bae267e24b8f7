// The published file of `tenantry/client`, which a page loads without a bundler.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildClient } from '../../../scripts/build-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenantry-bundle-'))
const file = join(folder, 'index.mjs')
beforeAll(() => buildClient(folder))
afterAll(() => rmSync(folder, { recursive: true }))

it('bundles the client into one file without imports', () => {
  expect(readdirSync(folder)).toEqual(['index.mjs'])
  const source = readFileSync(file, 'utf8')
  expect(source).not.toMatch(/^\s*import\b|\bfrom\s*['"]|\bimport\(|\brequire\(/m)
})

it('exports the names of the package’s entry from the bundle', async () => {
  const bundle = await import(pathToFileURL(file).href)
  expect(Object.keys(bundle)).toEqual(['AuthError', 'createClient'])
})

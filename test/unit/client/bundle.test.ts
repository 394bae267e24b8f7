// `tenantry/client` as published: one file that a page loads as it is.
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

it('is one file that imports nothing', () => {
  expect(readdirSync(folder)).toEqual(['index.mjs'])
  const source = readFileSync(file, 'utf8')
  expect(source).not.toMatch(/^\s*import\b|\bfrom\s*['"]|\bimport\(|\brequire\(/m)
})

it('exports what the package’s entry exports', async () => {
  const bundle = await import(pathToFileURL(file).href)
  expect(Object.keys(bundle)).toEqual(['AuthError', 'createClient'])
})

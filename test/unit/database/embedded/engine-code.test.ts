import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { restoreEngine } from '../../../../emulator/database/embedded/engine-code.ts'

// An empty module. V8 optimises no function of this module, so no valid cached code of the module can exist.
const WASM = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenantry-code-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('kept machine code', () => {
  it('is absent when no file exists', () => {
    expect(restoreEngine(join(folder, 'none.code'), WASM)).toBeUndefined()
  })

  it('is refused when the file is truncated or has another format', () => {
    const path = join(folder, 'damaged.code')
    writeFileSync(path, readFileSync(import.meta.filename))
    expect(restoreEngine(path, WASM)).toBeUndefined()
  })
})

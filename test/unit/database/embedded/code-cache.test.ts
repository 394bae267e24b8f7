import { chmodSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cacheFolder } from '../../../../emulator/core/cache-folder.ts'
import {
  cachedCodePath,
  isCodeWanted,
  isOwnFile,
  removeOldCode,
} from '../../../../emulator/database/embedded/code-cache.ts'
import { restoreEngine } from '../../../../emulator/database/embedded/engine-code.ts'

const WASM = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenantry-cache-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the cache folder', () => {
  it.each([
    ['linux', {}, join('/home/ana', '.cache', 'tenantry')],
    ['linux', { XDG_CACHE_HOME: '/fast' }, join('/fast', 'tenantry')],
    ['darwin', {}, join('/home/ana', 'Library', 'Caches', 'tenantry')],
    ['win32', { LOCALAPPDATA: '/local' }, join('/local', 'tenantry')],
  ] as const)('on %s with the environment %o is %s', (platform, env, expected) => {
    expect(cacheFolder({ platform, env, home: '/home/ana' })).toBe(expected)
  })

  it('has a file for each version of V8, processor and set of flags', () => {
    expect(cachedCodePath()).toContain(`engine-${process.versions.v8}-${process.platform}-`)
    expect(cachedCodePath()).toMatch(/-[\da-f]+\.code$/)
  })
})

describe('machine code in the cache folder', () => {
  it('is created when it is absent or refused, but not after V8 failed to create it', () => {
    const path = join(folder, 'engine-1.code')
    expect(isCodeWanted(path)).toBe(true)
    writeFileSync(path, 'damaged')
    expect(isCodeWanted(path)).toBe(true)
    writeFileSync(path, '')
    expect(isCodeWanted(path)).toBe(false)
    expect(restoreEngine(path, WASM)).toBeUndefined()
  })

  it('is refused when the path is a folder', () => {
    expect(restoreEngine(folder, WASM)).toBeUndefined()
  })

  it.skipIf(process.platform === 'win32')('is refused when other accounts may write it', () => {
    const path = join(folder, 'engine-1.code')
    writeFileSync(path, 'code', { mode: 0o600 })
    expect(isOwnFile(path)).toBe(true)
    chmodSync(path, 0o666)
    expect(isOwnFile(path)).toBe(false)
    chmodSync(path, 0o600)
    chmodSync(folder, 0o777)
    expect(isOwnFile(path)).toBe(false)
    expect(isOwnFile(join(folder, 'none'))).toBe(false)
  })

  it('is removed, except for the new file, the two newest others and foreign files', () => {
    for (const [age, name] of ['engine-a.code', 'engine-b.code', 'engine-c.code'].entries()) {
      writeFileSync(join(folder, name), name)
      utimesSync(join(folder, name), age + 1, age + 1)
    }
    writeFileSync(join(folder, 'notes.txt'), '')
    writeFileSync(join(folder, 'engine-new.code'), 'new')
    removeOldCode(join(folder, 'engine-new.code'))
    expect(readdirSync(folder).toSorted()).toEqual([
      'engine-b.code',
      'engine-c.code',
      'engine-new.code',
      'notes.txt',
    ])
  })
})

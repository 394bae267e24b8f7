import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openPreferences, parsePreferences } from '../../../main/preferences.ts'

const DEFAULTS = { theme: 'system', recent: [], mailNotices: false, port: 7_357 }

describe('parsePreferences', () => {
  it.each(['', 'nonsense', '[]', '7', 'null'])('falls back to the defaults for %j', (text) => {
    expect(parsePreferences(text)).toMatchObject(DEFAULTS)
  })

  it('keeps valid preferences when others are invalid', () => {
    const text = JSON.stringify({ theme: 'purple', port: 8_000, recent: 'none', mailNotices: true })

    expect(parsePreferences(text)).toMatchObject({ ...DEFAULTS, port: 8_000, mailNotices: true })
  })
})

describe('openPreferences', () => {
  it('remembers preferences across starts', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'tenantry-')), 'deep', 'preferences.json')
    openPreferences(file).change({ theme: 'light', lastFolder: '/home/ana/demo' })

    expect(openPreferences(file).read()).toMatchObject({
      theme: 'light',
      lastFolder: '/home/ana/demo',
    })
  })

  it('keeps a preference in memory when the disk cannot be written', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'tenantry-')), 'file')
    writeFileSync(file, 'in the way')
    const store = openPreferences(join(file, 'preferences.json'))

    expect(store.change({ theme: 'dark' }).theme).toBe('dark')
    expect(readFileSync(file, 'utf8')).toBe('in the way')
  })
})

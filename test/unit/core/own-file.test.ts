// Reading the program's own files. A file is absent, usable, or causes an error with its name. An unreadable file never counts as
// absent.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keptEngine } from '../../../emulator/assembly/engine/engine-choice.ts'
import { seedOfStart } from '../../../emulator/assembly/open-runtime.ts'
import { openRollout } from '../../../emulator/cli/commands/migrate/run-apply.ts'
import { UnusableFile } from '../../../emulator/core/own-file.ts'
import { lockDataDir } from '../../../emulator/database/data-dir/data-dir-lock.ts'
import { openPreferences } from '../../../main/preferences.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenantry-own-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const TARGET = { target: 'http://127.0.0.1:7357', group: 'g', steps: [] }

const READERS: Readonly<Record<string, () => unknown>> = {
  'rollouts/127.0.0.1_7357_g.json': () => openRollout(folder, TARGET),
  'engine.json': () => keptEngine(folder),
  starts: () => seedOfStart('seed', folder),
}

describe.each(Object.entries(READERS))('%s', (name, read) => {
  it.each(['', '{"tenants":', '{"tenants":{},"a":1}', '[]'])('is refused when it is %j', (text) => {
    const path = join(folder, name)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, text)
    expect(read).toThrow(UnusableFile)
    expect(read).toThrow(path)
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('is refused when it is a folder', () => {
    mkdirSync(join(folder, name), { recursive: true })
    expect(read).toThrow(/cannot be read: it is a folder\./)
  })
})

it('reads back the rollout record that it wrote', () => {
  openRollout(folder, TARGET).change({ published: 'v2' })
  expect(openRollout(folder, TARGET).rollout.published).toBe('v2')
})

it('refuses a data directory whose lock cannot be read', () => {
  mkdirSync(join(folder, 'tenantry.lock'))
  expect(() => lockDataDir(folder)).toThrow(folder)
})

it('keeps unusable preferences in another file', () => {
  const file = join(folder, 'preferences.json')
  writeFileSync(file, '{"port": 8000,')
  const store = openPreferences(file)
  store.change({ port: 9_000 })
  store.change({ port: 9_001 })
  expect(readFileSync(`${file}.unusable`, 'utf8')).toBe('{"port": 8000,')
  expect(openPreferences(file).read().port).toBe(9_001)
})

// New steps get a version that no other step of the folder has.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { epochMillis } from '../../../emulator/core/time.ts'
import {
  createStep,
  versionAfter,
  writeNewStep,
} from '../../../emulator/workflow/migrations/steps/step-files.ts'
import { temporaryFolder } from '../../support/cli-process.ts'

const NOON = epochMillis(Date.parse('2026-01-02T12:00:00Z'))
let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

it('createStep gives steps of the same second the next free versions', () => {
  for (const name of ['one', 'two', 'one']) createStep(folder.path, name, NOON)
  expect(readdirSync(folder.path).toSorted()).toEqual([
    '20260102120000_one.sql',
    '20260102120001_two.sql',
    '20260102120002_one.sql',
  ])
})

it('writeNewStep writes no step whose version another file has, even with another name', () => {
  writeFileSync(join(folder.path, '20260102120000_other.sql'), '')
  for (const name of ['other', 'mine'])
    expect(writeNewStep(join(folder.path, `20260102120000_${name}.sql`), 'select 1')).toBe(false)
  expect(readdirSync(folder.path)).toEqual(['20260102120000_other.sql'])
  expect(writeNewStep(join(folder.path, '20260102120001_mine.sql'), 'select 1')).toBe(true)
})

it('versionAfter counts on from the newest version when the clock is behind that version', () => {
  expect(versionAfter('', NOON)).toBe('20260102120000')
  expect(versionAfter('20260102120000', NOON)).toBe('20260102120001')
  expect(versionAfter('20991231235959', NOON)).toBe('20991231235960')
})

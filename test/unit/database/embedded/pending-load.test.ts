// The next start completes the restores that notes describe. A forged note cannot reach files outside the data directory.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { applyLoad } from '../../../../emulator/database/embedded/cluster/cluster-files.ts'
import {
  announceLoad,
  finishLoad,
  restoreMark,
} from '../../../../emulator/database/embedded/cluster/pending-load.ts'

let outside: string
let dataDir: string
let cluster: string
beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'pending-load-'))
  dataDir = join(outside, 'data')
  cluster = join(dataDir, 'postgres')
  for (const folder of ['base/5', 'global']) {
    mkdirSync(join(cluster, folder), { recursive: true })
    mkdirSync(join(dataDir, 'baselines/1/postgres/originals', folder), { recursive: true })
  }
  writeFileSync(join(outside, 'precious.txt'), 'precious')
})
afterEach(() => rmSync(outside, { recursive: true }))

const from = () => join(dataDir, 'baselines/1/postgres/originals')
const note = (value: object) => writeFileSync(`${cluster}-loading.json`, JSON.stringify(value))

it('replaces and removes the files that an announced load names', () => {
  writeFileSync(join(from(), 'base/5/1249'), 'old')
  writeFileSync(join(cluster, 'base/5/1249'), 'new')
  writeFileSync(join(cluster, 'base/5/16384_fsm'), 'new')
  announceLoad(cluster, { from: from(), files: ['base/5/1249'], remove: ['base/5/16384_fsm'] })
  expect(restoreMark(cluster).isSet()).toBe(true)
  expect(finishLoad(cluster)).toBe(true)
  expect(readFileSync(join(cluster, 'base/5/1249'), 'utf8')).toBe('old')
  expect(existsSync(join(cluster, 'base/5/16384_fsm'))).toBe(false)
})

it.each([
  { remove: ['../../precious.txt'] },
  { remove: ['base/5/../../../../precious.txt'] },
  { remove: ['global/../../../precious.txt'] },
  { files: ['hostname'], from: '/etc' },
  { files: ['base/5/1249'], from: '../..' },
  { files: ['base/5/1249'], from: '/' },
  { files: 'base/5/1249' },
  { remove: ['global/pg_control'] },
  { remove: [1] },
])('refuses the forged load note %j', (forged) => {
  note({ from: 'baselines/1/postgres/originals', files: [], remove: [], ...forged })
  expect(() => finishLoad(cluster)).toThrow()
  expect(readFileSync(join(outside, 'precious.txt'), 'utf8')).toBe('precious')
  expect(existsSync(join(cluster, 'hostname'))).toBe(false)
})

it('reads no load note inside the cluster, where SQL could write one', () => {
  writeFileSync(
    join(cluster, 'tenantry-loading.json'),
    JSON.stringify({ from: '/etc', files: ['hostname'], remove: ['../../precious.txt'] }),
  )
  expect(finishLoad(cluster)).toBe(false)
  expect(() => restoreMark(cluster)).toThrow(/earlier release was stopped/)
  expect(existsSync(join(outside, 'precious.txt'))).toBe(true)
})

it.skipIf(process.platform === 'win32')('follows no symbolic link', () => {
  symlinkSync(join(outside, 'precious.txt'), join(cluster, 'base/5/1'))
  writeFileSync(join(from(), 'base/5/1'), 'replaced')
  symlinkSync('/etc/hostname', join(from(), 'base/5/2'))
  for (const file of ['base/5/1', 'base/5/2'])
    expect(() => applyLoad(cluster, { from: from(), files: [file], remove: [] })).toThrow(/link/)
  expect(readFileSync(join(outside, 'precious.txt'), 'utf8')).toBe('precious')
})

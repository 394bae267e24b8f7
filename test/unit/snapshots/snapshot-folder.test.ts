// The folder of a data directory's snapshots. The data directory's own snapshots are listed; folders from elsewhere are refused.
import {
  cpSync,
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
import { afterAll, expect, it } from 'vitest'
import { epochMillis } from '../../../emulator/core/time.ts'
import {
  openSnapshotFolder,
  type SnapshotFolder,
} from '../../../emulator/workflow/snapshots/snapshot-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'snapshot-folder-'))
afterAll(() => rmSync(root, { recursive: true }))

let directories = 0
/** Returns the path of the snapshots of a new data directory. */
function newRoot(): string {
  directories += 1
  const dataDir = join(root, String(directories))
  mkdirSync(dataDir)
  return join(dataDir, 'snapshots')
}

const save = (folder: SnapshotFolder, name: string) =>
  folder.add(async (into) => {
    writeFileSync(into.database, 'records')
    return {
      name,
      note: null,
      savedAt: epochMillis(1),
      platformTime: epochMillis(2),
      time: { kind: 'offset', offsetMillis: 0 },
      faults: [],
      sizeBytes: 7,
      tenants: 0,
      history: null,
    }
  })

it('the snapshot folder refuses a snapshot copied from another data directory, and does not delete the copy', async () => {
  const [mine, other] = [newRoot(), newRoot()]
  const folder = openSnapshotFolder(mine)
  await save(folder, 'own')
  await save(openSnapshotFolder(other), 'foreign')
  cpSync(join(other, 'foreign'), join(mine, 'foreign'), { recursive: true })
  symlinkSync(join(other, 'foreign'), join(mine, 'linked'))
  for (const name of ['foreign', 'linked']) {
    expect(() => folder.find(name)).toThrow(/was not saved by an emulator of this data directory/)
    expect(folder.remove(name)).toBe(false)
  }
  expect(folder.list().map(({ name }) => name)).toEqual(['own'])
  expect(folder.folders()).toHaveLength(1)
  expect(openSnapshotFolder(mine).find('own')?.record.sizeBytes).toBe(7)
  expect(existsSync(join(mine, 'foreign/platform.db'))).toBe(true)
})

it('the snapshot folder refuses a snapshot whose record was changed after it was saved', async () => {
  const mine = newRoot()
  const folder = openSnapshotFolder(mine)
  await save(folder, 'own')
  const file = join(mine, 'own/snapshot.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"tenants":0', '"tenants":1'))
  expect(() => folder.find('own')).toThrow(/was not saved/)
})

it('the snapshot folder accepts snapshots of earlier releases, which have no seal', async () => {
  const mine = newRoot()
  await save(openSnapshotFolder(mine), 'old')
  rmSync(join(mine, 'old/snapshot.seal'))
  rmSync(join(mine, '../snapshot-key'))
  const upgraded = openSnapshotFolder(mine)
  expect(upgraded.find('old')?.record.name).toBe('old')
  expect(openSnapshotFolder(mine).list()).toHaveLength(1)
})

it.each(['..', '../snapshots/own', '.saving', 'own/../own', '/etc'])(
  'the snapshot folder finds no snapshot with the name %j',
  async (name) => {
    const folder = openSnapshotFolder(newRoot())
    await save(folder, 'own')
    expect(folder.find(name)).toBeUndefined()
    expect(folder.remove(name)).toBe(false)
  },
)

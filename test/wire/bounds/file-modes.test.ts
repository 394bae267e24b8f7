// Other users of the machine cannot read the files of a data directory that existed before with rights for all users.
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/cli-process.ts'
import { startTestEmulator } from '../../support/test-emulator.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const ALL_RIGHTS = 0o777

/** Names of the files and folders in a folder that other users may access. */
const readable = (path: string): string[] =>
  readdirSync(path).filter((name) => (statSync(join(path, name)).mode & 0o077) !== 0)

describe.skipIf(process.platform === 'win32')(
  'a data directory that other users may enter (POSIX)',
  () => {
    it('contains no file or folder that other users may read', async () => {
      const dataDir = join(folder.path, 'new')
      mkdirSync(dataDir)
      chmodSync(dataDir, ALL_RIGHTS)
      await using _ = await startTestEmulator({ dataDir })
      const names = readable(dataDir)
      expect(names.filter((name) => name !== 'starts')).toEqual([])
    })

    it('gets database files that other users cannot read when it is opened again', async () => {
      const dataDir = join(folder.path, 'old')
      mkdirSync(dataDir)
      for (const name of ['platform.db', 'journal.db']) {
        new Database(join(dataDir, name)).exec('create table old (id)').close()
        writeFileSync(join(dataDir, `${name}-shm`), '')
        for (const file of [name, `${name}-shm`]) chmodSync(join(dataDir, file), 0o644)
      }
      await using _ = await startTestEmulator({ dataDir })
      expect(readable(dataDir).filter((name) => name.includes('.db'))).toEqual([])
    })
  },
)

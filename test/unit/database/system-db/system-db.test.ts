import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSystemDb } from '../../../../emulator/database/system-db/system-db.ts'

const notes = { layer: 'notes', steps: ['create table notes (text text) strict'] }

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'system-db-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

describe('openSystemDb', () => {
  it('runs each step of a layer once', () => {
    const file = join(directory, 'platform.db')
    openSystemDb({ file, migrations: [notes] }).close()
    const later = {
      ...notes,
      steps: [...notes.steps, "insert into notes values ('second')"],
    }
    openSystemDb({ file, migrations: [later] }).close()
    const db = openSystemDb({ file, migrations: [later] })
    expect(db.prepare<[], { text: string }>('select text from notes').all()).toEqual([
      { text: 'second' },
    ])
    db.close()
  })

  it('refuses a file a newer release wrote', () => {
    const file = join(directory, 'platform.db')
    openSystemDb({ file, migrations: [notes] }).close()
    expect(() => openSystemDb({ file, migrations: [{ layer: 'notes', steps: [] }] })).toThrow(
      expect.objectContaining({ code: 'newer_schema' }),
    )
  })

  it('refuses a file that is not a database and leaves it unchanged', () => {
    const file = join(directory, 'platform.db')
    writeFileSync(file, 'not a database, but long enough to be read as one'.repeat(50))
    expect(() => openSystemDb({ file, migrations: [notes] })).toThrow(
      expect.objectContaining({ code: 'unreadable' }),
    )
  })

  it('refuses a directory that does not exist', () => {
    const file = join(directory, 'absent', 'platform.db')
    expect(() => openSystemDb({ file, migrations: [notes] })).toThrow(
      expect.objectContaining({ code: 'unreadable' }),
    )
  })
})

describe('transaction', () => {
  it('rolls back everything when the work throws', () => {
    const db = openSystemDb({ file: undefined, migrations: [notes] })
    const insert = db.prepare<[string]>('insert into notes values (?)')
    expect(() =>
      db.transaction(() => {
        insert.run('first')
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(db.prepare<[], { text: string }>('select text from notes').all()).toEqual([])
  })

  it('joins an outer transaction', () => {
    const db = openSystemDb({ file: undefined, migrations: [notes] })
    const insert = db.prepare<[string]>('insert into notes values (?)')
    expect(() =>
      db.transaction(() => {
        db.transaction(() => insert.run('inner'))
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(db.prepare<[], { text: string }>('select text from notes').get()).toBeUndefined()
  })
})

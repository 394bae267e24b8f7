import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSystemDb, type SystemDb } from '../../../emulator/database/system-db/system-db.ts'
import { createCommitQueue } from '../../../emulator/services/storage/objects/commit-queue.ts'

let db: SystemDb
beforeEach(() => {
  const steps = ['create table notes (text text primary key) strict']
  db = openSystemDb({ file: undefined, migrations: [{ layer: 'notes', steps }] })
})
afterEach(() => db.close())

const note = (text: string) => (): string => {
  db.prepare<[string]>('insert into notes (text) values (?)').run(text)
  return text
}
const notes = () =>
  db
    .prepare<[], { text: string }>('select text from notes')
    .all()
    .map(({ text }) => text)

describe('the commit queue', () => {
  it('returns each caller’s own result', async () => {
    const commit = createCommitQueue(db)
    expect(await Promise.all(['a', 'b', 'c'].map((text) => commit(note(text))))).toEqual([
      'a',
      'b',
      'c',
    ])
    expect(notes()).toEqual(['a', 'b', 'c'])
  })

  it('does not undo other calls when one call fails', async () => {
    const commit = createCommitQueue(db)
    const settled = await Promise.allSettled(['a', 'a', 'b'].map((text) => commit(note(text))))
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(notes()).toEqual(['a', 'b'])
  })

  it('fails every waiting call when the commit fails, and continues', async () => {
    let isBroken = true
    const commit = createCommitQueue({
      ...db,
      transaction: (work) => {
        if (isBroken) throw new Error('disk I/O error')
        return db.transaction(work)
      },
    })
    const settled = await Promise.allSettled([commit(note('a')), commit(note('b'))])
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    isBroken = false
    expect(await commit(note('c'))).toBe('c')
  })
})

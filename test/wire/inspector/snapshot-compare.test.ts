// Snapshots compared from the files beside them, which must be neither missing nor outdated without notice.
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StateWorld, startStateWorld } from '../../support/state-world.ts'
import type { Json } from '../../support/test-emulator.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tenantry-compare-'))
let world: StateWorld
beforeAll(async () => {
  world = await startStateWorld({ dataDir })
}, 60_000)
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

const partOf = (name: string, part: string) => join(dataDir, 'snapshots', name, part)
const compare = (name: string, other?: string): Promise<Json> =>
  world.api('GET', `/snapshots/${name}/compare${other === undefined ? '' : `?with=${other}`}`)
const save = (name: string) => world.api('POST', '/snapshots', { name, replace: true })
const notesOf = ({ tenants }: Json): Json =>
  tenants[0]?.tables.find(({ table }: Json) => table === 'notes')

describe('a comparison', () => {
  it('needs no database of the snapshot', async () => {
    await save('first')
    await world.note('after first')
    await save('second')
    renameSync(partOf('first', 'postgres'), partOf('first', 'elsewhere'))
    renameSync(partOf('second', 'postgres'), partOf('second', 'elsewhere'))
    expect(notesOf(await compare('first', 'second'))).toMatchObject({ rows_added: 1 })
    expect(notesOf(await compare('first'))).toMatchObject({ rows_added: 1 })
    expect(await compare('second')).toEqual({ tenants: [] })
  })

  it('reads a snapshot of an earlier release from its database, and only once', async () => {
    await save('early')
    await world.note('after early')
    const expected = await compare('early')
    rmSync(partOf('early', 'contents'), { recursive: true })
    expect(await compare('early')).toEqual(expected)
    expect(existsSync(partOf('early', 'contents'))).toBe(true)
    rmSync(partOf('early', 'postgres'), { recursive: true })
    expect(await compare('early')).toEqual(expected)
  })

  it('finds what was written in any way since the snapshot before', async () => {
    await world.at.emulator.listenPostgres({ port: 0, host: '127.0.0.1' })
    const { groups } = await world.at.emulator.ready(world.at.url)
    const url = groups.flatMap(({ tenants }) => tenants).find(({ slug }) => slug === 'acme')
    const client = new pg.Client({ connectionString: url?.postgres_url ?? '' })
    await client.connect()
    const writes: readonly (() => Promise<unknown>)[] = [
      () => world.note('over REST'),
      () => world.sql("insert into notes (body) values ('over the console')"),
      async () => {
        await client.query('begin')
        await client.query("insert into notes (body) values ('over the port')")
        await client.query('commit')
      },
    ]
    await save('step0')
    for (const [index, write] of writes.entries()) {
      await write()
      await save(`step${index + 1}`)
    }
    await client.end()
    for (const index of writes.keys()) {
      rmSync(partOf(`step${index}`, 'postgres'), { recursive: true })
      expect(notesOf(await compare(`step${index}`, `step${index + 1}`))).toMatchObject({
        rows_added: 1,
        rows_changed: 0,
      })
    }
  })

  it('finds what a restore brought back', async () => {
    await save('old')
    await world.note('before the restore')
    await save('new')
    await world.api('POST', '/snapshots/old/restore')
    expect(notesOf(await compare('new'))).toMatchObject({ rows_added: 0, rows_removed: 1 })
    await save('again')
    expect(await compare('old', 'again')).toEqual({ tenants: [] })
  })
})

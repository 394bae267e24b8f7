// Comparing snapshots with the files beside them. A missing file is made again, and no write may leave a file outdated.
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onlyEmbedded } from '../../support/engine-of-run.ts'
import { type StateWorld, startStateWorld } from '../../support/state-world.ts'
import type { Json } from '../../support/test-emulator.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tenantry-compare-'))
let world: StateWorld
beforeAll(async () => {
  world = await startStateWorld({ dataDir })
})
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
  onlyEmbedded('a server’s comparisons read copies').it(
    'needs no database of the snapshot',
    async () => {
      await save('first')
      await world.note('after first')
      await save('second')
      renameSync(partOf('first', 'postgres'), partOf('first', 'elsewhere'))
      renameSync(partOf('second', 'postgres'), partOf('second', 'elsewhere'))
      expect(notesOf(await compare('first', 'second'))).toMatchObject({ rows_added: 1 })
      expect(notesOf(await compare('first'))).toMatchObject({ rows_added: 1 })
      expect((await compare('second')).tenants).toEqual([])
    },
  )

  it('reads the database of a snapshot of an earlier release only once', async () => {
    await save('early')
    await world.note('after early')
    const expected = (await compare('early')).tenants
    rmSync(partOf('early', 'contents'), { recursive: true })
    expect((await compare('early')).tenants).toEqual(expected)
    expect(existsSync(partOf('early', 'contents'))).toBe(true)
    rmSync(partOf('early', 'postgres'), { recursive: true })
    expect((await compare('early')).tenants).toEqual(expected)
  })

  it('finds writes over REST, the console and the Postgres port since the previous snapshot', async () => {
    await world.at.emulator.listenPostgres({ port: 0, host: '127.0.0.1' })
    const { groups } = await world.at.emulator.ready(world.at.url)
    const url = groups.flatMap(({ tenants }) => tenants).find(({ slug }) => slug === 'acme')
    const writes: readonly (() => Promise<unknown>)[] = [
      () => world.note('over REST'),
      () => world.sql("insert into notes (body) values ('over the console')"),
      async () => {
        const client = new pg.Client({ connectionString: url?.postgres_url ?? '' })
        await client.connect()
        await client.query('begin')
        await client.query("insert into notes (body) values ('over the port')")
        await client.query('commit')
        await client.end()
      },
    ]
    await save('step0')
    for (const [index, write] of writes.entries()) {
      await write()
      await save(`step${index + 1}`)
    }
    for (const index of writes.keys())
      expect(notesOf(await compare(`step${index}`, `step${index + 1}`))).toMatchObject({
        rows_added: 1,
        rows_changed: 0,
      })
  })

  it('finds the rows that a restore removed', async () => {
    await save('old')
    await world.note('before the restore')
    await save('new')
    await world.api('POST', '/snapshots/old/restore')
    expect(notesOf(await compare('new'))).toMatchObject({ rows_added: 0, rows_removed: 1 })
    await save('again')
    expect((await compare('old', 'again')).tenants).toEqual([])
  })

  it('lists the changed cells by key, and shortens long cells of both states in the same way', async () => {
    const long = 'é'.repeat(450)
    await world.sql(`create table parts (shelf integer, "number" text, label text, extra text,
      primary key (shelf, "number"));
      insert into parts values (1, 'a"b', 'bolt', '${long}'), (1, 'c', 'nut', repeat('x', 3000)), (2, 'd', 'old', null)`)
    await save('cells')
    await world.sql(`update parts set label = 'screw' where "number" = 'a"b';
      update parts set extra = repeat('x', 2999) || '!' where "number" = 'c';
      delete from parts where shelf = 2; insert into parts values (3, 'e', null, repeat('${long}', 9));
      alter table parts add column unused text`)
    const parts = (await compare('cells')).tenants[0].tables.find(
      ({ table }: Json) => table === 'parts',
    )
    const start = 'x'.repeat(200)
    expect(parts).toMatchObject({
      rows_added: 1,
      rows_removed: 1,
      rows_changed: 2,
      rows: [
        {
          key: { shelf: '1', number: 'a"b' },
          change: 'changed',
          cells: [{ column: 'label', before: 'bolt', after: 'screw' }],
        },
        {
          key: { shelf: '1', number: 'c' },
          change: 'changed',
          cells: [
            {
              column: 'extra',
              before: expect.stringContaining(`${start}… (3000 characters, md5 `),
              after: expect.stringContaining(`${start}… (3000 characters, md5 `),
            },
          ],
        },
        { key: { shelf: '2', number: 'd' }, change: 'removed' },
        { key: { shelf: '3', number: 'e' }, change: 'added' },
      ],
    })
    await world.sql(`update parts set label = repeat('y', 3000) where "number" = 'a"b'`)
    const [grown] = (await compare('cells')).tenants[0].tables.find(
      ({ table }: Json) => table === 'parts',
    ).rows
    expect(grown.cells.map(({ column }: Json) => column)).toEqual(['label'])
  })

  it('states the time of the comparison, and masks secrets of users', async () => {
    await save('users')
    const before = Date.now()
    await world.signUp('fresh@example.com')
    const { taken_at: takenAt, tenants } = await compare('users')
    expect(Date.parse(takenAt)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(takenAt)).toBeLessThanOrEqual(Date.now())
    const [credential] = tenants[0].tables.find(
      ({ table }: Json) => table === 'auth_credentials',
    ).rows
    expect(credential.cells).toContainEqual({
      column: 'password_hash',
      before: null,
      after: 'masked',
    })
    expect(JSON.stringify(tenants)).not.toContain('scrypt')
  })
})

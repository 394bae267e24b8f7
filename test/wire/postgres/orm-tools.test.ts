// The Postgres port with tools that read the catalogues with their own queries. The tools find only the project's objects.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HAS_ORM_TOOLS, ORM_TOOLS_HINT, runOrmTool } from '../../support/orm-tools.ts'
import { type PostgresWorld, startPostgresWorld } from '../../support/postgres-world.ts'

const SQL = `
  create type mood as enum ('good', 'bad');
  create table people (
    id serial primary key, name text not null, mood mood default 'good', account uuid references auth_users (id));
  create index by_name on people (name);
  alter table people enable row level security;
  create policy own_people on people for select to authenticated using (account = auth.uid());
  create sequence tickets;
  create view happy as select name from people where mood = 'good'`

const SEQUELIZE = (url: string): string => `
  const { DataTypes, Sequelize } = require('sequelize')
  const sequelize = new Sequelize(${JSON.stringify(url)}, { logging: false, schema: 'proj_north' })
  const Visit = sequelize.define('visit', { place: DataTypes.STRING }, { timestamps: false })
  const main = async () => {
    const people = { tableName: 'people', schema: 'proj_north' }
    const columns = await sequelize.getQueryInterface().describeTable(people)
    await Visit.sync()
    await Visit.create({ place: 'north' })
    Visit.rawAttributes.note = { type: DataTypes.TEXT, field: 'note' }
    Visit.refreshAttributes()
    await Visit.sync({ alter: true })
    await Visit.create({ place: 'south', note: 'altered' })
    const rows = await Visit.findAll({ order: ['id'], raw: true })
    console.log(JSON.stringify({ columns: Object.keys(columns), rows }))
    await sequelize.close()
  }
  main().catch((error) => { console.error(error); process.exit(1) })`

describe.skipIf(!HAS_ORM_TOOLS)(`tools${ORM_TOOLS_HINT}`, () => {
  let world: PostgresWorld
  let folder: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tenantry-orm-'))
    world = await startPostgresWorld(SQL)
  })
  const drizzle = (...args: readonly string[]) => {
    const config = join(folder, 'drizzle.config.json')
    const settings = {
      dialect: 'postgresql',
      dbCredentials: { url: world.url },
      schemaFilter: ['proj_north'],
      schema: join(folder, 'schema.ts'),
      out: folder,
    }
    writeFileSync(config, JSON.stringify(settings))
    return runOrmTool(['node_modules/drizzle-kit/bin.cjs', ...args, `--config=${config}`])
  }
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  it('drizzle-kit pulls a project’s schema, and pushes the schema with a new table', async () => {
    const pulled = await drizzle('pull')
    expect(pulled.printed).toContain('Your schema file is ready')
    expect(pulled.code).toBe(0)
    const file = join(folder, 'schema.ts')
    const schema = readFileSync(file, 'utf8')
    expect(schema).toMatch(/export const peopleInProjNorth = projNorth\.table\("people"/)
    expect(schema).toMatch(/moodInProjNorth = projNorth\.enum\("mood", \['good', 'bad'\]\)/)
    expect(schema).toMatch(/pgPolicy\("own_people"/)
    expect(schema).toMatch(/projNorth\.sequence\("tickets"/)
    expect(schema).not.toContain('south')

    appendFileSync(
      file,
      'export const places = projNorth.table("places", { name: text().primaryKey() })',
    )
    const pushed = await drizzle('push', '--force')
    expect(pushed.printed).toContain('Changes applied')
    expect(pushed.code).toBe(0)
    const { out } = await world.psql(`insert into places values ('here') returning name;\n`, '-At')
    expect(out).toContain('here')
  })

  it('Sequelize describes a table and alters a table in place', async () => {
    const { code, printed } = await runOrmTool(['-e', SEQUELIZE(world.url)])
    expect(code, printed).toBe(0)
    expect(JSON.parse(printed)).toEqual({
      columns: ['id', 'name', 'mood', 'account'],
      rows: [
        { id: 1, place: 'north', note: null },
        { id: 2, place: 'south', note: 'altered' },
      ],
    })
  })
})

// npm tools that read the catalogues or change the structure of a schema.
import { expectSame, type OutsideTool, type ToolPlace } from './tool.ts'

const DRIZZLE = ['drizzle-kit@0.31', 'pg@8', 'drizzle-orm@0.44']

const DRIZZLE_MIGRATE = `
  import { drizzle } from 'drizzle-orm/node-postgres'
  import { migrate } from 'drizzle-orm/node-postgres/migrator'
  await migrate(drizzle(process.env.DATABASE_URL), { migrationsFolder: 'out', migrationsSchema: process.env.SCHEMA })`

const PRISMA = ['prisma@6', '@prisma/adapter-pg@7', 'pg@8']
// The adapter of version 6 can't read a column of the type `name`. With `engine: 'js'` Prisma runs WebAssembly. Prisma still
// downloads its native programs unless a variable names a file for each.
const PRISMA_FILES = {
  PRISMA_QUERY_ENGINE_LIBRARY: process.execPath,
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
}
const PRISMA_SCHEMA = `
  generator client {
    provider = "prisma-client-js"
  }
  datasource db {
    provider = "postgresql"
    url      = env("DATABASE_URL")
  }
  model people {
    id   Int    @id @default(autoincrement())
    name String
  }`
const PRISMA_CONFIG = `
  import { PrismaPg } from '@prisma/adapter-pg'
  export default {
    experimental: { adapter: true },
    engine: 'js',
    schema: 'schema.prisma',
    migrations: { path: 'migrations' },
    adapter: async () => new PrismaPg({ connectionString: process.env.DATABASE_URL }, { schema: process.env.SCHEMA }),
  }`

export const NPM_SCHEMA_TOOLS: readonly OutsideTool[] = [
  {
    name: 'drizzle-kit `pull` and `push`',
    npm: DRIZZLE,
    does: 'reads the tables of a project and adds one',
    setting: "`schemaFilter: ['proj_<slug>']`",
    run: pullAndPush,
  },
  {
    name: 'drizzle-orm `migrate`',
    npm: [...DRIZZLE].reverse(),
    does: 'runs a generated migration',
    setting:
      'It always sends `CREATE SCHEMA`, and so does `drizzle-kit migrate`. Use `push`, or run the generated files with `tenantry migrate`',
    refusal: /permission denied/,
    run: async (place) => {
      configureDrizzle(place)
      place.write(
        'out/schema.ts',
        `import { pgTable, text } from 'drizzle-orm/pg-core'\nexport const places = pgTable('places', { name: text() })\n`,
      )
      await place.program('node_modules/.bin/drizzle-kit', 'generate')
      // Migrates with a script, because `drizzle-kit migrate` exits without an error message.
      await place.script(DRIZZLE_MIGRATE)
    },
  },
  {
    name: 'Prisma',
    npm: PRISMA,
    env: PRISMA_FILES,
    does: "a baseline, `migrate deploy`, `migrate status` (with `engine: 'js'`)",
    setting:
      'A baseline: `migrate diff --from-empty`, then `migrate resolve --applied 0_init`. Without it, `migrate deploy` ends with P3005, because the schema has the `auth_*` tables',
    run: baselineAndDeploy,
  },
  {
    name: 'Prisma `migrate deploy` without a baseline',
    npm: PRISMA,
    env: PRISMA_FILES,
    does: 'a first migration in a schema that has tables',
    setting: 'Make a baseline, as in the row above',
    refusal: /P3005/,
    run: async (place) => {
      configurePrisma(place)
      await deploy(place)
    },
  },
  {
    name: 'dbmate',
    npm: ['dbmate@2'],
    does: '`up`, `rollback`',
    setting: '`?sslmode=disable` in the address',
    run: async ({ url, write, program, query }) => {
      write(
        'migrations/1_places.sql',
        '-- migrate:up\ncreate table places (name text);\n-- migrate:down\ndrop table places;\n',
      )
      const options = ['--url', `${url}?sslmode=disable`, '--no-dump-schema', '-d', 'migrations']
      await program('node_modules/.bin/dbmate', ...options, 'up')
      expectSame(await query('select count(*)::int from places'), [{ count: 0 }])
      await program('node_modules/.bin/dbmate', ...options, 'rollback')
      expectSame(await query(`select to_regclass('places') as found`), [{ found: null }])
    },
  },
  {
    name: 'node-pg-migrate',
    npm: ['node-pg-migrate@8', 'pg@8'],
    does: '`up`, `down`',
    setting: '`--schema proj_<slug>`',
    run: async ({ schema, write, program, query }) => {
      write(
        'migrations/1_places.js',
        `export const up = (pgm) => pgm.createTable('places', { id: 'id', name: 'text' })\n`,
      )
      const options = ['--schema', schema, '-m', 'migrations']
      await program('node_modules/.bin/node-pg-migrate', 'up', ...options)
      expectSame(await query('select count(*)::int from places'), [{ count: 0 }])
      await program('node_modules/.bin/node-pg-migrate', 'down', ...options)
      expectSame(await query(`select to_regclass('places') as found`), [{ found: null }])
    },
  },
]

function configureDrizzle({ url, schema, write }: ToolPlace): void {
  const settings = {
    dialect: 'postgresql',
    dbCredentials: { url },
    schemaFilter: [schema],
    migrations: { schema },
    schema: './out/schema.ts',
    out: './out',
  }
  write('drizzle.config.json', JSON.stringify(settings))
}

async function pullAndPush(place: ToolPlace): Promise<void> {
  configureDrizzle(place)
  await place.program('node_modules/.bin/drizzle-kit', 'pull')
  const pulled = place.read('out/schema.ts')
  const [, name = ''] = /export const (\w+) = pgSchema/.exec(pulled) ?? []
  const added = `export const places = ${name}.table('places', { name: text().primaryKey() })\n`
  place.write('out/schema.ts', pulled + added)
  await place.program('node_modules/.bin/drizzle-kit', 'push', '--force')
  expectSame(await place.query(`insert into places values ('here') returning name`), [
    { name: 'here' },
  ])
  if (!/\.table\("people"/.test(pulled)) throw new Error(`no table "people" in ${pulled}`)
}

function configurePrisma({ write }: ToolPlace): void {
  write('schema.prisma', PRISMA_SCHEMA)
  write('prisma.config.ts', PRISMA_CONFIG)
  write('migrations/migration_lock.toml', 'provider = "postgresql"\n')
}

const prisma = ({ program }: ToolPlace, ...args: readonly string[]): Promise<string> =>
  program('node_modules/.bin/prisma', ...args)

async function deploy(place: ToolPlace): Promise<void> {
  place.write('migrations/1_places/migration.sql', 'create table places (name text primary key);\n')
  await prisma(place, 'migrate', 'deploy')
}

async function baselineAndDeploy(place: ToolPlace): Promise<void> {
  configurePrisma(place)
  place.write('migrations/0_init/migration.sql', '')
  const target = ['--from-empty', '--to-schema-datamodel', 'schema.prisma', '--script']
  await prisma(place, 'migrate', 'diff', ...target, '-o', 'migrations/0_init/migration.sql')
  await prisma(place, 'migrate', 'resolve', '--applied', '0_init')
  await deploy(place)
  await prisma(place, 'migrate', 'status')
  expectSame(await place.query('select count(*)::int from places'), [{ count: 0 }])
}

// npm libraries that an application uses: query builders, object mappers, job queues and S3 clients.
import { expectSame, type OutsideTool, type ToolPlace } from './tool.ts'

/** Runs a module that prints its result as JSON, and compares the result. */
async function expectPrinted(
  { script }: ToolPlace,
  text: string,
  expected: unknown,
): Promise<void> {
  const lines = (await script(text)).trim().split('\n')
  expectSame(JSON.parse(lines.at(-1) ?? ''), expected)
}

const KNEX = `
  import knex from 'knex'
  const db = knex({ client: 'pg', connection: process.env.DATABASE_URL })
  const up = (tx) => tx.schema.createTable('places', (table) => { table.increments('id'); table.string('name') })
  const down = (tx) => tx.schema.dropTable('places')
  const migrationSource = {
    getMigrations: async () => ['1'], getMigrationName: (name) => name, getMigration: () => ({ up, down }),
  }
  await db.migrate.latest({ migrationSource })
  await db.transaction((tx) => tx('places').insert({ name: 'north' }))
  console.log(JSON.stringify(await db('places').select('id', 'name')))
  await db.destroy()`

const KYSELY = `
  import { Kysely, PostgresDialect } from 'kysely'
  import { Migrator } from 'kysely/migration'
  import pg from 'pg'
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 4 })
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  const up = (tx) => tx.schema.createTable('places').addColumn('name', 'text').execute()
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ one: { up } }) } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
  await db.insertInto('places').values({ name: 'north' }).execute()
  console.log(JSON.stringify(await db.selectFrom('places').selectAll().execute()))
  await db.destroy()`

const SEQUELIZE = `
  import { DataTypes, Sequelize } from 'sequelize'
  const db = new Sequelize(process.env.DATABASE_URL, { logging: false })
  const Place = db.define('place', { name: DataTypes.STRING }, { timestamps: false })
  await Place.sync({ alter: true })
  await db.transaction((transaction) => Place.create({ name: 'north' }, { transaction }))
  console.log(JSON.stringify(await Place.findAll({ raw: true })))
  await db.close()`

const TYPEORM = `
  import { DataSource, EntitySchema } from 'typeorm'
  const Place = new EntitySchema({ name: 'place', columns: {
    id: { type: 'int', primary: true, generated: true }, name: { type: 'text' } } })
  const db = await new DataSource({
    type: 'postgres', url: process.env.DATABASE_URL, entities: [Place], synchronize: true }).initialize()
  await db.transaction((tx) => tx.getRepository(Place).save({ name: 'north' }))
  console.log(JSON.stringify(await db.getRepository(Place).find()))
  await db.destroy()`

const POSTGRES_JS = `
  import postgres from 'postgres'
  const sql = postgres(process.env.DATABASE_URL, { max: 4 })
  await sql.begin((tx) => tx\`insert into people (name) values (\${'north'})\`)
  console.log(JSON.stringify(await sql\`select id, name from people\`))
  await sql.end()`

const PG_BOSS = `
  import { PgBoss } from 'pg-boss'
  const boss = new PgBoss({ connectionString: process.env.DATABASE_URL, schema: process.env.SCHEMA, createSchema: false, max: 4 })
  boss.on('error', console.error)
  await boss.start()
  await boss.createQueue('places')
  await boss.send('places', { name: 'north' })
  const [job] = await boss.fetch('places')
  await boss.complete('places', job.id)
  console.log(JSON.stringify(job.data))
  await boss.stop()`

const GRAPHILE_WORKER = `
  import { makeWorkerUtils } from 'graphile-worker'
  const utils = await makeWorkerUtils({ connectionString: process.env.DATABASE_URL, schema: process.env.SCHEMA })
  await utils.migrate()`

const AWS_SDK = `
  import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
  const s3 = new S3Client({
    endpoint: process.env.S3_ENDPOINT, region: process.env.AWS_REGION, forcePathStyle: true })
  const Bucket = process.env.SCHEMA + '_sdk'
  await s3.send(new CreateBucketCommand({ Bucket }))
  await s3.send(new PutObjectCommand({ Bucket, Key: 'a/b.txt', Body: 'hello' }))
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: 'a/b.txt' }))
  console.log(JSON.stringify(await Body.transformToString()))`

const ROW = [{ id: 1, name: 'north' }]

export const NPM_LIBRARIES: readonly OutsideTool[] = [
  {
    name: 'knex',
    npm: ['knex@3', 'pg@8'],
    does: 'migrates, then writes in a transaction',
    setting: 'none',
    run: (place) => expectPrinted(place, KNEX, ROW),
  },
  {
    name: 'Kysely',
    npm: ['kysely@0.29', 'pg@8'],
    does: 'migrates, writes and reads',
    setting: 'none',
    run: (place) => expectPrinted(place, KYSELY, [{ name: 'north' }]),
  },
  {
    name: 'Sequelize',
    npm: ['sequelize@6', 'pg@8'],
    does: '`sync({ alter: true })`, then writes in a transaction',
    setting: 'none',
    run: (place) => expectPrinted(place, SEQUELIZE, ROW),
  },
  {
    name: 'TypeORM',
    npm: ['typeorm@1', 'pg@8', 'reflect-metadata@0.2'],
    does: '`synchronize`, then writes in a transaction',
    setting: 'none',
    run: (place) => expectPrinted(place, TYPEORM, ROW),
  },
  {
    name: 'Postgres.js',
    npm: ['postgres@3'],
    does: 'writes in a transaction and reads',
    setting: 'none',
    run: (place) => expectPrinted(place, POSTGRES_JS, ROW),
  },
  {
    name: 'pg-boss',
    npm: ['pg-boss@12', 'pg@8'],
    does: 'sends, fetches and completes a job',
    setting: "`schema: 'proj_<slug>'`, `createSchema: false`",
    run: (place) => expectPrinted(place, PG_BOSS, { name: 'north' }),
  },
  {
    name: 'graphile-worker',
    npm: ['graphile-worker@0.16', 'pg@8'],
    does: 'migrates its tables',
    setting: 'It always sends `CREATE SCHEMA`. Use a queue such as pg-boss, which can do without',
    refusal: /permission denied|42501/,
    run: async ({ script }) => {
      await script(GRAPHILE_WORKER)
    },
  },
  {
    name: 'AWS SDK for JavaScript 3 (S3)',
    npm: ['@aws-sdk/client-s3@3'],
    does: 'creates a bucket, writes and reads an object',
    setting: '`forcePathStyle: true`',
    run: (place) => expectPrinted(place, AWS_SDK, 'hello'),
  },
]

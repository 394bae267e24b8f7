// The choice of the engine on the command line: a server, its refusals, and data that belongs to one engine.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { spawnCli, temporaryFolder } from '../../support/cli-process.ts'
import { runCli } from '../../support/cli-run.ts'
import { noNativeServer } from '../../support/native-server.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const start = (dataDir: string, options: readonly string[], env: Record<string, string> = {}) =>
  runCli(
    ['start', '--data-dir', dataDir, '--fixture', 'none', '--port', '0', '--json', ...options],
    env,
  ).ended

function keptBy(server: unknown): string {
  const dataDir = join(folder.path, JSON.stringify(server).replace(/\W/g, ''))
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(join(dataDir, 'engine.json'), JSON.stringify({ engine: 'postgres', server }))
  return dataDir
}

describe('tenantry start --engine', () => {
  it('refuses the embedded engine for the data of a server, and says what to do', async () => {
    const dataDir = keptBy('native')
    const { code, stderr } = await start(dataDir, ['--engine', 'embedded'])
    expect(code).toBe(1)
    expect(stderr).toContain(`The data of ${dataDir} is in a PostgreSQL server`)
    expect(stderr).toContain('Start it with --engine postgres')
  })

  it('requires the database URL at each start, because the password is not stored', async () => {
    const { code, stderr } = await start(keptBy({ place: 'db.example:5432' }), [])
    expect(code).toBe(1)
    expect(stderr).toContain('is in the server at db.example:5432')
    expect(stderr).toContain('TENANTRY_DATABASE_URL')
  })

  it('reports an unreachable server, and does not print the password of the database URL', async () => {
    const url = 'postgres://app:secret-word@127.0.0.1:1/work'
    const { code, stderr } = await start(join(folder.path, 'new'), [], {
      TENANTRY_DATABASE_URL: url,
    })
    expect(code).toBe(1)
    expect(stderr).toContain(
      'The database server at 127.0.0.1:1 did not accept a connection as "app"',
    )
    expect(stderr).not.toContain('secret-word')
  })

  it('refuses a database URL together with the embedded engine', async () => {
    const { code, stderr } = await start(join(folder.path, 'both'), [
      '--engine=embedded',
      '--database-url=postgres://db.example/app',
    ])
    expect(code).toBe(1)
    expect(stderr).toContain('databaseUrl: is for the engine "postgres"')
  })
})

describe.skipIf(noNativeServer !== undefined)('tenantry exec --engine postgres', () => {
  it('runs the command against a server, and passes the server’s address to the command', async () => {
    const { code, stdout, stderr } = await spawnCli([
      ...['exec', '--engine', 'postgres', '--', process.execPath, '--input-type=module', '-e'],
      `import pg from 'pg'
       const { TENANTRY_POSTGRES_URL, TENANTRY_DATA_URL, TENANTRY_ANON_KEY: apikey } = process.env
       const headers = { apikey, authorization: 'Bearer ' + apikey }
       const answer = await fetch(TENANTRY_DATA_URL + '/treatments?limit=1', { headers })
       const client = new pg.Client({ connectionString: TENANTRY_POSTGRES_URL })
       await client.connect()
       const { rows } = await client.query('select current_user as "user", version()')
       await client.end()
       console.log(answer.status, rows[0].user, rows[0].version)`,
    ]).ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^200 proj_aurora_owner PostgreSQL 1[78]\.\d+ on /)
  })
})

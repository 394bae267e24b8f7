// The emulator on a PostgreSQL server: the death of the server, and the data that the data directory and a user's own server
// keep.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { createEmulator, type EmulatorConfig, type Observation } from '../../../emulator/index.ts'
import { ask, noNativeServer, serverFolder, startTestServer } from '../../support/native-server.ts'
import { startTestEmulator, type TestEmulator } from '../../support/test-emulator.ts'
import { untilAsync } from '../../support/until.ts'

const folder = serverFolder()
const dataDir = folder.path
afterAll(() => folder.remove())

async function start(
  config: EmulatorConfig,
  observe: (observation: Observation) => void = () => {},
): Promise<TestEmulator> {
  const at = await startTestEmulator(config, [observe])
  onTestFinished(() => at.emulator.close())
  return at
}

interface Notes {
  insert(id: number): Promise<number>
  read(): Promise<Awaited<ReturnType<TestEmulator['call']>>>
}

/** Creates a project with a table `notes`, or finds the project that an earlier call created. */
async function notesOf({ call, session }: TestEmulator): Promise<Notes> {
  const slug = 'notebook'
  const found = await call('GET', '/platform/v1/projects', { credential: session })
  const isThere = found.text.includes(`"slug":"${slug}"`)
  if (!isThere) {
    const made = await call('POST', '/platform/v1/projects', {
      credential: session,
      body: { name: slug, slug },
    })
    await call('POST', `/platform/v1/projects/${made.body.id}/db/exec`, {
      credential: session,
      body: { sql: 'create table notes (id int primary key)' },
    })
  }
  const { body: minted } = await call('POST', '/_emulator/v1/principals', {
    body: { project: slug, role: 'service_role' },
  })
  const credential: string = minted.token
  const headers = { apikey: credential }
  return {
    insert: async (id) =>
      (await call('POST', '/rest/v1/notes', { credential, headers, body: { id } })).status,
    read: () => call('GET', '/rest/v1/notes', { credential, headers }),
  }
}

describe.skipIf(noNativeServer !== undefined)('an emulator on the native server', () => {
  it('answers 503 while the server starts again, and has its data afterwards', async () => {
    const observations: Observation[] = []
    const at = await start({ engine: 'postgres', dataDir }, (each) => observations.push(each))
    const notes = await notesOf(at)
    expect(await notes.insert(1)).toBe(201)
    const file = join(dataDir, 'postgres-server', 'cluster', 'postmaster.pid')
    process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 'SIGKILL')
    // Sessions end only when they notice that the main process has ended, so the first reads may still succeed.
    let refused = await notes.read()
    for (let reads = 1; refused.status === 200 && reads < 2_000; reads++)
      refused = await notes.read()
    expect(refused).toMatchObject({
      status: 503,
      body: { code: expect.stringMatching(/^57P0[23]$/) },
    })
    expect(refused.headers.get('retry-after')).toBe('1')
    await untilAsync(async () => (await notes.read()).status === 200)
    expect((await notes.read()).body).toEqual([{ id: 1 }])
    expect(observations).toContainEqual(
      expect.objectContaining({
        kind: 'engineRestarted',
        reason: 'the database server ended: signal SIGKILL',
      }),
    )
  })

  it('finds its data again when no engine is configured', async () => {
    const notes = await notesOf(await start({ dataDir }))
    expect((await notes.read()).body).toEqual([{ id: 1 }])
  })

  it('refuses the embedded engine for its data directory', async () => {
    await expect(createEmulator({ engine: 'embedded', dataDir })).rejects.toMatchObject({
      code: 'other_engine',
    })
  })
})

describe.skipIf(noNativeServer !== undefined)('an emulator in memory on a given server', () => {
  it('leaves no database and no role of its projects behind', async () => {
    const given = serverFolder()
    const server = await startTestServer(given.path)
    onTestFinished(async () => {
      await server.close()
      given.remove()
    })
    const { password, user } = server.address
    const databaseUrl = `postgres://${user}:${password}@127.0.0.1:${server.clientAddress.port}/postgres`
    const ofProjects = `select string_agg(name, ' ') from
      (select datname as name from pg_database union select rolname from pg_roles) as names
      where name ~ '^(t[a-z2-7]{6}_|proj_|rt_proj_)'`
    const emulator = await startTestEmulator({ databaseUrl })
    const notes = await notesOf(emulator)
    expect(await notes.insert(1)).toBe(201)
    expect(await ask(server.address, ofProjects)).toContain('_proj_notebook')
    await emulator.emulator.close()
    expect(await ask(server.address, ofProjects)).toBeNull()
  })
})

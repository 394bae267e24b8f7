import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { SystemIdSource } from '../../../../emulator/core/id-source.ts'
import { describeServer } from '../../../../emulator/database/postgres/server/given-server.ts'
import type { RunningServer } from '../../../../emulator/database/postgres/server/running-server.ts'
import {
  ask,
  noNativeServer,
  serverFolder,
  startOldServer,
  startTestServer,
} from '../../../support/native-server.ts'

const folder = serverFolder()
const describeAt = (url: string) =>
  describeServer({ url, folder: join(folder.path, 'given'), ids: new SystemIdSource() })

afterAll(() => folder.remove())

describe('a database URL', () => {
  it.each([
    ['localhost:5432/app', 'does not begin with postgres://'],
    ['mysql://root@localhost/app', 'does not begin with postgres://'],
    ['postgres://app:secret-word@host:not-a-port/app', 'cannot be used'],
    ['postgres://app@host/app?sslmode=verify-full&sslrootcert=/gone.pem', '/gone.pem'],
  ])('refuses %s', async (url, reason) => {
    await expect(describeAt(url)).rejects.toMatchObject({
      code: 'server_refused',
      message: expect.stringContaining(reason),
    })
  })

  it('names host and account of an unreachable server, but no password', async () => {
    const failure = await describeAt('postgres://app:secret-word@127.0.0.1:1/work').catch(
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({
      code: 'server_unreachable',
      message: expect.stringMatching(
        /127\.0\.0\.1:1 did not accept a connection as "app" to "work": .*ECONNREFUSED/,
      ),
    })
    expect(JSON.stringify(failure) + String(failure)).not.toContain('secret-word')
  })
})

describe.skipIf(noNativeServer !== undefined)('a given server', () => {
  let server: RunningServer
  const urlOf = (user: string, database = 'postgres'): string =>
    `postgres://${user}:word@127.0.0.1:${server.clientAddress.port}/${database}`

  beforeAll(async () => {
    server = await startTestServer(folder.path)
    for (const role of ['full superuser', 'builder createrole createdb', 'visitor createdb'])
      await ask(server.address, `create role ${role} login password 'word'`)
  })
  afterAll(() => server.close())

  it('is described by its version, its account and its identity', async () => {
    const { address, facts } = await describeAt(urlOf('full'))
    expect(facts).toEqual(server.facts)
    expect(address).toMatchObject({ user: 'full', database: 'postgres', host: '127.0.0.1' })
  })

  it('has the same secret and prefix at every start, and a different secret from other servers', async () => {
    const first = await describeAt(urlOf('full'))
    const second = await describeAt(urlOf('full'))
    expect(second.secret).toEqual(first.secret)
    expect(second.prefix).toBe(first.prefix)
    expect(first.prefix).toMatch(/^t[a-z2-7]{6}_$/)
    expect(first.secret).not.toEqual(server.secret)
  })

  it('lists the capabilities that an account without superuser rights lacks', async () => {
    const { facts } = await describeAt(urlOf('builder'))
    expect(facts).toMatchObject({ isSuperuser: false, bypassesRls: false })
    expect(facts.missing.map(({ capability }) => capability)).toEqual([
      'bypassrls',
      'event triggers',
      'untrusted extensions',
      'rights on built-in objects',
    ])
  })

  it('is refused when its account cannot create roles, and names the statement that allows it', async () => {
    await expect(describeAt(urlOf('visitor'))).rejects.toMatchObject({
      code: 'server_refused',
      message: expect.stringContaining('"visitor"'),
      hint: 'Run as a superuser: alter role "visitor" createrole',
    })
  })

  it('is refused when the password is wrong or the database is missing', async () => {
    await expect(describeAt(urlOf('full').replace(':word@', ':other@'))).rejects.toThrow(
      'password authentication failed for user "full"',
    )
    await expect(describeAt(urlOf('full', 'gone'))).rejects.toThrow(
      'database "gone" does not exist',
    )
  })

  it('is refused when the database has another encoding', async () => {
    await ask(
      server.address,
      `create database narrow encoding latin1 locale 'C' locale_provider libc template template0`,
    )
    await expect(describeAt(urlOf('full', 'narrow'))).rejects.toThrow('has the encoding LATIN1')
  })
})

const OLD_PROGRAMS = '/usr/lib/postgresql/15/bin'
it.skipIf(!existsSync(OLD_PROGRAMS))('refuses a server whose version is too old', async () => {
  const old = await startOldServer(OLD_PROGRAMS)
  onTestFinished(() => old.stop())
  await expect(describeAt(old.url)).rejects.toMatchObject({
    code: 'server_refused',
    message: expect.stringMatching(/is PostgreSQL 15\..* works with PostgreSQL 17 and 18\./),
  })
})

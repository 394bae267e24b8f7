import { mkdtempSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SystemIdSource } from '../../../../emulator/core/id-source.ts'
import { describeServer } from '../../../../emulator/database/postgres/server/given-server.ts'

let folder: string
const describeAt = (url: string) => describeServer({ url, folder, ids: new SystemIdSource() })

beforeAll(() => {
  folder = mkdtempSync('/var/tmp/tenantry-given-')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a database URL', () => {
  it.each([
    ['localhost:5432/app', 'does not begin with postgres://'],
    ['mysql://root@localhost/app', 'does not begin with postgres://'],
    ['postgres://app:secret-word@host:not-a-port/app', 'cannot be used'],
  ])('refuses %s', async (url, reason) => {
    await expect(describeAt(url)).rejects.toMatchObject({
      code: 'server_refused',
      message: expect.stringContaining(reason),
    })
  })

  it('names host and account of an unreachable server, and no password', async () => {
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

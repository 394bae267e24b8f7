// Provisioning on a PostgreSQL server whose disk is full. Only root can mount a small file system.
import { rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { noNativeServer, serverFolder } from '../../support/native-server.ts'
import { fillDisk, mountDisk, unmountDisk } from '../../support/small-disk.ts'
import { createGroup, startTestEmulator } from '../../support/test-emulator.ts'

const disk = serverFolder()
const isMounted = noNativeServer === undefined && mountDisk(disk.path, 300)
afterAll(() => {
  if (isMounted) unmountDisk(disk.path)
  disk.remove()
})

describe.skipIf(!isMounted)('a full disk below a server (needs the right to mount one)', () => {
  it('makes the creation of a tenant fail with 507 until space is free again', async () => {
    await using at = await startTestEmulator({
      engine: 'postgres',
      dataDir: join(disk.path, 'data'),
    })
    const group = await createGroup(at, 'vendor', { sql: 'create table notes (id integer)' })
    const balloon = fillDisk(disk.path)
    // Leaves room for the platform's own records, but not for another database.
    truncateSync(balloon, statSync(balloon).size - (4 << 20))
    const provision = (place: number) =>
      at.call('POST', `/groups/v1/${group.id}/tenants`, {
        credential: group.key,
        body: { slug: `tenant${place}` },
      })
    // The first tenants can come from the stock of prepared clones, so the test provisions until a request fails.
    let place = 0
    let answer = await provision(place)
    while (answer.status === 201) answer = await provision(++place)
    expect(answer).toMatchObject({
      status: 507,
      body: {
        error: { code: 'disk_full', message: expect.stringContaining('Nothing was stored.') },
      },
    })
    rmSync(balloon)
    expect(await provision(place)).toMatchObject({ status: 201 })
  })
})

// Files of resumable uploads on the disk: before they expire, after a purge, and after a restart (docs/wire/storage.md#tus).
import { existsSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/cli-process.ts'
import {
  LENGTH,
  locationOf,
  metadataOf,
  type ResumableUploads,
  resumableUploads,
} from '../../support/resumable-uploads.ts'
import { askS3 } from '../../support/s3-client.ts'
import { type StorageWorld, startStorageWorld, storageToken } from '../../support/storage-world.ts'
import { provisionTenant, startTestEmulator } from '../../support/test-emulator.ts'

const folder = temporaryFolder()
let world: StorageWorld
let bucket: string
let uploads: ResumableUploads
beforeAll(async () => {
  world = await startStorageWorld({ dataDir: join(folder.path, 'world') })
  bucket = await world.freshBucket()
  uploads = resumableUploads(world, bucket)
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  folder.remove()
})

describe('an unfinished upload', () => {
  const parts = () => {
    const path = join(folder.path, 'world', 'uploads')
    return existsSync(path) ? readdirSync(path) : []
  }

  it('keeps the bytes that arrived before the client disconnected', async () => {
    const location = locationOf(await uploads.create('left', { 'upload-length': '1000000' }))
    const { hostname, port, pathname } = new URL(location)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.write(
      [
        `PATCH ${pathname} HTTP/1.1`,
        `host: ${hostname}:${port}`,
        `authorization: Bearer ${world.tokens.user}`,
        'tus-resumable: 1.0.0',
        'upload-offset: 0',
        'content-type: application/offset+octet-stream',
        'content-length: 1000000',
        '',
        '',
      ].join('\r\n'),
    )
    await new Promise((resolve) => socket.write(Buffer.alloc(400_000, 7), resolve))
    socket.end()
    let offset = 0
    while (offset === 0)
      offset = Number((await uploads.raw('HEAD', location)).headers.get('upload-offset'))
    expect(offset).toBeLessThanOrEqual(400_000)
  })

  it('expires by the platform clock and leaves no file', async () => {
    const location = locationOf(await uploads.create('expired'))
    await uploads.patch(location, 0, 'abc')
    const before = parts().length
    await world.advance(24 * 3_600)
    expect([before > 0, parts(), (await uploads.raw('HEAD', location)).status]).toEqual([
      true,
      [],
      404,
    ])
  })
})

describe('a purge', () => {
  it('removes unfinished uploads, parts, pictures and keys of the project', async () => {
    const files = () =>
      ['uploads', 'pictures', 'blobs'].flatMap((name) =>
        readdirSync(join(folder.path, 'world', name), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => entry.name),
      )
    const tenant = await provisionTenant(world.at, world.group, 'doomed')
    const token = await storageToken(world.at, tenant.serviceRoleKey)
    const before = files()
    const to = 'proj_doomed_files'
    await world.ask('POST', '/bucket', { token, body: { name: to } })
    const authorization = `Bearer ${token}`
    const metadata = metadataOf({ bucketName: to, objectName: 'half' })
    const created = await uploads.raw('POST', '', {
      authorization,
      ...LENGTH,
      'upload-metadata': metadata,
    })
    await uploads.patch(locationOf(created), 0, 'abc', { authorization })
    await world.ask('POST', `/object/${to}/logo.svg`, {
      token,
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>',
      headers: { 'content-type': 'image/svg+xml' },
    })
    await world.ask('GET', `/render/image/authenticated/${to}/logo.svg?width=5`, { token })
    const keys = (await world.at.call('POST', '/_emulator/v1/projects/doomed/s3-keys')).body
    const begun = await askS3(keys, 'POST', `/${to}/parts`, { query: { uploads: '' } })
    const uploadId = /<UploadId>(.*)<\/UploadId>/.exec(begun.text)?.[1] ?? ''
    await askS3(keys, 'PUT', `/${to}/parts`, { query: { uploadId, partNumber: '1' }, body: 'x' })
    const during = files()
    await world.at.call('DELETE', `/groups/v1/${world.group.id}/tenants/doomed/purge`, {
      credential: world.group.key,
      body: { confirm_slug: 'doomed' },
    })
    expect([during.length - before.length, files().sort()]).toEqual([4, before.sort()])
    expect((await askS3(keys, 'GET', '/')).status).toBe(403)
  })
})

describe('an upload', () => {
  it('survives a restart', async () => {
    const config = { dataDir: join(folder.path, 'restarted') }
    await using first = await startStorageWorld(config)
    const name = await first.freshBucket()
    const headers = {
      authorization: `Bearer ${first.tokens.user}`,
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
    }
    const created = await fetch(`${first.url}/upload/resumable`, {
      method: 'POST',
      headers: {
        ...headers,
        'upload-length': '6',
        'upload-metadata': metadataOf({ bucketName: name, objectName: 'restarted' }),
      },
      body: 'abc',
    })
    await first.at.emulator.close()

    await using second = await startTestEmulator(config)
    const { pathname } = new URL(locationOf(created))
    const last = await fetch(second.url + pathname, {
      method: 'PATCH',
      headers: { ...headers, 'upload-offset': '3' },
      body: 'def',
    })
    const read = await fetch(`${second.url}/storage/v1/object/${name}/restarted`, { headers })
    expect([last.status, last.headers.get('tus-complete'), await read.text()]).toEqual([
      204,
      '1',
      'abcdef',
    ])
  })
})

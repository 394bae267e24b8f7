// Failures during an upload: a client that disconnects, a file that is too large, two writers at once, a purge, a power cut
// (docs/wire/storage.md). The tests check the remaining files in the blobs' folder.
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, unlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spawnCli, temporaryFolder } from '../../support/cli-process.ts'
import { type StorageWorld, startStorageWorld, storageToken } from '../../support/storage-world.ts'
import { provisionTenant } from '../../support/test-emulator.ts'

const folder = temporaryFolder()
const dataDir = join(folder.path, 'world')
let world: StorageWorld
beforeAll(async () => {
  world = await startStorageWorld({ dataDir })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  folder.remove()
})

function filesUnder(path: string): string[] {
  if (!existsSync(path)) return []
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
}
const blobs = () => filesUnder(join(dataDir, 'blobs'))
const incoming = (dir = dataDir) => filesUnder(join(dir, 'blobs', 'incoming'))

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Opens a connection and sends the head of an upload. The test itself sends the body. */
function startUpload(url: string, token: string, path: string, headers: readonly string[]): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  const lines = [
    `POST ${new URL(url).pathname}/object/${path} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    `authorization: Bearer ${token}`,
    ...headers,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return socket
}

const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

describe('a client that leaves in the middle of an upload', () => {
  it.each([
    ['raw', ['content-type: x/y', 'content-length: 10000000'], ''],
    ['chunked', ['content-type: x/y', 'transfer-encoding: chunked'], ''],
    [
      'multipart',
      ['content-type: multipart/form-data; boundary=b', 'content-length: 10000000'],
      '--b\r\ncontent-disposition: form-data; name=""; filename="f"\r\n\r\n',
    ],
  ])('leaves the old object and nothing of the new one: %s', async (kind, headers, start) => {
    const bucket = await world.freshBucket()
    await world.put(bucket, 'key', 'old')
    const before = blobs()
    const socket = startUpload(world.url, world.tokens.server, `${bucket}/key`, [
      ...headers,
      'x-upsert: true',
    ])
    const half = Buffer.alloc(2_000_000, 1)
    socket.write(Buffer.concat([Buffer.from(start), kind === 'chunked' ? chunk(half) : half]))
    await until(() => incoming().length > 0)
    socket.destroy()
    await until(() => incoming().length === 0)
    expect((await world.ask('GET', `/object/${bucket}/key`)).text).toBe('old')
    expect(blobs()).toEqual(before)
  })
})

describe('a file that grows beyond its bucket’s limit', () => {
  it('is refused during the upload, and the client receives the answer', async () => {
    const bucket = await world.freshBucket({ file_size_limit: 1_000_000 })
    const before = blobs()
    const socket = startUpload(world.url, world.tokens.server, `${bucket}/key`, [
      'content-type: x/y',
      'transfer-encoding: chunked',
    ])
    let answer = ''
    let sent = 0
    socket.on('data', (bytes: Buffer) => {
      answer += bytes.toString()
    })
    socket.on('error', () => undefined)
    const piece = chunk(Buffer.alloc(100_000))
    while (!answer.includes('EntityTooLarge') && sent < 500) {
      sent += 1
      if (!socket.write(piece)) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await until(() => answer.includes('EntityTooLarge'))
    socket.destroy()
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"statusCode":"413"')
    expect([incoming(), blobs()]).toEqual([[], before])
  })

  it('is refused when the unmodified client sends a stream or a form', async () => {
    const bucket = await world.freshBucket({ file_size_limit: 1_000_000 })
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(Buffer.alloc(65_536)),
    })
    const to = world.client().from(bucket)
    const streamed = await to.upload('stream', stream, { duplex: 'half' })
    expect(streamed.error).toMatchObject({ code: 'EntityTooLarge', statusCode: '413' })
    const formed = await to.upload('form', new Blob([Buffer.alloc(20_000_000)]))
    expect(formed.error).toMatchObject({ code: 'EntityTooLarge', statusCode: '413' })
    expect(incoming()).toEqual([])
  })
})

describe('a large body that is refused', () => {
  it.each([
    ['of a caller who may not write', 'anon', 'key', 403],
    ['under an impossible key', 'server', 'k%C3%A9y', 400],
    ['of another project', 'neighbour', 'key', 400],
  ] as const)('is answered before the body is read: %s', async (_who, role, key, status) => {
    const bucket = await world.freshBucket()
    for (let round = 0; round < 2; round += 1) {
      const answer = await world.ask('POST', `/object/${bucket}/${key}`, {
        role,
        body: Buffer.alloc(12_000_000),
      })
      expect(answer.status).toBe(status)
    }
    expect(incoming()).toEqual([])
  })
})

describe('uploads of one key at the same time', () => {
  it('leave one complete object and one blob', async () => {
    const bucket = await world.freshBucket()
    const before = blobs().length
    const contents = Array.from({ length: 12 }, (_, index) => `${index}`.repeat(20_000 + index))
    const keys = await Promise.all(contents.map((text) => world.put(bucket, 'key', text)))
    expect(new Set(keys.map(({ Id }) => Id)).size).toBe(1)
    const { text } = await world.ask('GET', `/object/${bucket}/key`)
    expect(contents).toContain(text)
    expect(blobs().length).toBe(before + 1)
  })

  it('succeed only once without x-upsert', async () => {
    const bucket = await world.freshBucket()
    const before = blobs().length
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        world.ask('POST', `/object/${bucket}/key`, { body: randomBytes(100_000) }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(400)])
    expect(
      answers.filter(({ body }) => body.code === 'KeyAlreadyExists').map(({ status }) => status),
    ).toHaveLength(7)
    expect(blobs().length).toBe(before + 1)
  })
})

describe('a download', () => {
  it('continues with the old bytes when the object is replaced meanwhile', async () => {
    const bucket = await world.freshBucket()
    const old = Buffer.alloc(20_000_000, 1)
    await world.ask('PUT', `/object/${bucket}/key`, { body: old })
    const response = await fetch(`${world.url}/object/${bucket}/key`, {
      headers: { authorization: `Bearer ${world.tokens.server}` },
    })
    await world.put(bucket, 'key', 'new')
    expect(old.equals(Buffer.from(await response.arrayBuffer()))).toBe(true)
    expect((await world.ask('GET', `/object/${bucket}/key`)).text).toBe('new')
  })

  it('can be cancelled, and the server answers later requests', async () => {
    const bucket = await world.freshBucket()
    await world.ask('PUT', `/object/${bucket}/key`, { body: Buffer.alloc(20_000_000, 1) })
    for (let round = 0; round < 5; round += 1) {
      const given = new AbortController()
      const response = await fetch(`${world.url}/object/${bucket}/key`, {
        headers: { authorization: `Bearer ${world.tokens.server}` },
        signal: given.signal,
      })
      await response.body?.getReader().read()
      given.abort()
    }
    expect((await world.ask('HEAD', `/object/${bucket}/key`)).status).toBe(200)
  })
})

describe('an object whose file is lost', () => {
  it('is reported as not found, and the answer is not cached', async () => {
    const bucket = await world.freshBucket()
    const before = new Set(blobs())
    await world.put(bucket, 'key', 'x')
    const [file] = blobs().filter((path) => !before.has(path))
    unlinkSync(file ?? '')
    const answer = await world.ask('GET', `/object/${bucket}/key`)
    expect(answer).toMatchObject({
      status: 400,
      body: {
        statusCode: '404',
        error: 'Not found',
        code: 'NoSuchKey',
        message: 'The resource was not found',
      },
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

describe('a purge', () => {
  it('erases the project’s files and returns their number', async () => {
    const tenant = await provisionTenant(world.at, world.group, 'doomed')
    const token = await storageToken(world.at, tenant.serviceRoleKey)
    const bucket = 'proj_doomed_files'
    await world.ask('POST', '/bucket', { token, body: { name: bucket } })
    const before = blobs().length
    for (const key of ['a', 'b'])
      await world.ask('POST', `/object/${bucket}/${key}`, { token, body: 'x' })
    const purged = await world.at.call(
      'DELETE',
      `/groups/v1/${world.group.id}/tenants/doomed/purge`,
      { credential: world.group.key, body: { confirm_slug: 'doomed' } },
    )
    expect(purged.body.purged).toEqual({ buckets_deleted: 1, objects_deleted: 2 })
    expect(blobs().length).toBe(before)
  })
})

describe('a process killed without warning', () => {
  it('keeps every acknowledged object, and no byte of an unfinished upload', async () => {
    const dir = join(folder.path, 'killed')
    const start = () => spawnCli(['start', '--data-dir', dir, '--port', '0', '--json'])
    // After an orderly stop, the next start compares no files with the records. The start after the kill must do so again.
    const orderly = start()
    await orderly.ready
    orderly.child.kill('SIGINT')
    await orderly.ended
    expect(existsSync(join(dir, 'storage-in-order'))).toBe(true)
    const first = start()
    const ready = await first.ready
    const tenant = ready.groups[0]?.tenants[0]
    const url = ready.storage_url
    const exchange = async (base: string): Promise<string> => {
      const response = await fetch(`${base}/st/v1/token`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tenant?.service_role_key}` },
      })
      return ((await response.json()) as { token: string }).token
    }
    const headers = { authorization: `Bearer ${await exchange(ready.auth_url)}` }
    const bucket = `${tenant?.schema_name}_crash`
    await fetch(`${url}/bucket`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: bucket }),
    })
    const torn = startUpload(url, headers.authorization.slice(7), `${bucket}/torn`, [
      'content-type: x/y',
      'content-length: 50000000',
    ])
    torn.on('error', () => undefined)
    torn.write(Buffer.alloc(3_000_000, 1))
    await until(() => incoming(dir).length > 0)
    const acknowledged = new Map<string, string>()
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let turn = 0; ; turn += 1) {
        const key = `k${writer}/${turn % 5}`
        const text = `${writer}/${turn};`.repeat(500)
        const { status } = await fetch(`${url}/object/${bucket}/${key}`, {
          method: 'PUT',
          headers,
          body: text,
        })
        if (status === 200) acknowledged.set(key, text)
        if (writer === 0 && turn === 20) first.child.kill('SIGKILL')
      }
    })
    await Promise.allSettled(writers)
    await first.ended
    torn.destroy()

    const second = start()
    const again = await second.ready
    const later = { authorization: `Bearer ${await exchange(again.auth_url)}` }
    expect(acknowledged.size).toBeGreaterThanOrEqual(4)
    for (const [key, text] of acknowledged) {
      const response = await fetch(`${again.storage_url}/object/${bucket}/${key}`, {
        headers: later,
      })
      // The upload that was running when the process died may have succeeded or failed.
      const kept = await response.text()
      const [writer, turn] = kept.slice(0, kept.indexOf(';')).split('/').map(Number)
      expect(kept).toBe(`${writer}/${turn};`.repeat(500))
      expect(turn).toBeGreaterThanOrEqual(Number(text.slice(2, text.indexOf(';'))))
    }
    const gone = await fetch(`${again.storage_url}/object/${bucket}/torn`, { headers: later })
    expect(((await gone.json()) as { code: string }).code).toBe('NoSuchKey')
    expect(incoming(dir)).toEqual([])
    second.child.kill('SIGINT')
    await second.ended
  })
})

// Opening bundles from untrusted sources: nothing is written outside the folder, and sizes and hashes are compared.
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar, type TarEntry } from 'modern-tar'
import { afterAll, describe, expect, it } from 'vitest'
import {
  MAX_UNPACKED_BYTES,
  unpackBundle,
} from '../../../emulator/workflow/bundles/unpack-bundle.ts'

const root = mkdtempSync(join(tmpdir(), 'tenantry-unpack-'))
afterAll(() => rmSync(root, { recursive: true }))

const MANIFEST = {
  format: 'tenantry-bundle',
  version: 2,
  made_at: '2026-01-01T00:00:00.000Z',
  note: null,
  request_id: null,
  requests: 0,
  versions: { tenantry: '0', node: '0', platform: 'x', engine: 'embedded', postgres: '18' },
  time: { at: '2026-01-01T00:00:00.000Z', is_frozen: false },
  ids: null,
  settings: {
    clone: 'full',
    statement_timeout_ms: 1,
    max_body_bytes: 1,
    max_result_bytes: 1,
  },
  faults: [],
  state: { tenants: 0, developer_email: 'dev@tenantry.test', objects_left_out: 0 },
}

function file(name: string, body = 'x'): TarEntry {
  return { header: { name, size: body.length, type: 'file' }, body }
}

function listed(name: string, body = 'x'): object {
  const sha256 = createHash('sha256').update(body).digest('hex')
  return { path: name, size: body.length, sha256 }
}

const REQUESTS = file('requests.json', '[]')
const LISTED_REQUESTS = listed('requests.json', '[]')

let bundles = 0
/** Writes a bundle of these entries, and returns its path. */
async function bundleOf(changes: object, ...entries: readonly TarEntry[]): Promise<string> {
  const manifest = file('manifest.json', JSON.stringify({ ...MANIFEST, ...changes }))
  return written(gzipSync(await packTar([manifest, ...entries])))
}

function written(bytes: Uint8Array): string {
  bundles += 1
  const path = join(root, `${bundles}.tenantry`)
  writeFileSync(path, bytes)
  return path
}

const unpack = (path: string) => unpackBundle(path, join(root, `${bundles}-data`))

describe('unpackBundle', () => {
  it('writes each file of a state to its path', async () => {
    const blob = '00000000-0000-4000-8000-000000000001'
    const names = ['state/records.json', 'state/projects/shop_1.jsonl', `state/blobs/${blob}`]
    const path = await bundleOf(
      { files: [LISTED_REQUESTS, ...names.map((name) => listed(name))] },
      REQUESTS,
      ...names.map((name) => file(name)),
    )
    expect((await unpack(path)).requests).toBe('[]')
    for (const place of [
      'state/records.json',
      'state/projects/shop_1.jsonl',
      `data/blobs/00/${blob}`,
    ])
      expect(readFileSync(join(root, `${bundles}-data`, place), 'utf8')).toBe('x')
  })

  it.each([
    '../up',
    'state/../../up',
    '/etc/passwd',
    'state/projects/../../../up',
    'state/projects/../records.json',
    'state\\..\\up',
    'state/blobs/../../../up',
    `state/blobs/${'-'.repeat(36)}`,
    'state/engine.json',
    'state/platform.db',
    'state/postgres/PG_VERSION',
    'state/postgres/tenantry-loading.json',
    'state/postgres-loading.json',
    'state/restoring.json',
    'state/snapshots/a/snapshot.json',
    'state/records.json.draft',
  ])('refuses a file called %s', async (name) => {
    const path = await bundleOf({ files: [LISTED_REQUESTS, listed(name)] }, REQUESTS, file(name))
    await expect(unpack(path)).rejects.toThrow(/unknown name/)
    expect(existsSync(join(root, 'up')) || existsSync(join(root, '../up'))).toBe(false)
  })

  it('refuses a state file when the manifest announces no state', async () => {
    const name = 'state/records.json'
    const files = [LISTED_REQUESTS, listed(name)]
    const path = await bundleOf({ state: null, files }, REQUESTS, file(name))
    await expect(unpack(path)).rejects.toThrow(/unknown name/)
  })

  it.each(['symlink', 'link', 'fifo'] as const)('refuses an entry of the type %s', async (type) => {
    const name = 'state/projects/x.jsonl'
    const link: TarEntry = { header: { name, size: 0, type, linkname: '/etc/passwd' } }
    const path = await bundleOf({ files: [LISTED_REQUESTS, listed(name, '')] }, REQUESTS, link)
    await expect(unpack(path)).rejects.toThrow(/does not list/)
  })

  it('refuses a newer format with an explanation', async () => {
    const path = await bundleOf({ version: 4, files: 'in another way' })
    await expect(unpack(path)).rejects.toMatchObject({
      code: 'newer_bundle',
      message: expect.stringContaining('newer release'),
    })
  })

  it('refuses the earlier format, which contained a database, with an explanation', async () => {
    const name = 'state/platform.db'
    const path = await bundleOf(
      { version: 1, folders: [], files: [LISTED_REQUESTS, listed(name)] },
      REQUESTS,
      file(name),
    )
    await expect(unpack(path)).rejects.toMatchObject({
      code: 'older_bundle',
      message: expect.stringContaining('does not run a database that comes in a file'),
      hint: expect.stringContaining('make a new bundle'),
    })
    expect(existsSync(join(root, `${bundles}-data`))).toBe(false)
  })

  it('refuses content that differs from its hash', async () => {
    const path = await bundleOf({ files: [LISTED_REQUESTS] }, file('requests.json', '{}'))
    await expect(unpack(path)).rejects.toThrow(/was changed/)
  })

  it('refuses a file that the manifest does not list, and a file that occurs twice', async () => {
    const extra = await bundleOf({ files: [LISTED_REQUESTS] }, REQUESTS, file('state/records.json'))
    await expect(unpack(extra)).rejects.toThrow(/does not list/)
    const twice = await bundleOf({ files: [LISTED_REQUESTS] }, REQUESTS, REQUESTS)
    await expect(unpack(twice)).rejects.toThrow(/does not list/)
  })

  it('refuses a bundle that lacks a listed file, and a truncated bundle', async () => {
    const lacking = await bundleOf(
      { files: [LISTED_REQUESTS, listed('state/records.json')] },
      REQUESTS,
    )
    await expect(unpack(lacking)).rejects.toThrow(/was cut off: it lacks state\/records.json/)
    const whole = readFileSync(await bundleOf({ files: [LISTED_REQUESTS] }, REQUESTS))
    for (const part of [0.2, 0.6, 0.95]) {
      const cut = written(whole.subarray(0, Math.floor(whole.length * part)))
      await expect(unpack(cut)).rejects.toMatchObject({ code: 'damaged_bundle' })
    }
  })

  it('refuses random bytes, another tar archive and a file that does not exist', async () => {
    await expect(unpack(written(Buffer.from('no bundle')))).rejects.toMatchObject({
      code: 'damaged_bundle',
    })
    const tar = written(gzipSync(await packTar([file('fixture.yaml')])))
    await expect(unpack(tar)).rejects.toThrow(/does not begin with manifest.json/)
    await expect(unpack(join(root, 'nothing'))).rejects.toMatchObject({ code: 'unreadable_bundle' })
  })

  it('refuses announced sizes beyond the limit before it writes a file', async () => {
    const huge = { ...listed('state/records.json'), size: MAX_UNPACKED_BYTES + 1 }
    const path = await bundleOf({ files: [LISTED_REQUESTS, huge] }, REQUESTS)
    await expect(unpack(path)).rejects.toMatchObject({ code: 'bundle_too_large' })
    expect(existsSync(join(root, `${bundles}-data`))).toBe(false)
  })

  it('stops at the announced number of bytes', async () => {
    const bomb = 'x'.repeat(80 << 20)
    const path = await bundleOf({ files: [LISTED_REQUESTS] }, REQUESTS, file('state/x', bomb))
    await expect(unpack(path)).rejects.toMatchObject({ code: 'damaged_bundle' })
  })
})

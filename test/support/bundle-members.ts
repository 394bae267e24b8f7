// Unpacks the members of a bundle, and packs them again after changes.
import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { packTar, type TarEntry, unpackTar } from 'modern-tar'

export interface Member {
  readonly name: string
  readonly bytes: Uint8Array
  readonly type: 'file' | 'symlink' | 'link' | 'directory' | 'fifo'
  readonly linkname?: string
}

const MANIFEST = 'manifest.json'

export async function membersOf(bundle: Uint8Array): Promise<readonly Member[]> {
  const entries = await unpackTar(gunzipSync(bundle))
  return entries.map(({ data, header }) => ({
    name: header.name,
    bytes: data ?? new Uint8Array(),
    type: 'file' as const,
  }))
}

/** Returns the bytes of a bundle with these members. */
export async function packMembers(members: readonly Member[]): Promise<Uint8Array> {
  return gzipSync(await packTar(members.map(entryOf)), { level: 1 })
}

/** Updates the manifest's list of members with sizes and hashes. @param changes further members of the manifest to replace */
export function listMembers(members: readonly Member[], changes: object = {}): readonly Member[] {
  const [manifest] = members.filter(({ name }) => name === MANIFEST)
  const value = manifest && parsed(Buffer.from(manifest.bytes).toString())
  if (manifest === undefined || typeof value !== 'object' || value === null) return members
  const files = members
    .filter((member) => member !== manifest)
    .map(({ bytes, name }) => ({
      path: name,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    }))
  const bytes = Buffer.from(JSON.stringify({ ...value, ...changes, files }))
  return members.map((member) => (member === manifest ? { ...manifest, bytes } : member))
}

/** Returns `undefined` for a text that is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function entryOf({ bytes, linkname, name, type }: Member): TarEntry {
  const size = type === 'file' ? bytes.length : 0
  const header = { name, size, type, ...(linkname === undefined ? {} : { linkname }) }
  return type === 'file' ? { header, body: bytes } : { header }
}

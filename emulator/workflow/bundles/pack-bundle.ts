// Writes a bundle: a gzipped tar with the manifest first. The hashes are in the manifest, so each file is read twice.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, readFileSync, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { createTarPacker } from 'modern-tar'
import { epochMillis, toDate } from '../../core/time.ts'
import { type BundledFile, MANIFEST, type ManifestFacts, manifestText } from './manifest.ts'

/** A file on disk, or a text. */
export type PackedFile =
  | { readonly path: string; readonly source: string }
  | { readonly path: string; readonly text: string }

/** Writes the bundle to `target`. */
export async function packBundle(
  target: string,
  facts: Omit<ManifestFacts, 'files'>,
  files: readonly PackedFile[],
): Promise<void> {
  const described: Described[] = []
  for (const file of files) described.push(await describe(file))
  const listed = described.map(({ path, size, sha256 }) => ({ path, size, sha256 }))
  const manifest = { path: MANIFEST, text: manifestText({ ...facts, files: listed }) }
  const { controller, readable } = createTarPacker()
  const pack = async (): Promise<void> => {
    for (const { file, path, size } of [await describe(manifest), ...described]) {
      const header = { name: path, size, type: 'file', mode: 0o600, mtime: UNCHANGING } as const
      const writer = controller.add(header).getWriter()
      for await (const piece of contentOf(file)) await writer.write(piece)
      await writer.close()
    }
    controller.finalize()
  }
  const packing = pack().catch((error: unknown) => controller.error(error))
  // Level 6 takes 2.5 times as long and makes the demo's file a seventh smaller (measured).
  const gzip = createGzip({ level: constants.Z_BEST_SPEED })
  await pipeline(readable, gzip, createWriteStream(target, { mode: 0o600 }))
  await packing
}

/** A fixed modification time, so that equal contents make equal bundles. */
const UNCHANGING = toDate(epochMillis(0))

interface Described extends BundledFile {
  readonly file: PackedFile
}

async function describe(file: PackedFile): Promise<Described> {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of contentOf(file)) {
    hash.update(piece)
    size += piece.byteLength
  }
  return { file, path: file.path, size, sha256: hash.digest('hex') }
}

async function* contentOf(file: PackedFile): AsyncGenerator<Uint8Array> {
  if ('text' in file) yield Buffer.from(file.text)
  // A state has hundreds of small files. Reading them as streams would take most of the time.
  else if (statSync(file.source).size <= SMALL_BYTES) yield readFileSync(file.source)
  else yield* createReadStream(file.source)
}

const SMALL_BYTES = 1 << 20

// The prepared image: what the demo's schemas change in the cluster image. A new data directory that will have the demo is
// unpacked from both, so that applying the demo renames its schemas instead of building them. The build makes this image
// (scripts/build-prepared-image.ts). Without it everything works, and the first start takes longer.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { IS_BUNDLED, packageFile } from '../../../core/package-files.ts'
import {
  type ClusterImage,
  type ImageFile,
  readClusterImage,
  writeClusterImage,
} from './cluster-image.ts'

/** The prepared image that is shipped with the bundle. */
export const BUNDLED_PREPARED_IMAGE: string = packageFile('dist', 'demo.img')

// Files of a running server. A cluster that was shut down does not need them.
const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts'])

/** Returns the path of the prepared image. It exists only in the bundle, because source code changes all the time. */
export function findPreparedImage(): string | undefined {
  return IS_BUNDLED && existsSync(BUNDLED_PREPARED_IMAGE) ? BUNDLED_PREPARED_IMAGE : undefined
}

/** Reads a cluster's directory. Call this function when no engine has the cluster open. */
export function readCluster(folder: string): Pick<ClusterImage, 'directories' | 'files'> {
  const directories: string[] = []
  const files: ImageFile[] = []
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/')
    if (entry.isDirectory()) directories.push(path)
    else if (!LEFT_OUT.has(path)) {
      const bytes = readFileSync(join(folder, path))
      if (!isSpareSegment(path, bytes)) files.push({ path, bytes })
    }
  }
  return {
    directories: directories.sort(),
    files: files.sort((a, b) => (a.path < b.path ? -1 : 1)),
  }
}

/** Writes what the cluster in `folder` changed since it was unpacked from `imagePath`. */
export function writePreparedImage(path: string, imagePath: string, folder: string): void {
  const before = new Map(readClusterImage(imagePath).files.map((file) => [file.path, file.bytes]))
  const { directories, files } = readCluster(folder)
  const present = new Set(files.map((file) => file.path))
  writeClusterImage(path, {
    directories,
    files: files.filter((file) => !before.get(file.path)?.equals(file.bytes)),
    libraries: [],
    removed: [...before.keys()].filter((old) => !present.has(old)),
  })
}

/** The cluster of both images. @throws {Error} when one of them is damaged */
export function readPreparedCluster(imagePath: string, preparedPath: string): ClusterImage {
  const image = readClusterImage(imagePath)
  const { directories, files, removed = [] } = readClusterImage(preparedPath)
  const replaced = new Set([...removed, ...files.map(({ path }) => path)])
  return {
    ...image,
    directories: [...new Set([...image.directories, ...directories])],
    files: [...image.files.filter(({ path }) => !replaced.has(path)), ...files],
  }
}

// Finds the segments of the write-ahead log that a cluster image needs. Postgres keeps old segments under the names of later
// ones, to write over them. A new cluster works without them.

/** Size of a segment in bytes, set when the image is made (`--wal-segsize=1`). */
const SEGMENT_BYTES = 1n << 20n
const SEGMENTS_PER_LOG = (1n << 32n) / SEGMENT_BYTES
const SEGMENT = /^pg_wal\/[\dA-F]{8}([\dA-F]{8})([\dA-F]{8})$/
/** Place of the page's address in the header of a page (xlog_internal.h, `xlp_pageaddr`). */
const PAGE_ADDRESS = 8

/** Whether the file is a segment without log records of its own: recycled, or not yet written. */
export function isSpareSegment(path: string, bytes: Uint8Array): boolean {
  const [, log, segment] = SEGMENT.exec(path) ?? []
  if (log === undefined || segment === undefined) return false
  const start = (BigInt(`0x${log}`) * SEGMENTS_PER_LOG + BigInt(`0x${segment}`)) * SEGMENT_BYTES
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return view.getBigUint64(PAGE_ADDRESS, true) !== start
}

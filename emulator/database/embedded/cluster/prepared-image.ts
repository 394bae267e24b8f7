// The prepared image: the changes of the cluster image that the demo's schemas cause. A new data directory for the demo is
// unpacked from both images, so that applying the demo renames prepared schemas instead of building schemas. The package's build
// makes the image (scripts/build-prepared-image.ts). Without the image, only the first start takes longer.
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

// Files of a running server, which a cluster does not need after a shutdown.
const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts'])

/** Returns the path of the prepared image. Only the bundle has the image, because source code changes too often. */
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

/** Writes the differences between the cluster in `folder` and the image at `imagePath`, from which it was unpacked. */
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

/** Combines the cluster image with the changes of the prepared image. @throws {Error} when one of the images is damaged */
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

// Finds the segments of the write-ahead log that a cluster image needs. Postgres renames old segments to reuse them for later log
// records. A new cluster works without such segments.

/** Size of a segment in bytes, set when the image is made (`--wal-segsize=1`). */
const SEGMENT_BYTES = 1n << 20n
const SEGMENTS_PER_LOG = (1n << 32n) / SEGMENT_BYTES
const SEGMENT = /^pg_wal\/[\dA-F]{8}([\dA-F]{8})([\dA-F]{8})$/
/** Place of the page's address in the header of a page (xlog_internal.h, `xlp_pageaddr`). */
const PAGE_ADDRESS = 8

/** Whether the file is a segment without valid log records: an old segment that Postgres renamed, or an unwritten one. */
export function isSpareSegment(path: string, bytes: Uint8Array): boolean {
  const [, log, segment] = SEGMENT.exec(path) ?? []
  if (log === undefined || segment === undefined) return false
  const start = (BigInt(`0x${log}`) * SEGMENTS_PER_LOG + BigInt(`0x${segment}`)) * SEGMENT_BYTES
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return view.getBigUint64(PAGE_ADDRESS, true) !== start
}

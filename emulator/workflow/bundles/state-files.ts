// Lists the files of a saved state for a bundle. Bucket files are added from small to large. Bucket files beyond the size limit
// are left out.
import { readdirSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { STATE } from './manifest.ts'
import type { PackedFile } from './pack-bundle.ts'

/** Names inside the folder of a state. */
export const RECORDS = 'records.json'
export const PROJECTS = 'projects'
export const HISTORY = 'history'
export const PROJECT_ENDING = '.jsonl'

/** Maximum total bytes of the bucket files in a bundle. */
const MAX_BLOB_BYTES = 64 << 20

export interface StateFiles {
  readonly files: readonly PackedFile[]
  /** Number of bucket files that are left out. */
  readonly leftOut: number
}

/** @param folder a saved state, or an empty folder */
export function stateFiles(folder: string): StateFiles {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((source) => ({ source, path: pathInside(folder, source) }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
  const isBlob = ({ path }: { readonly path: string }): boolean => path.startsWith('blobs/')
  const blobs = smallestFirst(all.filter(isBlob))
  const kept = new Set(blobs.kept)
  return {
    files: all
      .filter(({ source, path }) => !isBlob({ path }) || kept.has(source))
      .map(({ path, source }) => ({ path: `${STATE}/${path}`, source })),
    leftOut: blobs.leftOut,
  }
}

function pathInside(folder: string, source: string): string {
  return relative(folder, source).replaceAll(sep, '/')
}

function smallestFirst(blobs: readonly { readonly source: string }[]): {
  readonly kept: readonly string[]
  readonly leftOut: number
} {
  let left = MAX_BLOB_BYTES
  const kept = blobs
    .map(({ source }) => ({ source, size: statSync(source).size }))
    .toSorted((one, other) => one.size - other.size)
    .filter(({ size }) => {
      left -= size
      return left >= 0
    })
  return { kept: kept.map(({ source }) => source), leftOut: blobs.length - kept.length }
}

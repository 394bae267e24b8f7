// The cluster image: a database cluster with roles, extensions and platform functions. The image is built once, so that initdb
// never runs on a user's machine. The image is one file: a JSON manifest, then the files' bytes, uncompressed.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { IS_BUNDLED, packageFile } from '../../../core/package-files.ts'
import { clusterSql } from '../../tenant-schema/cluster-sql.ts'

export interface ImageFile {
  /** The path inside the cluster's directory; for libraries, inside the engine's folder. */
  readonly path: string
  readonly bytes: Buffer
}

export interface ClusterImage {
  readonly directories: readonly string[]
  readonly files: readonly ImageFile[]
  /** The extensions' shared libraries, which the engine loads when they are first called. */
  readonly libraries: readonly ImageFile[]
  /** Only in a prepared image: paths of the cluster image that the prepared cluster no longer has (prepared-image.ts). */
  readonly removed?: readonly string[]
}

interface Manifest {
  readonly directories: readonly string[]
  readonly files: readonly ManifestFile[]
  readonly libraries: readonly ManifestFile[]
  readonly removed?: readonly string[]
}

type ManifestFile = readonly [path: string, length: number]

const MAGIC = 'TNRIMG1\n'
const HEADER_BYTES = MAGIC.length + 4
// The format number is part of the image's file name. Raise the number when the layout of an image or its build changes.
const FORMAT = '3'
const BUILD_SCRIPT = packageFile('scripts/build-cluster-image.ts')

/** The image that is shipped with the bundle. */
export const BUNDLED_IMAGE: string = packageFile('dist', 'cluster.img')

/** Path of the image for the current SQL and engine version. This path is used when the emulator runs from source. */
export function clusterImagePath(): string {
  const hash = createHash('sha256')
  for (const { name, text } of clusterSql('embedded'))
    hash.update(name).update('\0').update(text).update('\0')
  hash.update(FORMAT).update(engineVersion())
  return packageFile('.cache', `cluster-${hash.digest('hex').slice(0, 16)}.img`)
}

/**
 * Returns the path of the image. Builds a missing image, which takes some seconds after each change of its SQL.
 * @throws {Error} with the build's output when it fails
 */
export async function ensureClusterImage(): Promise<string> {
  if (IS_BUNDLED) return BUNDLED_IMAGE
  const path = clusterImagePath()
  if (!existsSync(path)) await runBuild(path)
  return path
}

/** Writes an image under a temporary name and renames it, so that readers never see an incomplete image. */
export function writeClusterImage(path: string, image: ClusterImage): void {
  const describe = ({ path, bytes }: ImageFile): ManifestFile => [path, bytes.length]
  const manifest: Manifest = {
    directories: image.directories,
    files: image.files.map(describe),
    libraries: image.libraries.map(describe),
    ...(image.removed === undefined ? {} : { removed: image.removed }),
  }
  const json = Buffer.from(JSON.stringify(manifest))
  const header = Buffer.alloc(HEADER_BYTES)
  header.write(MAGIC, 'latin1')
  header.writeUInt32LE(json.length, MAGIC.length)
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}`
  const file = openSync(draft, 'w')
  try {
    writeSync(file, header)
    writeSync(file, json)
    for (const { bytes } of [...image.files, ...image.libraries]) writeSync(file, bytes)
  } finally {
    closeSync(file)
  }
  renameSync(draft, path)
}

/** Reads an image; its files are views into one buffer, its libraries into another. @throws {Error} when it is damaged */
export function readClusterImage(path: string): ClusterImage {
  return withImage(path, ({ manifest, read }) => ({
    directories: manifest.directories,
    files: read(manifest.files, 0),
    libraries: read(manifest.libraries, lengthOf(manifest.files)),
    removed: manifest.removed ?? [],
  }))
}

/**
 * Reads only the libraries, a small part of the image. Use this function when the cluster already exists.
 * @throws {Error} when the image is damaged
 */
export function readClusterLibraries(path: string): readonly ImageFile[] {
  return withImage(path, ({ manifest, read }) => read(manifest.libraries, lengthOf(manifest.files)))
}

interface OpenImage {
  readonly manifest: Manifest
  /** Reads consecutive files. @param start bytes between the manifest and the first file */
  read(files: readonly ManifestFile[], start: number): readonly ImageFile[]
}

function withImage<Result>(path: string, use: (image: OpenImage) => Result): Result {
  const file = openSync(path, 'r')
  const readBytes = (at: number, length: number): Buffer => {
    const bytes = Buffer.allocUnsafeSlow(length)
    if (readSync(file, bytes, 0, length, at) < length)
      throw new Error(`${path} is cut short; delete it and start again`)
    return bytes
  }
  try {
    const head = readBytes(0, HEADER_BYTES)
    if (head.toString('latin1', 0, MAGIC.length) !== MAGIC)
      throw new Error(`${path} is no cluster image; delete it and start again`)
    const jsonLength = head.readUInt32LE(MAGIC.length)
    const manifest = JSON.parse(readBytes(HEADER_BYTES, jsonLength).toString('utf8')) as Manifest
    const body = HEADER_BYTES + jsonLength
    return use({
      manifest,
      read: (files, start) => split(files, readBytes(body + start, lengthOf(files))),
    })
  } finally {
    closeSync(file)
  }
}

function split(files: readonly ManifestFile[], bytes: Buffer): readonly ImageFile[] {
  let at = 0
  return files.map(([path, length]) => {
    const start = at
    at += length
    return { path, bytes: bytes.subarray(start, at) }
  })
}

function lengthOf(files: readonly ManifestFile[]): number {
  return files.reduce((sum, [, length]) => sum + length, 0)
}

/** Unpacks the cluster into an empty or missing directory. */
export async function unpackCluster(image: ClusterImage, dataDir: string): Promise<void> {
  for (const directory of image.directories)
    mkdirSync(join(dataDir, directory), { recursive: true })
  const write = ({ path, bytes }: ImageFile) => writeFile(join(dataDir, path), bytes)
  // The marker file is written last, because its presence means a complete cluster.
  await Promise.all(image.files.filter(({ path }) => path !== CLUSTER_MARKER).map(write))
  await Promise.all(image.files.filter(({ path }) => path === CLUSTER_MARKER).map(write))
}

/** The file whose presence says that a directory holds a cluster. */
export const CLUSTER_MARKER = 'PG_VERSION'

function engineVersion(): string {
  const manifest = JSON.parse(
    readFileSync(
      fileURLToPath(import.meta.resolve('@electric-sql/pglite')).replace(
        /dist\/.*$/,
        'package.json',
      ),
      'utf8',
    ),
  ) as { version: string }
  return manifest.version
}

function runBuild(path: string): Promise<void> {
  if (!existsSync(BUILD_SCRIPT))
    throw new Error(`the cluster image ${path} is missing; install the package again`)
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BUILD_SCRIPT, path], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let complaint = ''
    child.stderr.on('data', (chunk) => {
      complaint += String(chunk)
    })
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`the cluster image cannot be built: ${complaint.trim()}`))
    })
  })
}

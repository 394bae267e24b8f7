// The file systems of the engine: the cluster in memory or in a directory, and the extensions' libraries.
import { existsSync, lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { MemoryFS, type PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import {
  CLUSTER_MARKER,
  type ClusterImage,
  type ImageFile,
  readClusterImage,
  readClusterLibraries,
  unpackCluster,
} from '../../cluster/cluster-image.ts'
import type { WatchedModule } from '../states/changed-files.ts'

/** The cluster's path inside the engine. */
export const DATA_FOLDER = '/pglite/data'
const ENGINE_FOLDER = '/pglite'

/** The cluster in memory: the image's bytes become the files without a copy. */
export class MemoryFiles extends MemoryFS {
  readonly #image: ClusterImage

  constructor(imagePath: string) {
    super()
    this.#image = readClusterImage(imagePath)
  }

  override async initialSyncFs(): Promise<void> {
    const files = filesOf(this.pg)
    files.mkdirTree(DATA_FOLDER, 0o700)
    for (const directory of this.#image.directories) files.mkdirTree(`${DATA_FOLDER}/${directory}`)
    for (const { path, bytes } of this.#image.files) put(files, `${DATA_FOLDER}/${path}`, bytes)
    for (const { path, bytes } of this.#image.libraries)
      put(files, `${ENGINE_FOLDER}/${path}`, bytes)
  }
}

/** The cluster in a directory, unpacked from the image when the directory has none. */
export class DirectoryFiles extends NodeFS {
  readonly #libraries: readonly ImageFile[]
  readonly #unpacked: Promise<void>
  readonly #onMounted: (module: WatchedModule) => void

  /** @param onMounted called before the engine accesses any file */
  constructor(dataDir: string, imagePath: string, onMounted: (module: WatchedModule) => void) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    super(dataDir)
    this.#libraries = readClusterLibraries(imagePath)
    this.#onMounted = onMounted
    const isThere = existsSync(join(dataDir, CLUSTER_MARKER))
    // Emscripten runs this function while the engine loads.
    this.#unpacked = isThere
      ? Promise.resolve()
      : unpackCluster(readClusterImage(imagePath), dataDir)
  }

  override async initialSyncFs(): Promise<void> {
    await this.#unpacked
    const files = filesOf(this.pg)
    lookUpWithoutThrowing(this.pg?.Module as unknown as DirectoryModule, process.platform)
    this.#onMounted(this.pg?.Module as unknown as WatchedModule)
    for (const { path, bytes } of this.#libraries) put(files, `${ENGINE_FOLDER}/${path}`, bytes)
  }
}

/** The parts of emscripten's NODEFS that look up files. */
export interface DirectoryModule {
  readonly FS: { readonly ErrnoError: new (code: number) => object }
  readonly NODEFS: {
    readonly node_ops: { lookup(parent: object, name: string): object }
    realPath(node: object): string
    createNode(parent: object, name: string, mode: number): object
  }
}

const NO_ENTRY = 44 // ENOENT of WASI

/**
 * Speeds up the look-up of missing files. Postgres looks up each file four times before it creates the file, and Node's
 * exception costs ten times the look-up. A clone takes 7 % less time with this change (measured). On Windows emscripten also
 * corrects the mode of a found file, so its own look-up stays (docs/reference/platforms.md).
 */
export function lookUpWithoutThrowing(
  { FS, NODEFS }: DirectoryModule,
  platform: NodeJS.Platform,
): void {
  if (platform === 'win32') return
  NODEFS.node_ops.lookup = (parent, name) => {
    const found = lstatSync(join(NODEFS.realPath(parent), name), { throwIfNoEntry: false })
    if (found === undefined) throw new FS.ErrnoError(NO_ENTRY)
    return NODEFS.createNode(parent, name, found.mode)
  }
}

interface EngineFiles {
  mkdirTree(path: string, mode?: number): void
  createDataFile(
    folder: string,
    name: string,
    bytes: Uint8Array,
    canRead: boolean,
    canWrite: boolean,
    canOwn: boolean,
  ): void
}

function filesOf(pg: PGlite | undefined): EngineFiles {
  if (pg === undefined) throw new Error('the engine has no files yet')
  return pg.Module.FS as unknown as EngineFiles
}

function put(files: EngineFiles, path: string, bytes: Uint8Array): void {
  const slash = path.lastIndexOf('/')
  files.createDataFile(path.slice(0, slash), path.slice(slash + 1), bytes, true, true, true)
}

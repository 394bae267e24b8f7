// The file systems of the engine: the cluster in memory or in a directory, and the extensions' libraries.
import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync } from 'node:fs'
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
import { readPreparedCluster } from '../../cluster/prepared-image.ts'
import type { WorkerOptions } from '../../worker-protocol.ts'
import type { WatchedModule } from '../states/changed-files.ts'
import { createPackageFiles, type PackageModule } from './package-files.ts'

/** The cluster's path inside the engine. */
export const DATA_FOLDER = '/pglite/data'
const ENGINE_FOLDER = '/pglite'

type EngineOptions = Parameters<MemoryFS['init']>[1]
type InitResult = Awaited<ReturnType<MemoryFS['init']>>

/** The cluster in memory: the image's bytes become the files without a copy. */
export class MemoryFiles extends MemoryFS {
  readonly #image: ClusterImage

  constructor(imagePath: string) {
    super()
    this.#image = readClusterImage(imagePath)
  }

  override async init(pg: PGlite, options: EngineOptions): Promise<InitResult> {
    return await super.init(pg, withPackageFiles(options))
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

/** The images of a new cluster: the cluster image, and the prepared image if one exists. */
type Images = Pick<WorkerOptions, 'imagePath' | 'preparedPath'>

/** Reads the files of a new cluster. @throws {Error} when an image is damaged */
export function readImages({ imagePath, preparedPath }: Images): ClusterImage {
  return preparedPath === undefined
    ? readClusterImage(imagePath)
    : readPreparedCluster(imagePath, preparedPath)
}

/** The cluster in a directory, unpacked from the images when the directory has none. */
export class DirectoryFiles extends NodeFS {
  readonly #libraries: readonly ImageFile[]
  readonly #unpacking: Promise<void>
  readonly #onMounted: (module: WatchedModule) => void
  /** The paths of the unpacked files; absent when the cluster existed before. */
  readonly unpacked: ReadonlySet<string> | undefined
  /** Call this function after files were created without the engine. */
  forgetMissing: () => void = () => undefined

  /** @param onMounted called before the engine accesses any file */
  constructor(dataDir: string, images: Images, onMounted: (module: WatchedModule) => void) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    super(dataDir)
    this.#libraries = readClusterLibraries(images.imagePath)
    this.#onMounted = onMounted
    const image = existsSync(join(dataDir, CLUSTER_MARKER)) ? undefined : readImages(images)
    this.unpacked = image && new Set(image.files.map(({ path }) => path))
    // Emscripten runs this function while the engine loads.
    this.#unpacking =
      image === undefined
        ? Promise.resolve()
        : unpackCluster(image, dataDir).then(() => freeFiles([...image.files, ...image.libraries]))
  }

  override async init(pg: PGlite, options: EngineOptions): Promise<InitResult> {
    return await super.init(pg, withPackageFiles(options))
  }

  override async initialSyncFs(): Promise<void> {
    await this.#unpacking
    const files = filesOf(this.pg)
    createInOneCall(this.pg?.Module as unknown as CreatingModule, process.platform)
    this.forgetMissing = lookUpWithoutThrowing(
      this.pg?.Module as unknown as DirectoryModule,
      process.platform,
    )
    this.#onMounted(this.pg?.Module as unknown as WatchedModule)
    for (const { path, bytes } of this.#libraries) put(files, `${ENGINE_FOLDER}/${path}`, bytes)
  }
}

function withPackageFiles({ preRun = [], ...options }: EngineOptions): EngineOptions {
  return {
    ...options,
    preRun: [...preRun, (module) => createPackageFiles(module as unknown as PackageModule)],
  }
}

// Frees 20 MB at once. This thread allocates so little JavaScript memory that its garbage collector may never free them.
function freeFiles(files: readonly ImageFile[]): void {
  for (const buffer of new Set(files.map(({ bytes }) => bytes.buffer)))
    if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

type Operation = (...args: never[]) => unknown

/** The parts of emscripten's NODEFS that look up files. */
export interface DirectoryModule {
  readonly FS: { readonly ErrnoError: new (code: number) => object }
  readonly NODEFS: {
    readonly node_ops: Record<'lookup' | 'mknod' | 'rename' | 'symlink', Operation>
    realPath(node: object): string
    createNode(parent: object, name: string, mode: number): object
  }
}

const NO_ENTRY = 44 // ENOENT of WASI

/**
 * Speeds up the look-up of missing files. Postgres looks up each file three times before it creates the file. So the first answer
 * is kept until the engine creates or renames a file. Node's exception would take ten times as long as the look-up. On Windows,
 * emscripten also corrects the mode of a found file, so its own look-up is not replaced (docs/platform-calls.md).
 * @returns a function that forgets the kept answer
 */
export function lookUpWithoutThrowing(
  { FS, NODEFS }: DirectoryModule,
  platform: NodeJS.Platform,
): () => void {
  if (platform === 'win32') return () => undefined
  const { node_ops } = NODEFS
  let missing: { readonly parent: object; readonly name: string } | undefined
  const forget = (): void => {
    missing = undefined
  }
  for (const name of ['mknod', 'rename', 'symlink'] as const) {
    const operate = node_ops[name] as (...args: readonly unknown[]) => unknown
    node_ops[name] = (...args: readonly unknown[]) => {
      forget()
      return operate(...args)
    }
  }
  node_ops.lookup = (parent: object, name: string) => {
    if (missing?.name === name && missing.parent === parent) throw new FS.ErrnoError(NO_ENTRY)
    const found = lstatSync(join(NODEFS.realPath(parent), name), { throwIfNoEntry: false })
    if (found !== undefined) return NODEFS.createNode(parent, name, found.mode)
    missing = { parent, name }
    throw new FS.ErrnoError(NO_ENTRY)
  }
  return forget
}

interface FileNode {
  mode: number
}

interface FileStream {
  readonly node: FileNode
  readonly flags: number
  readonly shared: { refcount?: number }
  nfd?: number
}

/** The parts of emscripten's NODEFS that create and open files. */
export interface CreatingModule {
  readonly FS: { isFile(mode: number): boolean }
  readonly NODEFS: {
    readonly node_ops: {
      mknod(parent: object, name: string, mode: number, device: number): FileNode
      setattr(node: FileNode, attributes: { readonly mode?: number }): void
    }
    readonly stream_ops: { open(stream: FileStream): void }
    realPath(node: object): string
    createNode(parent: object, name: string, mode: number): FileNode
    tryFSOperation<Result>(operation: () => Result): Result
  }
}

/** The mode of every file of a cluster (file_perm.h, PG_FILE_MODE_OWNER). */
const FILE_MODE = 0o600
const PERMISSIONS = 0o7777
// Flags of musl, as emscripten uses them: O_RDWR, and the flags that have no effect on a file that was just created.
const READ_WRITE = 2
const WITHOUT_EFFECT = 0o100 | 0o100000 | 0o2000000

/**
 * Creates a file with one system call. Emscripten would create the file, close it, open it again and set its mode. A clone of 30
 * tables has 228 new files. On Windows, emscripten corrects modes, so its own functions are not replaced.
 */
export function createInOneCall({ FS, NODEFS }: CreatingModule, platform: NodeJS.Platform): void {
  if (platform === 'win32') return
  const { node_ops, stream_ops } = NODEFS
  const { mknod, setattr } = node_ops
  const { open } = stream_ops
  /** The file that was created last. `handle` is present until the file is opened. */
  let created: { readonly node: FileNode; readonly handle: number | undefined } | undefined
  const leave = (): void => {
    if (created?.handle !== undefined) closeSync(created.handle)
    created = undefined
  }
  node_ops.mknod = (parent, name, mode, device) => {
    leave()
    if (!FS.isFile(mode)) return mknod(parent, name, mode, device)
    const path = join(NODEFS.realPath(parent), name)
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL
    const handle = NODEFS.tryFSOperation(() => openSync(path, flags, FILE_MODE))
    const node = NODEFS.createNode(parent, name, mode)
    created = { node, handle }
    return node
  }
  stream_ops.open = (stream) => {
    const isPlain = (stream.flags & ~WITHOUT_EFFECT) === READ_WRITE
    if (created?.handle === undefined || created.node !== stream.node || !isPlain) {
      leave()
      open(stream)
      return
    }
    stream.shared.refcount = 1
    stream.nfd = created.handle
    created = { node: created.node, handle: undefined }
  }
  node_ops.setattr = (node, attributes) => {
    const { mode } = attributes
    const isSet = node === created?.node && mode !== undefined && (mode & PERMISSIONS) === FILE_MODE
    if (node === created?.node) leave()
    if (isSet) node.mode = mode
    else setattr(node, attributes)
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

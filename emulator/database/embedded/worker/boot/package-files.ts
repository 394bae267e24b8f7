// Creates the files of PGlite's own package (time zones, scripts of extensions) in the engine's memory. Emscripten looks up, opens,
// writes and closes each of the 690 files, which took a tenth of an engine's start (measured).

interface FileNode {
  contents: Uint8Array
  usedBytes: number
}

/** The arguments of emscripten's function. The package passes whole paths, without a name. */
type DataFile = readonly [
  path: string,
  name: string | null,
  bytes: Uint8Array,
  canRead: boolean,
  canWrite: boolean,
  canOwn: boolean,
]

/** The parts of emscripten's module that create the package's files. */
export interface PackageModule {
  readonly FS: {
    lookupPath(path: string): { readonly node: object & { readonly node_ops: object } }
  }
  readonly MEMFS: {
    readonly ops_table: { readonly dir: { readonly node: object } } | null
    createNode(parent: object, name: string, mode: number, device: number): FileNode
  }
  FS_createDataFile(...file: DataFile): void
}

// A regular file that everybody may read, write and execute, as emscripten creates it.
const MODE = 0o100777

/** Makes emscripten create each file with one call. Call this function before the module creates its files. */
export function createPackageFiles(module: PackageModule): void {
  const { FS, MEMFS, FS_createDataFile: createDataFile } = module
  let folder: { readonly path: string; readonly node: object } | undefined
  const folderAt = (path: string): object | undefined => {
    if (folder?.path === path) return folder.node
    const { node } = FS.lookupPath(path)
    if (node.node_ops !== MEMFS.ops_table?.dir.node) return undefined
    folder = { path, node }
    return node
  }
  module.FS_createDataFile = (...file) => {
    const [path, name, bytes, ...rights] = file
    const slash = path.lastIndexOf('/')
    const isPlain = name === null && slash > 0 && rights.every(Boolean)
    const parent = isPlain ? folderAt(path.slice(0, slash)) : undefined
    if (parent === undefined) {
      createDataFile(...file)
      return
    }
    const node = MEMFS.createNode(parent, path.slice(slash + 1), MODE, 0)
    node.contents = bytes
    node.usedBytes = bytes.length
  }
}

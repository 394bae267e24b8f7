// Tracks which files of the cluster changed since the baseline. Copies a file just before its first write, so that restoring
// the baseline only replaces changed files. While the baseline is a new cluster, its image has the originals, so that filling a
// new data directory copies nothing.
import {
  appendFileSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import {
  CREATED,
  changesSinceBaseline,
  isStateFile,
  ORIGINALS,
  type PendingLoad,
} from '../../cluster/cluster-files.ts'
import type { ImageFile } from '../../cluster/cluster-image.ts'

interface Node {
  readonly name: string
  readonly parent: Node
}

interface Stream {
  readonly node: Node
}

/** The files of the image that a new cluster was unpacked from. */
export interface Unpacked {
  readonly paths: ReadonlySet<string>
  read(): readonly ImageFile[]
}

/** Name inside a baseline of the list of changed files whose originals are still only in the image. */
const IN_IMAGE = 'in-image'

type Operation = (...args: never[]) => unknown

/** The parts of emscripten's NODEFS through which the engine writes all files. */
export interface WatchedModule {
  readonly FS: { unlink(path: string): void }
  readonly NODEFS: {
    readonly node_ops: Record<'setattr' | 'mknod' | 'rename' | 'unlink', Operation>
    readonly stream_ops: Record<'setattr' | 'write', Operation>
  }
}

export class ChangedFiles {
  readonly #cluster: string
  readonly #folder: string
  readonly #paths = new WeakMap<Node, { readonly path: string | undefined }>()
  /** The baseline's files that were copied. */
  readonly #copied = new Set<string>()
  readonly #created = new Set<string>()
  readonly #changed = new Set<string>()
  /** File descriptor of the list of created files, to which a clone of 30 tables adds 228 lines. */
  #log: number | undefined
  #isWatching = false
  /** Present while the baseline is the cluster as it was unpacked. */
  #unpacked: Unpacked | undefined

  /** @param folder for the copies */
  constructor(cluster: string, folder: string) {
    this.#cluster = cluster
    this.#folder = folder
  }

  /** Observes every write from now on. */
  attach({ NODEFS }: WatchedModule): void {
    const { node_ops, stream_ops } = NODEFS
    before(stream_ops, 'write', (stream: Stream) => this.#touch(this.#pathOf(stream.node)))
    before(stream_ops, 'setattr', (stream: Stream, attributes: { readonly size?: number }) => {
      if (attributes.size !== undefined) this.#touch(this.#pathOf(stream.node))
    })
    before(node_ops, 'setattr', (node: Node, attributes: { readonly size?: number }) => {
      if (attributes.size !== undefined) this.#touch(this.#pathOf(node))
    })
    // The engine creates only files that do not exist.
    before(node_ops, 'mknod', (parent: Node, name: string) =>
      this.#touch(inside(parent, name), true),
    )
    before(node_ops, 'unlink', (parent: Node, name: string) => this.#touch(inside(parent, name)))
    before(node_ops, 'rename', (node: Node, parent: Node, name: string) => {
      this.#touch(this.#pathOf(node))
      this.#touch(inside(parent, name))
      this.#paths.delete(node)
    })
  }

  /**
   * Makes the present files the baseline. The engine must have flushed all changes before.
   * @param unpacked the files' image when the cluster was just unpacked
   */
  setBaseline(unpacked?: Unpacked): void {
    if (this.#log !== undefined) closeSync(this.#log)
    this.#log = undefined
    rmSync(this.#folder, { recursive: true, force: true })
    this.#forget()
    this.#unpacked = unpacked
    this.#isWatching = true
  }

  /**
   * Continues with the baseline of the previous engine, whose latest changes are unknown.
   * @param image reads the image that the cluster was unpacked from
   */
  resumeBaseline(image: Unpacked['read']): void {
    this.#takeFromImage(image)
    const { files, remove } = changesSinceBaseline(this.#folder)
    this.#forget()
    for (const path of files) this.#copied.add(path)
    for (const path of remove) this.#created.add(path)
    for (const path of [...this.#copied, ...this.#created]) this.#changed.add(path)
    this.#isWatching = true
  }

  /** Lists the files to replace and to remove to restore the baseline. */
  sinceBaseline(): PendingLoad {
    if (this.#unpacked !== undefined) this.#takeFromImage(this.#unpacked.read)
    const changed = [...this.#changed]
    return {
      from: join(this.#folder, ORIGINALS),
      files: changed.filter((path) => this.#copied.has(path)),
      remove: changed.filter((path) => this.#created.has(path)),
    }
  }

  /** Forgets all changes. Call this method after the baseline was restored. */
  onRestored(): void {
    this.#changed.clear()
  }

  /** Tracks files that are about to be written without the engine. */
  touch(paths: readonly string[]): void {
    for (const path of paths) this.#touch(path)
  }

  #forget(): void {
    this.#copied.clear()
    this.#created.clear()
    this.#changed.clear()
  }

  #touch(path: string | undefined, isNew = false): void {
    if (path === undefined || !this.#isWatching || this.#changed.has(path)) return
    if (!isStateFile(path)) return
    if (!(this.#copied.has(path) || this.#created.has(path))) this.#keep(path, isNew)
    this.#changed.add(path)
  }

  #keep(path: string, isNew: boolean): void {
    const original = join(this.#cluster, path)
    if (isNew || !existsSync(original)) {
      this.#logCreated(path)
      return
    }
    if (this.#unpacked?.paths.has(path) === true) this.#noteInImage(path)
    else {
      const copy = join(this.#folder, ORIGINALS, path)
      mkdirSync(dirname(copy), { recursive: true, mode: 0o700 })
      copyFileSync(original, copy, constants.COPYFILE_FICLONE)
    }
    this.#copied.add(path)
  }

  #logCreated(path: string): void {
    if (this.#log === undefined) {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
      this.#log = openSync(join(this.#folder, CREATED), 'a')
    }
    writeSync(this.#log, `${path}\n`)
    this.#created.add(path)
  }

  #noteInImage(path: string): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    appendFileSync(join(this.#folder, IN_IMAGE), `${path}\n`)
  }

  // Copies the originals that exist only in the image to the folder of the other originals.
  #takeFromImage(read: Unpacked['read']): void {
    const list = join(this.#folder, IN_IMAGE)
    if (!existsSync(list)) return
    const wanted = new Set(readFileSync(list, 'utf8').split('\n'))
    for (const { path, bytes } of read())
      if (wanted.has(path)) {
        const copy = join(this.#folder, ORIGINALS, path)
        mkdirSync(dirname(copy), { recursive: true, mode: 0o700 })
        writeFileSync(copy, bytes)
      }
    rmSync(list)
  }

  // The answer is cached, because every write calls this function, including writes of the write-ahead log.
  #pathOf(node: Node): string | undefined {
    const cached = this.#paths.get(node)
    if (cached !== undefined) return cached.path
    const path = pathOf(node)
    const known = { path: isStateFile(path) ? path : undefined }
    this.#paths.set(node, known)
    return known.path
  }
}

function pathOf(node: Node): string {
  const names: string[] = []
  for (let at = node; at.parent !== at; at = at.parent) names.unshift(at.name)
  return names.join('/')
}

function inside(parent: Node, name: string): string {
  const folder = pathOf(parent)
  return folder === '' ? name : `${folder}/${name}`
}

function before<Name extends string, Args extends unknown[]>(
  operations: Record<Name, Operation>,
  name: Name,
  observe: (...args: Args) => void,
): void {
  const operate = operations[name] as unknown as (...args: Args) => unknown
  operations[name] = ((...args: Args) => {
    observe(...args)
    return operate(...args)
  }) as unknown as Operation
}

// Caches the contents of schemas until their next write, and writes them beside a snapshot. A later comparison then needs no
// second engine. Large schemas are left out, so that comparisons read them with a second engine (readable-state.ts).
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SchemaName } from '../../core/names.ts'
import { plainPath } from '../../core/plain-paths.ts'
import { SqlError } from '../../database/engine.ts'
import type { WriteVersions } from '../../database/write-versions.ts'
import type { StateFolder } from './snapshot-folder.ts'
import { CONTENT_FORMAT, type ContentText } from './tenant-content.ts'

/** Limits of reading: bytes of the rows of one schema (`each`) and of all schemas (`all`), and the number of schemas. */
export interface ContentBounds {
  readonly each: number
  readonly all: number
  readonly schemas: number
}

/** Limits for the files beside a snapshot. A file has about as many bytes as the rows that it describes. */
export const FILE_BOUNDS: ContentBounds = { each: 16 << 20, all: 48 << 20, schemas: 2_000 }
/** Limits for reading while requests wait. */
const HELD_BOUNDS: ContentBounds = { each: 1 << 20, all: 2 << 20, schemas: 8 }
/** Maximum size of the contents that stay in memory between snapshots, in characters. */
const MAX_KEPT = 8 << 20

export type ReadContent = (
  schemaName: SchemaName,
  maxBytes: number,
) => Promise<ContentText | undefined>

interface Kept {
  readonly version: string
  readonly content: ContentText
}

export interface KeptContents {
  /** Reads missing and outdated contents before requests have to wait. */
  prepare(schemas: readonly SchemaName[]): Promise<void>
  /** Runs `save`, then writes the contents of all schemas that did not change meanwhile. Call it while no request runs. */
  during<Result>(
    schemas: readonly SchemaName[],
    folder: StateFolder,
    save: () => Promise<Result>,
  ): Promise<Result>
  /** Returns the cached content, unless the schema was written to since then. */
  find(schemaName: SchemaName): string | undefined
}

export function keepContents(versions: Pick<WriteVersions, 'of'>, read: ReadContent): KeptContents {
  const kept = new Map<SchemaName, Kept>()
  const find = (schemaName: SchemaName): ContentText | undefined => {
    const known = kept.get(schemaName)
    const version = versions.of(schemaName)
    return version !== undefined && known?.version === version ? known.content : undefined
  }

  async function renew(schemas: readonly SchemaName[], bounds: ContentBounds): Promise<void> {
    let left = bounds.all
    let count = 0
    for (const schemaName of schemas) {
      const version = versions.of(schemaName)
      if (version === undefined || find(schemaName) !== undefined) continue
      kept.delete(schemaName)
      if (left <= 0 || count >= bounds.schemas) continue
      count += 1
      const content = await read(schemaName, Math.min(bounds.each, left)).catch(undefinedForSql)
      left -= content?.heapBytes ?? 0
      if (content !== undefined && versions.of(schemaName) === version)
        kept.set(schemaName, { version, content })
    }
  }

  function release(schemas: ReadonlySet<SchemaName>): void {
    let characters = 0
    for (const [schemaName, { content }] of kept) {
      characters += content.text.length
      if (characters > MAX_KEPT || !schemas.has(schemaName)) kept.delete(schemaName)
    }
  }

  return {
    find: (schemaName) => find(schemaName)?.text,
    prepare: (schemas) => renew(schemas, FILE_BOUNDS),
    during: async (schemas, folder, save) => {
      await renew(schemas, HELD_BOUNDS)
      const before = new Map(schemas.map((schemaName) => [schemaName, find(schemaName)]))
      const result = await save()
      for (const [schemaName, content] of before)
        if (content !== undefined && find(schemaName) === content)
          writeContent(folder, schemaName, content.text)
      release(new Set(schemas))
      return result
    },
  }
}

// Leaves out a content that cannot be read, because the comparison reports the error.
function undefinedForSql(error: unknown): undefined {
  if (error instanceof SqlError) return undefined
  throw error
}

const fileOf = ({ path }: StateFolder, schemaName: SchemaName): string =>
  plainPath(join(path, 'contents', CONTENT_FORMAT), `${schemaName}.json`)

/** Returns `undefined` when the schema's content is not beside the snapshot, for example in a snapshot of an earlier release. */
export function readKeptContent(folder: StateFolder, schemaName: SchemaName): string | undefined {
  const file = fileOf(folder, schemaName)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

export function writeContent(folder: StateFolder, schemaName: SchemaName, text: string): void {
  const file = fileOf(folder, schemaName)
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.draft`, text)
  renameSync(`${file}.draft`, file)
}

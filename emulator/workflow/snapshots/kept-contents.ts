// Keeps the contents of schemas until their next write, and writes them beside a snapshot, so that a later comparison needs no
// second engine. Large schemas are left out: comparisons read them with a second engine (readable-state.ts).
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SchemaName } from '../../core/names.ts'
import { plainPath } from '../../core/plain-paths.ts'
import { SqlError } from '../../database/engine.ts'
import type { WriteVersions } from '../../database/write-versions.ts'
import type { StateFolder } from './snapshot-folder.ts'
import { CONTENT_FORMAT, type ContentText } from './tenant-content.ts'

/** Limits of reading: bytes of rows of one schema (`each`) and of all (`all`), and the number of schemas. */
export interface ContentBounds {
  readonly each: number
  readonly all: number
  readonly schemas: number
}

/** Bounds of a snapshot's files. A file has about as many bytes as the rows that it describes. */
export const FILE_BOUNDS: ContentBounds = { each: 16 << 20, all: 48 << 20, schemas: 2_000 }
/** Bounds of what is read while requests wait. */
const HELD_BOUNDS: ContentBounds = { each: 1 << 20, all: 2 << 20, schemas: 8 }
/** Contents that stay in memory between snapshots, in characters of their texts. */
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
  /** Reads the contents that are missing or outdated, before requests are held. */
  prepare(schemas: readonly SchemaName[]): Promise<void>
  /**
   * Runs `save`, then writes the contents of all schemas that no one wrote to meanwhile. No request may be running.
   */
  during<Result>(
    schemas: readonly SchemaName[],
    folder: StateFolder,
    save: () => Promise<Result>,
  ): Promise<Result>
  /** Returns the content if it is kept and nothing was written since. */
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

// A content that cannot be read is left out. The comparison reports the error.
function undefinedForSql(error: unknown): undefined {
  if (error instanceof SqlError) return undefined
  throw error
}

const fileOf = ({ path }: StateFolder, schemaName: SchemaName): string =>
  plainPath(join(path, 'contents', CONTENT_FORMAT), `${schemaName}.json`)

/** Returns `undefined` for a schema whose content was not written, such as in a snapshot of an earlier release. */
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

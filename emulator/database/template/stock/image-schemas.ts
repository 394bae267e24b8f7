// The schemas of the prepared image (embedded/cluster/prepared-image.ts): a template as its SQL makes it, and clones of it. No
// project owns them, and the fence hides them from every tenant, until one is renamed. Only the embedded engine has an image.
import { createHash } from 'node:crypto'
import { isJsonObject, type JsonValue, parseJson } from '../../../core/json.ts'
import { type SchemaName, trusted } from '../../../core/names.ts'
import { cellText, type Engine } from '../../engine.ts'
import type { StructureCounts } from '../../schema-builder.ts'
import { identifier, literal, type Sql, script, sql, verbatim } from '../../sql.ts'
import { cloneSettings, ownerWork } from '../clone-schema.ts'
import { renamer } from '../rename-structure.ts'

/** The description of a prepared schema, stored as JSON in the schema's comment. */
export interface ImageSchema {
  /** The digest of the SQL that made the template (`digestOfScripts`). */
  readonly scripts: string
  readonly kind: 'source' | 'clone'
  readonly counts: StructureCounts
  /**
   * Statements that contain the schema's own name. After a renaming, these statements run again with the new name (`keptTexts`).
   */
  readonly texts: readonly string[]
}

// A slug has at most 44 characters and these names have 47 after `proj_`, so no project can have such a name.
const PREFIX = 'proj_prepared_image_'
const READ_ALL = sql`select nspname, pg_catalog.obj_description(oid, 'pg_namespace')
from pg_catalog.pg_namespace where nspname ~ ${literal(`^${PREFIX}[0-9a-f]{32}$`)} order by nspname`

/** Returns the digest of the SQL that an owner runs in an empty project, in order. */
export function digestOfScripts(scripts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(scripts)).digest('hex')
}

/** Returns the same name for the same digest and number. */
export function imageSchemaName(digest: string, number: number): SchemaName {
  const hash = createHash('sha256').update(`${digest} ${number}`).digest('hex')
  return trusted.schemaName(PREFIX + hash.slice(0, 32))
}

/** Marks a schema as prepared. The build of the image runs this statement last. */
export function noteImageSchema(schemaName: SchemaName, prepared: ImageSchema): Sql {
  return sql`comment on schema ${identifier(schemaName)} is ${literal(JSON.stringify(prepared))}`
}

/** Gives the prepared schemas of one engine to new projects, each schema once. */
export class ImageSchemas {
  readonly #engine: Engine
  #listed: Promise<Map<SchemaName, ImageSchema>> | undefined
  /** The digests of templates that were taken and have not changed since. */
  readonly #sources = new Map<SchemaName, string>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Makes `target` the template of these scripts. Returns false when the image has no such template left. @throws {SqlError} */
  async takeSource(scripts: readonly string[], target: SchemaName): Promise<boolean> {
    const digest = digestOfScripts(scripts)
    const taken = await this.#take(target, (one) => one.kind === 'source' && one.scripts === digest)
    if (taken !== undefined) this.#sources.set(target, digest)
    return taken !== undefined
  }

  /** Makes `target` a clone of `source`. Returns `undefined` when the image has no such clone left. @throws {SqlError} */
  async takeClone(source: SchemaName, target: SchemaName): Promise<StructureCounts | undefined> {
    const digest = this.#sources.get(source)
    if (digest === undefined) return undefined
    const isClone = (one: ImageSchema) => one.kind === 'clone' && one.scripts === digest
    return (await this.#take(target, isClone))?.counts
  }

  /** Call this method when the schema has changed, because the image's clones of the schema are then out of date. */
  forget(schemaName: SchemaName): void {
    this.#sources.delete(schemaName)
  }

  /** Call this method when the database was restored to another state. */
  forgetAll(): void {
    this.#sources.clear()
    this.#listed = undefined
  }

  /** Drops the remaining schemas. Does nothing when the schemas were never listed. @throws {SqlError} */
  async dropRest(): Promise<void> {
    const rest = await (this.#listed ?? [])
    this.#sources.clear()
    for (const [schemaName] of rest) {
      await this.#engine.projects.drop(schemaName)
      if (rest instanceof Map) rest.delete(schemaName)
    }
  }

  async #take(
    target: SchemaName,
    isWanted: (prepared: ImageSchema) => boolean,
  ): Promise<ImageSchema | undefined> {
    this.#listed ??= this.#list()
    const all = await this.#listed
    for (const [schemaName, prepared] of all)
      if (isWanted(prepared)) {
        all.delete(schemaName)
        const uncomment = sql`comment on schema ${identifier(target)} is null`
        await this.#engine.projects.rename(schemaName, target, [uncomment])
        await this.#renameTexts(prepared, schemaName, target)
        return prepared
      }
    return undefined
  }

  async #renameTexts(
    { texts }: ImageSchema,
    schemaName: SchemaName,
    target: SchemaName,
  ): Promise<void> {
    if (texts.length === 0) return
    const rename = renamer(schemaName, target)
    const statements = texts.map((text) => verbatim(rename(text)))
    await this.#engine.run(ownerWork(target, [...cloneSettings('full'), ...statements], 'full'))
  }

  async #list(): Promise<Map<SchemaName, ImageSchema>> {
    const [found] = await this.#engine.admin('cluster', script([READ_ALL]))
    const rows = (found?.rows ?? []).map(([name, comment]): [SchemaName, JsonValue | undefined] => [
      trusted.schemaName(cellText(name) ?? ''),
      parseJson(cellText(comment) ?? 'null'),
    ])
    return new Map(
      rows.flatMap(([name, read]) =>
        // Images of earlier releases have no texts.
        isJsonObject(read)
          ? [[name, { texts: [], ...read } as unknown as ImageSchema] as const]
          : [],
      ),
    )
  }
}

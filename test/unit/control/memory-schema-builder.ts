// The SchemaBuilder port without an engine: schemas are entries of a map, and any step can be made to fail.
import type { SchemaBuilder, StructureCounts } from '../../../emulator/database/schema-builder.ts'

export class MemorySchemaBuilder implements SchemaBuilder {
  readonly schemas = new Map<string, StructureCounts>()
  /** Steps that fail from now on. */
  readonly failing = new Set<keyof SchemaBuilder>()
  /** The error that failing steps throw. Without it, each step throws its own error. */
  failure: Error | undefined

  async createEmpty(target: string): Promise<void> {
    await this.#step('createEmpty')
    this.#add(target, { tables: 0, foreignKeys: 0 })
  }

  createPrepared(): Promise<boolean> {
    return Promise.resolve(false)
  }

  dropPrepared(): Promise<void> {
    return Promise.resolve()
  }

  /** Fails only after the schema exists, so that the caller must remove the schema. */
  async cloneFrom(source: string, target: string): Promise<StructureCounts> {
    const structure = this.schemas.get(source)
    if (structure === undefined) throw new Error(`no schema ${source}`)
    this.#add(target, structure)
    await this.#step('cloneFrom')
    return structure
  }

  provisionFrom(source: string, target: string): Promise<StructureCounts> {
    return this.cloneFrom(source, target)
  }

  async drop(target: string): Promise<void> {
    await this.#step('drop')
    this.schemas.delete(target)
  }

  async clear(target: string): Promise<void> {
    await this.#step('clear')
    this.schemas.set(target, { tables: 0, foreignKeys: 0 })
  }

  async counts(schemaName: string): Promise<StructureCounts> {
    await this.#step('counts')
    const structure = this.schemas.get(schemaName)
    if (structure === undefined) throw new Error(`no schema ${schemaName}`)
    return structure
  }

  #add(target: string, structure: StructureCounts): void {
    if (this.schemas.has(target)) throw new Error(`schema ${target} exists`)
    this.schemas.set(target, structure)
  }

  async #step(step: keyof SchemaBuilder): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    if (this.failing.has(step)) throw this.failure ?? new Error(`${step} fails`)
  }
}

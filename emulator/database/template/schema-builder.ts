// Creates, clones, counts and drops projects' schemas. The class implements the interface `SchemaBuilder` of
// projects/schema-builder.ts, which this layer must not import.
import type { SchemaName } from '../../core/names.ts'
import type { Engine } from '../engine.ts'
import { script } from '../sql.ts'
import { createProjectScript, dropProjectScript } from '../tenant-schema/install.ts'
import { cloneSchema, type Fidelity } from './clone-schema.ts'
import { TenantStock, type TenantStockDeps } from './stock/tenant-stock.ts'
import { countsOf, loadStructure, type SchemaStructure, type StructureCounts } from './structure.ts'

export interface SchemaBuilderDeps {
  readonly engine: Engine
  /** Reports changed schemas, so that their cached structures are dropped. */
  readonly lifecycle: { listen(listener: SchemaListener): void }
  readonly fidelity: Fidelity
  /** Absent: no clones are prepared. */
  readonly stock?: Pick<TenantStockDeps, 'wallClock' | 'ids' | 'observe' | 'closing'> | undefined
}

interface SchemaListener {
  schemaChanged(project: { readonly schemaName: SchemaName }): void
  offline(project: { readonly schemaName: SchemaName }): void
  stateReplaced(): void
}

export interface PostgresSchemaBuilder {
  createEmpty(target: SchemaName): Promise<void>
  cloneFrom(source: SchemaName, target: SchemaName): Promise<StructureCounts>
  provisionFrom(source: SchemaName, target: SchemaName): Promise<StructureCounts>
  drop(target: SchemaName): Promise<void>
  counts(schemaName: SchemaName): Promise<StructureCounts>
}

/** Caches a template's structure until its schema changes. */
export function createSchemaBuilder({
  engine,
  lifecycle,
  fidelity,
  stock: stockDeps,
}: SchemaBuilderDeps): PostgresSchemaBuilder {
  const known = new Map<SchemaName, Promise<SchemaStructure>>()
  const forget = ({ schemaName }: { readonly schemaName: SchemaName }) => {
    known.delete(schemaName)
  }
  const structureOf = (schemaName: SchemaName): Promise<SchemaStructure> => {
    const kept = known.get(schemaName)
    if (kept !== undefined) return kept
    const loading = loadStructure(engine, schemaName)
    known.set(schemaName, loading)
    loading.catch(() => forget({ schemaName }))
    return loading
  }
  const stock = stockDeps && new TenantStock({ ...stockDeps, engine, fidelity, structureOf })
  lifecycle.listen({
    schemaChanged: (project) => {
      forget(project)
      stock?.onChange(project.schemaName)
    },
    offline: (project) => {
      forget(project)
      stock?.onOffline(project.schemaName)
    },
    stateReplaced: () => {
      known.clear()
      stock?.onStateReplaced()
    },
  })
  const build = async (
    source: SchemaName,
    target: SchemaName,
    provide: (structure: SchemaStructure) => Promise<boolean>,
  ): Promise<StructureCounts> => {
    const structure = await structureOf(source)
    try {
      if (await provide(structure)) return countsOf(structure)
      return await cloneSchema(engine, structure, target, fidelity)
    } catch (error) {
      await engine.admin(script(dropProjectScript(target)))
      throw error
    }
  }
  return {
    createEmpty: async (target) => {
      await engine.admin(script(createProjectScript(target)))
    },
    cloneFrom: (source, target) => build(source, target, async () => false),
    provisionFrom: (source, target) =>
      build(
        source,
        target,
        async (structure) => (await stock?.provide(structure, target)) ?? false,
      ),
    drop: async (target) => {
      forget({ schemaName: target })
      await engine.admin(script(dropProjectScript(target)))
    },
    counts: async (schemaName) => countsOf(await structureOf(schemaName)),
  }
}

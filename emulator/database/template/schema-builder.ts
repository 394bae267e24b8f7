// Creates, clones, counts and drops projects' schemas.
import type { SchemaName } from '../../core/names.ts'
import type { Engine } from '../engine.ts'
import type { SchemaBuilder, StructureCounts } from '../schema-builder.ts'
import { script } from '../sql.ts'
import { clearProjectScript } from '../tenant-schema/install.ts'
import { cloneSchema, type Fidelity } from './clone-schema.ts'
import { ImageSchemas } from './stock/image-schemas.ts'
import { TenantStock, type TenantStockDeps } from './stock/tenant-stock.ts'
import { countsOf, loadStructure, type SchemaStructure } from './structure.ts'

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

/** Caches a template's structure until its schema changes. */
export function createSchemaBuilder({
  engine,
  lifecycle,
  fidelity,
  stock: stockDeps,
}: SchemaBuilderDeps): SchemaBuilder {
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
  const image = new ImageSchemas(engine)
  lifecycle.listen({
    schemaChanged: (project) => {
      forget(project)
      image.forget(project.schemaName)
      stock?.onChange(project.schemaName)
    },
    offline: (project) => {
      forget(project)
      image.forget(project.schemaName)
      stock?.onOffline(project.schemaName)
    },
    stateReplaced: () => {
      known.clear()
      image.forgetAll()
      stock?.onStateReplaced()
    },
  })
  const build = async (
    source: SchemaName,
    target: SchemaName,
    provide: (structure: SchemaStructure) => Promise<boolean>,
  ): Promise<StructureCounts> => {
    try {
      // Clones from the image are complete, so they suit only fidelity `full`. Taking one requires no read of the structure.
      const counts = fidelity === 'full' ? await image.takeClone(source, target) : undefined
      if (counts !== undefined) return counts
      const structure = await structureOf(source)
      if (await provide(structure)) return countsOf(structure)
      return await cloneSchema(engine, structure, target, fidelity)
    } catch (error) {
      await engine.projects.drop(target)
      throw error
    }
  }
  return {
    createEmpty: (target) => engine.projects.create(target),
    createPrepared: (scripts, target) => image.takeSource(scripts, target),
    dropPrepared: () => image.dropRest(),
    cloneFrom: (source, target) => build(source, target, async () => false),
    provisionFrom: (source, target) =>
      build(
        source,
        target,
        async (structure) => (await stock?.provide(structure, target)) ?? false,
      ),
    drop: async (target) => {
      forget({ schemaName: target })
      await engine.projects.drop(target)
    },
    clear: async (target) => {
      forget({ schemaName: target })
      await engine.admin(target, script(clearProjectScript(target)))
    },
    counts: async (schemaName) => countsOf(await structureOf(schemaName)),
  }
}

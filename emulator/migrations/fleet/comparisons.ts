// Compares the structures of tenants with the structure of a project that has the same steps, and keeps the differences until
// one of the two structures changes.
import type { SchemaName } from '../../core/names.ts'
import { diffStatements } from '../../database/differ/diff-statements.ts'
import { renderStep } from '../../database/differ/render-step.ts'
import type { Engine } from '../../database/engine.ts'
import { loadStructure, type SchemaStructure } from '../../database/template/structure.ts'
import type { Lifecycle } from '../../projects/lifecycle.ts'
import { type Difference, differencesOf } from '../../workbench/tables/diff-structures.ts'

export interface Comparisons {
  /** Returns the differences that are known without reading a structure. */
  known(tenant: SchemaName, reference: SchemaName): readonly Difference[] | undefined
  /** Returns the differences, seen from the tenant. @throws {SqlError} */
  compare(tenant: SchemaName, reference: SchemaName): Promise<readonly Difference[]>
}

interface Compared {
  readonly reference: SchemaName
  readonly differences: readonly Difference[]
}

export function createComparisons(
  engine: Engine,
  lifecycle: Pick<Lifecycle, 'listen'>,
): Comparisons {
  const compared = new Map<string, Compared>()
  // Tenants of one version are compared one after the other, so the last reference is the next one, too.
  let last: SchemaStructure | undefined
  let generation = 0

  const forget = ({ schemaName }: { readonly schemaName: SchemaName }): void => {
    generation += 1
    compared.delete(schemaName)
    for (const [tenant, { reference }] of compared)
      if (reference === schemaName) compared.delete(tenant)
    if (last?.schemaName === schemaName) last = undefined
  }
  lifecycle.listen({
    schemaChanged: forget,
    offline: forget,
    stateReplaced: () => {
      generation += 1
      compared.clear()
      last = undefined
    },
  })

  const known: Comparisons['known'] = (tenant, reference) => {
    const found = compared.get(tenant)
    return found?.reference === reference ? found.differences : undefined
  }
  return {
    known,
    compare: async (tenant, reference) => {
      const present = known(tenant, reference)
      if (present !== undefined) return present
      const begun = generation
      const there = last?.schemaName === reference ? last : await loadStructure(engine, reference)
      const here = await loadStructure(engine, tenant)
      const differences = differencesOf(here, there)
      // A structure that changed meanwhile is compared again by the next call.
      if (begun === generation) {
        compared.set(tenant, { reference, differences })
        last = there
      }
      return differences
    },
  }
}

/**
 * Returns SQL that gives the tenant the structure of the reference. Statements that destroy data are comments.
 * @throws {SqlError}
 */
export async function closingStatements(
  engine: Engine,
  tenant: SchemaName,
  reference: SchemaName,
): Promise<string> {
  const here = await loadStructure(engine, tenant)
  return renderStep(diffStatements(here, await loadStructure(engine, reference)))
}

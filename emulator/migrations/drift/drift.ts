// Finds how the structure of a project differs from what its steps say, and the statements that close the difference.
import { type SchemaName, trusted } from '../../core/names.ts'
import { diffStatements } from '../../database/differ/diff-statements.ts'
import { renderStep } from '../../database/differ/render-step.ts'
import type { Engine } from '../../database/engine.ts'
import { loadStructureInParts, type SchemaStructure } from '../../database/template/structure.ts'
import type { Lifecycle } from '../../projects/lifecycle.ts'
import { type Difference, differencesOf } from '../../workbench/tables/diff-structures.ts'

export interface DriftReader {
  /** Returns the differences, seen from the project. Reads the project's structure once until it changes. @throws {SqlError} */
  differences(schemaName: SchemaName, expected: SchemaStructure): Promise<readonly Difference[]>
  /** Returns the statements that turn the project's structure into the expected one. @throws {SqlError} */
  closing(schemaName: SchemaName, expected: SchemaStructure): Promise<string>
}

interface Compared {
  readonly expected: SchemaStructure
  readonly differences: readonly Difference[]
}

export interface DriftDeps {
  readonly engine: Engine
  readonly lifecycle: Pick<Lifecycle, 'listen'>
}

export function createDriftReader({ engine, lifecycle }: DriftDeps): DriftReader {
  const compared = new Map<string, Compared>()
  let changes = 0
  const forget = ({ schemaName }: { readonly schemaName: SchemaName }): void => {
    changes += 1
    compared.delete(schemaName)
  }
  lifecycle.listen({
    schemaChanged: forget,
    offline: forget,
    stateReplaced: () => {
      changes += 1
      compared.clear()
    },
  })
  return {
    differences: async (schemaName, expected) => {
      const known = compared.get(schemaName)
      if (known?.expected === expected) return known.differences
      const begun = changes
      const present = await loadStructureInParts(engine, schemaName, { forComparison: true })
      const differences = differencesOf(present, expected)
      // A structure that changed meanwhile is read again by the next call.
      if (begun === changes) compared.set(schemaName, { expected, differences })
      return differences
    },
    closing: async (schemaName, expected) =>
      renderStep(diffStatements(await loadStructureInParts(engine, schemaName), expected)),
  }
}

/** Returns the name of a schema that comes from the registry. */
export function registeredSchema({ schemaName }: { readonly schemaName: string }): SchemaName {
  return trusted.schemaName(schemaName)
}

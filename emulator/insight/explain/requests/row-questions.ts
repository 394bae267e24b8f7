// Explains rows and finds fixes for an identity that the request names. Access chains and the routes of suggested fixes call
// this module.
import type { z } from 'zod'
import type { ExplainRequest, Explanation } from '../../../contract/explain.ts'
import { IdentityReference } from '../../../contract/identities.ts'
import type {
  FixEffect,
  FixEffectRequest,
  SuggestedFix,
  SuggestedFixes,
  SuggestedFixesRequest,
} from '../../../contract/suggested-fixes.ts'
import { NewRow } from '../../../contract/values.ts'
import type { KeyAddresses } from '../../../platform/credentials/project-key.ts'
import type { Project } from '../../../platform/projects/project.ts'
import { type IdentityDeps, resolveIdentity } from '../../api-kit/identities.ts'
import { explainRows } from '../rows/explain-rows.ts'
import { effectOf } from '../suggested-fixes/effect-of.ts'
import { findFixes } from '../suggested-fixes/find-fixes.ts'
import type { EffectDeps } from '../suggested-fixes/measure-effect.ts'
import { measuredIdentities } from '../suggested-fixes/measured-identities.ts'
import { allowedRows, withNewRows } from '../suggested-fixes/what-if.ts'

export interface RowQuestions {
  /** @throws {InspectorError} */
  explain(project: Project, request: ExplainRequest, addresses: KeyAddresses): Promise<Explanation>
  /** Finds changes that reverse the verdict of one row. @param only stops at the first fix of these kinds @throws {InspectorError} */
  suggestedFixes(
    project: Project,
    request: z.output<typeof SuggestedFixesRequest>,
    addresses: KeyAddresses,
    only?: readonly SuggestedFix['changes'][],
  ): Promise<SuggestedFixes>
  /** Measures which rows statements of the owner open and hide. @throws {InspectorError} */
  fixEffect(
    project: Project,
    request: z.output<typeof FixEffectRequest>,
    addresses: KeyAddresses,
  ): Promise<FixEffect>
  /** Whether the identity can read the row that its INSERT creates; `undefined` when that cannot be determined. */
  readsBack(
    project: Project,
    request: ExplainRequest,
    addresses: KeyAddresses,
  ): Promise<boolean | undefined>
}

const DEFAULT_LIMIT = 100

export function createRowQuestions(deps: EffectDeps, identities: IdentityDeps): RowQuestions {
  const { explain } = deps
  const resolve = (project: Project, request: ExplainRequest, addresses: KeyAddresses) =>
    resolveIdentity(identities, project, IdentityReference.parse(request.identity), addresses)
  return {
    explain: (project, request, addresses) => {
      const { relation, command, new_row: row, limit = DEFAULT_LIMIT, filters = [] } = request
      return explainRows(explain, {
        schemaName: project.schemaName,
        relation,
        identity: resolve(project, request, addresses),
        command,
        selection: { limit, offset: 0, filters },
        ...(row && { newRow: NewRow.parse(row) }),
        isDetailed: true,
      })
    },
    suggestedFixes: async (project, { identity, new_row: row, ...rest }, addresses, only) => {
      const asker = await resolveIdentity(identities, project, identity, addresses)
      return findFixes(deps, {
        ...rest,
        schemaName: project.schemaName,
        identity: asker,
        newRow: row,
        measured: await measuredIdentities(identities, project, asker, addresses),
        ...(only && { only }),
      })
    },
    fixEffect: async (project, { identity, new_row: row, ...rest }, addresses) => {
      const asker = await resolveIdentity(identities, project, identity, addresses)
      const measured = await measuredIdentities(identities, project, asker, addresses)
      const { schemaName } = project
      return effectOf(deps, { ...rest, schemaName, newRow: row, identities: measured })
    },
    readsBack: async (project, request, addresses) => {
      const facts = await explain.findTable(project.schemaName, request.relation)
      if (facts === undefined) return undefined
      const { principal } = await resolve(project, request, addresses)
      const world = { facts, principal }
      const values = NewRow.parse(request.new_row ?? {})
      const made = await withNewRows(explain, world, { command: 'insert', newRow: values }, [])
      const rows = made.map(({ fresh }) => ({ old: fresh, fresh: undefined }))
      const select = { command: 'select', newRow: undefined } as const
      return (await allowedRows(explain, world, select, rows))?.[0]
    },
  }
}

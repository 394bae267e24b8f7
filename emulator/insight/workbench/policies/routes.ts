// Routes of /_emulator/v1 for drafts of policies (contract/policy-drafts.ts).
import type { Hono } from 'hono'
import { DRAFT_OPERATIONS } from '../../../contract/policy-drafts.ts'
import type { ProjectRegistry } from '../../../platform/projects/registry.ts'
import { despiteChanges } from '../../api-kit/despite-changes.ts'
import { liveProject } from '../../api-kit/find-project.ts'
import { type IdentityDeps, resolveIdentities } from '../../api-kit/identities.ts'
import { type Bindings, mountOnProject } from '../../api-kit/mount.ts'
import { requireJudged } from '../../explain/rows/explain-matrix.ts'
import { membershipsOf } from '../../explain/suggested-fixes/fix-search.ts'
import { type DraftDeps, draftMatrix } from './draft-matrix.ts'
import { policyTemplates } from './policy-templates.ts'

export interface DraftRouteDeps extends DraftDeps {
  readonly projects: ProjectRegistry
  readonly identities: IdentityDeps
}

export function mountPolicyDrafts(app: Hono<Bindings>, deps: DraftRouteDeps): void {
  const { identities, projects } = deps
  mountOnProject(app, DRAFT_OPERATIONS, (reference) => liveProject(projects, reference), {
    'GET /projects/:ref/policies/:table/templates': async ({ params, project }) => {
      const { schemaName } = project
      const table = await requireJudged(deps.explain, { schemaName, relation: params.table })
      const templates = policyTemplates(table, await membershipsOf(deps.explain, table))
      return { templates: [...templates] }
    },
    'POST /projects/:ref/explain/draft': async ({ body, c, env, project }) => {
      const { command, identities: references, limit, new_row: newRow, relation, sql } = body
      const resolved = await resolveIdentities(identities, project, references, env.addresses)
      return despiteChanges(relation, () =>
        draftMatrix(deps, {
          schemaName: project.schemaName,
          relation,
          command,
          identities: resolved,
          selection: { limit: command === 'insert' ? 0 : limit, offset: 0 },
          ...(newRow && { newRow }),
          sql,
          signal: c.req.raw.signal,
        }),
      )
    },
  })
}

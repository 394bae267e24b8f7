// Routes for explanations under /_emulator/v1 (contract/explain.ts).
import type { Hono } from 'hono'
import { EXPLAIN_OPERATIONS } from '../../../contract/explain.ts'
import { IDENTITY_OPERATIONS } from '../../../contract/identities.ts'
import { READABLE_OPERATIONS } from '../../../contract/readable-tables.ts'
import type { Clock } from '../../../core/clock.ts'
import type { Engine } from '../../../database/engine.ts'
import type { RowReader } from '../../../database/row-reader.ts'
import { loadSqlParser } from '../../../database/sql-parser.ts'
import type { ProjectRegistry } from '../../../platform/projects/registry.ts'
import { despiteChanges } from '../../api-kit/despite-changes.ts'
import { liveProject } from '../../api-kit/find-project.ts'
import {
  type IdentityDeps,
  identityChoices,
  resolveIdentities,
  resolveIdentity,
} from '../../api-kit/identities.ts'
import { type Bindings, mountOnProject } from '../../api-kit/mount.ts'
import { type KnownTables, readingTables } from '../../tables/known-tables.ts'
import { rememberingSplit, type Split } from '../policies/condition-plan.ts'
import type { FindOverview } from '../policies/known-overviews.ts'
import { explainMatrix } from './explain-matrix.ts'
import { type ExplainDeps, explainRows, type PresentExplainDeps } from './explain-rows.ts'
import { readableTables } from './readable-tables.ts'

export interface ExplainRouteDeps {
  readonly projects: ProjectRegistry
  readonly identities: IdentityDeps
  readonly explain: ExplainDeps
  readonly findOverview: FindOverview
}

/** Creates what explanations depend on. The SQL parser is loaded on first use. */
export function createExplainDeps(
  engine: Engine,
  reader: RowReader,
  wallClock: Clock,
  tables: Pick<KnownTables, 'find'> = readingTables(reader),
): PresentExplainDeps {
  let split: Promise<Split> | undefined
  const load = (): Promise<Split> => {
    split ??= loadSqlParser().then(rememberingSplit)
    return split
  }
  return { engine, reader, findTable: tables.find, split: load, wallClock }
}

export function mountExplain(
  app: Hono<Bindings>,
  { explain, findOverview, identities, projects }: ExplainRouteDeps,
): void {
  const find = (reference: string) => liveProject(projects, reference)
  mountOnProject(app, IDENTITY_OPERATIONS, find, {
    'GET /projects/:ref/identities': ({ project, query }) =>
      identityChoices(identities, project, query.search),
  })
  mountOnProject(app, EXPLAIN_OPERATIONS, find, {
    'GET /projects/:ref/policies': ({ project }) => findOverview(project),
    'POST /projects/:ref/explain': async ({ project, body, env }) => {
      const { relation, command, identity, new_row: newRow, detail, ...selection } = body
      return despiteChanges(relation, () =>
        explainRows(explain, {
          schemaName: project.schemaName,
          relation,
          identity: resolveIdentity(identities, project, identity, env.addresses),
          command,
          selection,
          ...(newRow && { newRow }),
          isDetailed: detail === 'full',
        }),
      )
    },
    'POST /projects/:ref/explain/matrix': async ({ project, body, env }) => {
      const { relation, command, identities: references, ...selection } = body
      const resolved = await resolveIdentities(identities, project, references, env.addresses)
      return despiteChanges(relation, () =>
        explainMatrix(explain, {
          schemaName: project.schemaName,
          relation,
          command,
          identities: resolved,
          selection,
        }),
      )
    },
  })
  mountOnProject(app, READABLE_OPERATIONS, find, {
    'POST /projects/:ref/explain/tables': async ({ project, body, env }) =>
      readableTables(
        explain,
        await resolveIdentity(identities, project, body.identity, env.addresses),
      ),
  })
}

// Reads the policies of all tables with their findings, and keeps them until the schema of their project changes. A screen
// requests the overview again after each write to a row, which changes no policy.
import type { PolicyOverview } from '../../../contract/explain.ts'
import { loadSqlParser } from '../../../database/sql-parser.ts'
import type { Lifecycle } from '../../../platform/projects/lifecycle.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { KnownTables } from '../../tables/known-tables.ts'
import { untilSchemaChanges } from '../../tables/until-schema-changes.ts'
import { isAudited, writtenFindings } from '../audit/written-findings.ts'
import type { PresentExplainDeps } from '../rows/explain-rows.ts'
import { policyOverview } from './policy-overview.ts'

/** @throws {SqlError} */
export type FindOverview = (project: Project) => Promise<PolicyOverview>

/** An overview of sixty tables has about 50 KB. */
const MAX_REMEMBERED = 50

export function rememberingOverviews(
  explain: PresentExplainDeps,
  tables: KnownTables,
  lifecycle: Pick<Lifecycle, 'listen'>,
): FindOverview {
  const known = untilSchemaChanges<Promise<PolicyOverview>>(lifecycle, MAX_REMEMBERED)
  return (project) => {
    const { schemaName } = project
    const found = known.of(schemaName, () => readOverview(explain, tables, project))
    found.catch(() => known.forget(schemaName))
    return found
  }
}

async function readOverview(
  explain: PresentExplainDeps,
  known: KnownTables,
  project: Project,
): Promise<PolicyOverview> {
  const all = await known.all(project.schemaName)
  const tables = all.filter(isAudited)
  const deps = { ...explain, parser: loadSqlParser }
  const found = await writtenFindings(deps, { project, tables, rowsOf: () => null })
  return policyOverview(
    all,
    found.map(({ finding }) => finding),
  )
}

// Routes of /_emulator/v1 for a project's tables (contract/tables.ts).
import type { Context, Hono } from 'hono'
import { TABLE_OPERATIONS } from '../../../contract/tables.ts'
import type { Project } from '../../../platform/projects/project.ts'
import { liveProject } from '../../api-kit/find-project.ts'
import { type DecodedReference, resolveIdentity } from '../../api-kit/identities.ts'
import { type Bindings, mountOnProject } from '../../api-kit/mount.ts'
import { type KnownTables, requireOpenTable } from '../../tables/known-tables.ts'
import type { SqlDeps } from '../sql/mount-sql.ts'
import { diffStructures } from './diff-structures.ts'
import { editRows } from './edit-rows.ts'
import { exportRows } from './export-rows.ts'
import { importRows } from './import/import-rows.ts'
import { describeProject, describeTable, listTables } from './list-tables.ts'
import { readRows } from './read-rows.ts'
import { orRefused } from './refuse-sql.ts'
import type { RowAccess } from './row-access.ts'

export interface TablesDeps extends SqlDeps {
  readonly known: KnownTables
}

export function mountTables(app: Hono<Bindings>, deps: TablesDeps): void {
  const { engine, known, projects, reader } = deps
  mountOnProject(app, TABLE_OPERATIONS, (reference) => liveProject(projects, reference), {
    'GET /projects/:ref/tables': ({ project }) =>
      orRefused(listTables({ known, reader }, project.schemaName)),
    'GET /projects/:ref/tables/:table': ({ project, params }) =>
      orRefused(describeTable({ known, reader }, project.schemaName, params.table)),
    'GET /projects/:ref/structure': ({ project }) =>
      orRefused(describeProject({ known, reader }, project.schemaName)),
    'POST /projects/:ref/tables/:table/rows': async ({ body, ...asked }) => {
      const access = await accessOf(deps, asked, body.identity)
      const { at, identity: _, ...selection } = body
      const page = await orRefused(readRows(deps, access, selection, at))
      asked.env.facts.rowCount = page.rows.length
      return page
    },
    'PATCH /projects/:ref/tables/:table/rows': async ({ body, ...asked }) => {
      const access = await accessOf(deps, asked, body.identity)
      return orRefused(editRows(deps, access, body.edits))
    },
    'POST /projects/:ref/tables/:table/import': async ({ query, ...asked }) => {
      const access = await accessOf(deps, asked, null)
      return orRefused(importRows(deps, access, query.format, asked.c.req.raw.body))
    },
    'GET /projects/:ref/tables/:table/export': async ({ query, ...asked }) => {
      const access = await accessOf(deps, asked, null)
      return orRefused(exportRows(deps, access, query.format))
    },
    'GET /projects/:ref/structure-diff': ({ project, query }) => {
      const other = liveProject(projects, query.with)
      return orRefused(diffStructures(engine, project.schemaName, other.schemaName))
    },
  })
}

async function accessOf(
  { known, identities }: TablesDeps,
  {
    c,
    project,
    params,
  }: {
    readonly c: Context<Bindings>
    readonly project: Project
    readonly params: { readonly table: string }
  },
  identity: DecodedReference | null,
): Promise<RowAccess> {
  const { schemaName } = project
  c.env.facts.schemaName = schemaName
  const table = await orRefused(requireOpenTable(known, schemaName, params.table))
  const resolved =
    identity === null
      ? undefined
      : await resolveIdentity(identities, project, identity, c.env.addresses)
  return { schemaName, table, principal: resolved?.principal, signal: c.req.raw.signal }
}

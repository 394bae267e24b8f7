// A project's tables over /_emulator/v1 (contract/tables.ts).
import type { Context, Hono } from 'hono'
import { type Bindings, decodeBody, decodeQuery, liveProject } from '../../api-kit/decode.ts'
import { type DecodedReference, resolveIdentity } from '../../api-kit/identities.ts'
import type {
  RowEditsAnswer,
  RowsPage,
  StructureDiff,
  TableList,
  TableStructure,
} from '../../contract/tables.ts'
import type { RowReader } from '../../database/row-reader.ts'
import { requireOpenTable } from '../../tables/table.ts'
import type { SqlDeps } from '../sql/mount-sql.ts'
import { diffStructures } from './diff-structures.ts'
import { editRows } from './edit-rows.ts'
import { exportRows } from './export-rows.ts'
import { importRows } from './import/import-rows.ts'
import { describeTable, listTables } from './list-tables.ts'
import { readRows } from './read-rows.ts'
import { orRefused } from './refuse-sql.ts'
import type { RowAccess } from './row-access.ts'
import { fileQuery, rowEdits, rowsRequest, structureDiffQuery } from './shapes.ts'

export interface TablesDeps extends SqlDeps {
  readonly reader: RowReader
}

export function mountTables(app: Hono<Bindings>, deps: TablesDeps): void {
  const { engine, projects, reader } = deps
  app.get('/projects/:ref/tables', async (c) => {
    const { schemaName } = liveProject(projects, c.req.param('ref'))
    return c.json((await orRefused(listTables(reader, schemaName))) satisfies TableList)
  })
  app.get('/projects/:ref/tables/:table', async (c) => {
    const { schemaName } = liveProject(projects, c.req.param('ref'))
    const table = await orRefused(describeTable(reader, schemaName, c.req.param('table')))
    return c.json(table satisfies TableStructure)
  })
  app.post('/projects/:ref/tables/:table/rows', async (c) => {
    const { identity, ...request } = await decodeBody(c, rowsRequest)
    const access = await accessOf(deps, c, identity)
    const page = await orRefused(readRows(deps, access, { identity, ...request }))
    c.env.facts.rowCount = page.rows.length
    return c.json(page satisfies RowsPage)
  })
  app.patch('/projects/:ref/tables/:table/rows', async (c) => {
    const { identity, edits } = await decodeBody(c, rowEdits)
    const access = await accessOf(deps, c, identity)
    return c.json((await orRefused(editRows(deps, access, edits))) satisfies RowEditsAnswer)
  })
  app.post('/projects/:ref/tables/:table/import', async (c) => {
    const { format } = decodeQuery(c, fileQuery)
    const access = await accessOf(deps, c, null)
    const answer = await orRefused(importRows(deps, access, format, c.req.raw.body))
    return c.json(answer satisfies RowEditsAnswer)
  })
  app.get('/projects/:ref/tables/:table/export', async (c) => {
    const { format } = decodeQuery(c, fileQuery)
    const access = await accessOf(deps, c, null)
    return orRefused(exportRows(deps, access, format))
  })
  app.get('/projects/:ref/structure-diff', async (c) => {
    const { with: other } = decodeQuery(c, structureDiffQuery)
    const here = liveProject(projects, c.req.param('ref'))
    const there = liveProject(projects, other)
    const diff = await orRefused(diffStructures(engine, here.schemaName, there.schemaName))
    return c.json(diff satisfies StructureDiff)
  })
}

async function accessOf<Path extends `${string}/:ref/tables/:table${string}`>(
  { reader, projects, identities }: TablesDeps,
  c: Context<Bindings, Path>,
  identity: DecodedReference | null,
): Promise<RowAccess> {
  const project = liveProject(projects, c.req.param('ref') ?? '')
  const { schemaName } = project
  c.env.facts.schemaName = schemaName
  const table = await orRefused(requireOpenTable(reader, schemaName, c.req.param('table') ?? ''))
  const resolved =
    identity === null
      ? undefined
      : await resolveIdentity(identities, project, identity, c.env.addresses)
  return {
    schemaName,
    table,
    principal: resolved?.principal,
    signal: c.req.raw.signal,
  }
}

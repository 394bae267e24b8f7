// The routes of explanations over /_emulator/v1 (contract/explain.ts).
import type { Hono } from 'hono'
import { z } from 'zod'
import { type Bindings, decodeBody, decodeQuery, liveProject } from '../../api-kit/decode.ts'
import {
  type IdentityDeps,
  identityChoices,
  identityReference,
  resolveIdentities,
  resolveIdentity,
} from '../../api-kit/identities.ts'
import { cells, newRow, rowFilter, rowOrder, storable } from '../../api-kit/row-shapes.ts'
import type { Clock } from '../../core/clock.ts'
import type { Engine } from '../../database/engine.ts'
import type { RowReader } from '../../database/row-reader.ts'
import { loadSqlParser } from '../../database/sql-parser.ts'
import type { ProjectRegistry } from '../../projects/registry.ts'
import { loadSecuredTables } from '../../tables/table.ts'
import { rememberingSplit, type Split } from '../policies/condition-plan.ts'
import { policyOverview } from '../policies/policy-overview.ts'
import { explainMatrix } from './explain-matrix.ts'
import { type ExplainDeps, explainRows } from './explain-rows.ts'
import { type FindTable, readingTables } from './known-tables.ts'

export interface ExplainRouteDeps {
  readonly projects: ProjectRegistry
  readonly identities: IdentityDeps
  readonly explain: ExplainDeps
}

/** Ports of explanations; the parser loads on first use. */
export function createExplainDeps(
  engine: Engine,
  reader: RowReader,
  wallClock: Clock,
  findTable: FindTable = readingTables(reader),
): ExplainDeps {
  let split: Promise<Split> | undefined
  const load = (): Promise<Split> => {
    split ??= loadSqlParser().then(rememberingSplit)
    return split
  }
  return { engine, reader, findTable, split: load, wallClock }
}

const LIMITS = { rows: 10_000, matrixRows: 1_000, identities: 200, keys: 10_000 } as const

const relation = storable.min(1).max(200)
const command = z.enum(['select', 'insert', 'update', 'delete'])
const offset = z.number().int().min(0).max(1_000_000_000).default(0)

/** Body of POST …/explain. */
export const explainBody = z.strictObject({
  relation,
  identity: identityReference,
  command,
  keys: z.array(cells).max(LIMITS.keys).optional(),
  new_row: newRow.optional(),
  limit: z.number().int().min(0).max(LIMITS.rows).default(100),
  offset,
  order: z.array(rowOrder).max(20).default([]),
  filters: z.array(rowFilter).max(50).default([]),
  detail: z.enum(['verdicts', 'full']).default('full'),
})

/** Body of POST …/explain/matrix. */
export const matrixBody = z.strictObject({
  relation,
  command: z.enum(['select', 'update', 'delete']),
  identities: z.array(identityReference).min(1).max(LIMITS.identities),
  keys: z.array(cells).max(LIMITS.matrixRows).optional(),
  limit: z.number().int().min(0).max(LIMITS.matrixRows).default(50),
  offset,
})

/** Query of GET …/identities. */
export const choicesQuery = z.strictObject({ search: storable.max(320).default('') })

export function mountExplain(
  app: Hono<Bindings>,
  { projects, identities, explain }: ExplainRouteDeps,
): void {
  app.post('/projects/:ref/explain', async (c) => {
    const project = liveProject(projects, c.req.param('ref'))
    const body = await decodeBody(c, explainBody)
    const { relation, limit, offset, order, filters, keys, new_row: fresh } = body
    const identity = await resolveIdentity(identities, project, body.identity, c.env.addresses)
    return c.json(
      await explainRows(explain, {
        schemaName: project.schemaName,
        relation,
        identity,
        command: body.command,
        selection: { limit, offset, order, filters, ...(keys === undefined ? {} : { keys }) },
        ...(fresh === undefined ? {} : { newRow: fresh }),
        isDetailed: body.detail === 'full',
      }),
    )
  })
  app.post('/projects/:ref/explain/matrix', async (c) => {
    const project = liveProject(projects, c.req.param('ref'))
    const { relation, command, keys, limit, offset, ...body } = await decodeBody(c, matrixBody)
    const { addresses } = c.env
    const asked = await resolveIdentities(identities, project, body.identities, addresses)
    const selection = { limit, offset, ...(keys === undefined ? {} : { keys }) }
    const { schemaName } = project
    return c.json(
      await explainMatrix(explain, { schemaName, relation, command, identities: asked, selection }),
    )
  })
  app.get('/projects/:ref/policies', async (c) => {
    const { schemaName } = liveProject(projects, c.req.param('ref'))
    return c.json(policyOverview(await loadSecuredTables(explain.reader, schemaName)))
  })
  app.get('/projects/:ref/identities', async (c) => {
    const project = liveProject(projects, c.req.param('ref'))
    const { search } = decodeQuery(c, choicesQuery)
    return c.json(await identityChoices(identities, project, search))
  })
}

// who_can_see: how many rows of each table every identity sees, with open findings; or every row of one table by identity.
import { z } from 'zod'
import type { Audit, AuditCell, AuditFinding, AuditTable } from '../../../contract/audit.ts'
import { Cursor, fromCursor, Limit, type Page, rest, Tenant } from '../inputs.ts'
import { defineTool, type Finding, type Tool, type ToolDeps } from '../tool.ts'

/** Maximum number of identities in the matrix of one table. */
const MAX_IDENTITIES = 40

export const whoCanSee: Tool = defineTool({
  name: 'who_can_see',
  title: 'Show who can see what',
  description:
    'Without "table": counts the rows of every table that each identity sees, and lists policies, grants and views that open too much. With "table": lists for each row who may see, change or delete it.',
  input: z.strictObject({
    tenant: Tenant,
    table: z.string().optional(),
    command: z.enum(['select', 'update', 'delete']).default('select').describe('Only with "table"'),
    cursor: Cursor,
    limit: Limit,
  }),
  changes: 'never',
  run: async (deps, { command, table, tenant, ...page }) => {
    if (table !== undefined) return rowsBy(deps, { command, table, tenant, ...page })
    const audit = await deps.calls.call('POST /projects/:ref/audit', {
      params: { ref: tenant },
      body: {},
    })
    const open = audit.findings.filter(({ accepted }) => accepted === null)
    const entries = [...findingLines(open), ...audit.tables.map((one) => tableLine(audit, one))]
    const accepted = audit.findings.length - open.length
    return {
      head: `${tenant}: ${open.length} open findings, ${accepted} accepted. Tables with the rows that each identity sees:`,
      ...fromCursor(entries, page),
    }
  },
})

// Lists all errors, but only one warning of each rule. One cause often produces many warnings, and agents read every line.
function findingLines(findings: readonly AuditFinding[]): readonly string[] {
  return [...Map.groupBy(findings, ({ rule }) => rule)].flatMap(([rule, all]) => {
    const [first] = all
    if (first === undefined || first.severity === 'error' || all.length === 1)
      return all.map(findingLine)
    return [findingLine(first), `${all.length - 1} more of ${rule}: "tenantry audit" lists them.`]
  })
}

function findingLine(finding: AuditFinding): string {
  const safer = finding.safer === null ? '' : ` Safer: ${finding.safer}`
  return `${finding.severity} ${finding.rule}: ${finding.message}${safer}`
}

// Groups identities that see the same number of rows, so that a table with many users needs only one line.
function tableLine({ identities }: Audit, table: AuditTable): string {
  const { cells, kind, name, rls_enabled, total } = table
  const isView = kind.endsWith('view')
  const security = isView ? ', view' : rls_enabled ? '' : ', no row security'
  const bySeen = Map.groupBy(cells.entries(), ([, cell]) => seenText(cell))
  const groups = [...bySeen].map(
    ([seen, members]) =>
      `${seen}: ${members.map(([index]) => identities[index]?.label).join(', ')}`,
  )
  return `${name} (${total ?? 'unknown'} rows${security}) ${groups.join('; ')}`
}

function seenText({ reason, rows, seen }: AuditCell): string {
  if (seen === 'some') return String(rows)
  return seen === 'failed' ? `failed (${reason ?? 'unknown'})` : seen
}

interface RowsQuestion extends Page {
  readonly tenant: string
  readonly table: string
  readonly command: 'select' | 'update' | 'delete'
}

async function rowsBy({ calls }: ToolDeps, question: RowsQuestion): Promise<Finding> {
  const { command, cursor, limit, table, tenant } = question
  const choices = await calls.call('GET /projects/:ref/identities', {
    params: { ref: tenant },
    query: { search: '' },
  })
  const asked = choices.identities.filter(({ role }) => role !== 'service_role')
  const { identities, rows, total } = await calls.call('POST /projects/:ref/explain/matrix', {
    params: { ref: tenant },
    body: {
      relation: table,
      command,
      identities: asked.slice(0, MAX_IDENTITIES).map(({ reference }) => reference),
      offset: cursor,
      limit,
    },
  })
  const left = asked.length - Math.min(asked.length, MAX_IDENTITIES)
  return {
    head: `Who may ${command} each row of ${table}, of anon and ${identities.length - 1} users${left === 0 ? '' : ` (${left} more were not asked)`}:`,
    entries: rows.map(({ cells, key }) => {
      const who = identities.filter((_, index) => cells[index]?.allowed === true)
      return `${JSON.stringify(key)}: ${who.map(({ label }) => label).join(', ') || 'only service_role'}`
    }),
    ...rest(total, cursor),
  }
}

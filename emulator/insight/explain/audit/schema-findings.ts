// Findings of an audit that follow from how policies, functions, keys and tables of a tenant work together (schema-model).
import type { SchemaName } from '../../../core/names.ts'
import { cellText, type Engine } from '../../../database/engine.ts'
import type { RowReader } from '../../../database/row-reader.ts'
import { verbatim } from '../../../database/sql.ts'
import type { SqlParser } from '../../../database/sql-parser.ts'
import { loadStructureInParts } from '../../../database/template/structure.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { SecuredTable } from '../../tables/table.ts'
import { lookupCost, lookupQuery, millisOf } from '../schema-model/lookup-cost.ts'
import { type Lookup, type ModelFinding, modelFindings } from '../schema-model/model-findings.ts'
import { MODELLED, modelOfStructure } from '../schema-model/model-of-structure.ts'
import { type AuditCatalog, commentKey } from './audit-catalog.ts'
import { type Draft, draft, type Evidence, NEW_USER } from './findings.ts'

export interface SchemaFindingDeps {
  readonly engine: Engine
  readonly reader: RowReader
  readonly parser: () => Promise<SqlParser>
}

export interface SchemaSubject {
  readonly project: Project
  readonly tables: readonly SecuredTable[]
  readonly catalog: AuditCatalog
  /** Number of rows of a table; `null` when it is unknown. */
  readonly rowsOf: (table: string) => number | null
}

/** @throws {SqlError} */
export async function schemaFindings(
  { engine, parser, reader }: SchemaFindingDeps,
  { catalog, project, rowsOf, tables }: SchemaSubject,
): Promise<readonly Draft[]> {
  const { schemaName, slug } = project
  const structure = await loadStructureInParts(engine, schemaName, { only: MODELLED })
  const drafts: Draft[] = []
  for (const found of modelFindings(modelOfStructure(await parser(), structure))) {
    const { lookup, message, object, policy = '', rule, safer, severity, table } = found
    const rows = rowsOf(table)
    const cost = lookup && rows !== null ? await costOf(reader, schemaName, lookup) : undefined
    const measured =
      cost === undefined || rows === null ? message : `${message} ${lookupCost(rows, cost, slug)}`
    const comments = [
      catalog.policyComments.get(commentKey(table, policy)),
      tables.find(({ name }) => name === table)?.comment,
    ]
    const evidence = (EVIDENCE[rule] ?? NO_REQUEST)(table)
    drafts.push(
      draft({ rule, severity, safer, message: measured }, { object, table, comments, evidence }),
    )
  }
  return drafts
}

type EvidenceOf = (table: string) => Evidence

const NO_REQUEST: EvidenceOf = () => ({
  kind: 'none',
  reason: 'No example request: the answer of a request does not show it.',
})
const EVIDENCE: Readonly<Partial<Record<ModelFinding['rule'], EvidenceOf>>> = {
  'policy-recursion': (relation) => ({ kind: 'read', relation, identity: NEW_USER }),
  'realtime-cannot-judge': () => ({
    kind: 'none',
    reason: 'No example request: REST shows the rows, and only realtime leaves them out.',
  }),
}

async function costOf(
  reader: RowReader,
  schemaName: SchemaName,
  lookup: Lookup,
): Promise<number | undefined> {
  const options = { searchPath: `"${schemaName}"` }
  const [result] = await reader.read(schemaName, [verbatim(lookupQuery(lookup))], options)
  return millisOf([{ plan: cellText(result?.rows[0]?.[0]) ?? '' }])
}

const RECURSION = /infinite recursion|stack depth/

/**
 * Replaces failures that a recursion explains by the recursion, so that one cause is reported once.
 * @param seen findings of the rows that identities see
 */
export function explainedFailures(
  seen: readonly Draft[],
  written: readonly Draft[],
): readonly Draft[] {
  const recursions = written.filter(({ finding }) => finding.rule === 'policy-recursion')
  return seen.flatMap((draft) => {
    const { cause, identity, rule, table } = draft.finding
    const isRecursion = rule === 'policy-fails' && RECURSION.test(cause)
    const known =
      recursions.find((one) => cause.includes(`"${one.finding.table}"`)) ?? recursions[0]
    if (!isRecursion || known === undefined) return [draft]
    if (recursions.some((one) => one.finding.table === table)) return []
    return [{ ...draft, finding: { ...known.finding, table, identity } }]
  })
}

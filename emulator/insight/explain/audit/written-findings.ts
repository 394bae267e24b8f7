// Findings that follow from definitions alone, whatever the rows are: from single tables, policies, functions and views, and from
// how these work together. The audit and the Policies screen list the same findings.
import { isLedger } from '../../../core/names.ts'
import type { SecuredTable } from '../../tables/table.ts'
import { readAuditCatalog } from './audit-catalog.ts'
import { catalogFindings, type Draft } from './findings.ts'
import { type SchemaFindingDeps, type SchemaSubject, schemaFindings } from './schema-findings.ts'

/** @throws {SqlError} */
export async function writtenFindings(
  deps: SchemaFindingDeps,
  subject: Omit<SchemaSubject, 'catalog'>,
): Promise<readonly Draft[]> {
  const catalog = await readAuditCatalog(deps.reader, subject.project.schemaName)
  return [
    ...catalogFindings(await deps.parser(), subject.tables, catalog),
    ...(await schemaFindings(deps, { ...subject, catalog })),
  ]
}

/** Whether the table belongs to the project, and not to the platform. */
export function isAudited({ isClosed, name }: SecuredTable): boolean {
  return !(isClosed || isLedger(name))
}

// Findings that follow from definitions, whatever rows there are: from single tables, policies, functions and views, and from how
// they work together. The audit and the screen of policies list the same.
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

/** Whether the table is the project's own, and no record of the platform. */
export function isAudited({ isClosed, name }: SecuredTable): boolean {
  return !(isClosed || isLedger(name))
}

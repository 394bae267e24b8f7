// The statements that build a structure before and after its rows are loaded. As in a dump, rows come before foreign keys,
// triggers and row-level security, so that loading the rows fires no trigger and checks nothing. Pure.
import { ownerRoleOf } from '../../core/names.ts'
import type { Sql } from '../sql.ts'
import { commentStatements, refreshStatements } from './clone-schema.ts'
import { defaultPrivilegeStatements, grantStatements } from './ddl/grant.ts'
import { followsRows, orderUnits, type Unit } from './ddl/unit.ts'
import { planUnits } from './plan-units.ts'
import type { SchemaStructure } from './structure.ts'

/** Statements for the project's owner, in this order. */
export interface DumpStatements {
  readonly beforeRows: readonly Sql[]
  readonly afterRows: readonly Sql[]
  /** Statements that fill materialised views. */
  readonly refresh: readonly Sql[]
}

export function dumpStatements(structure: SchemaStructure): DumpStatements {
  const { defaultPrivileges, grants, schemaName } = structure
  const units = orderUnits(planUnits(structure, true, false))
  // A table or view may need a key constraint. Such a key is created before the table or view, and so before the rows.
  const split = units.findLastIndex(({ phase }) => !followsRows(phase)) + 1
  const owner = ownerRoleOf(schemaName)
  return {
    beforeRows: statementsOf(units.slice(0, split)),
    afterRows: [
      ...statementsOf(units.slice(split)),
      ...commentStatements(structure, 'full'),
      ...grantStatements(grants, owner),
      ...defaultPrivilegeStatements(defaultPrivileges, schemaName, owner),
    ],
    refresh: refreshStatements(structure, schemaName),
  }
}

function statementsOf(units: readonly Unit[]): readonly Sql[] {
  return units.flatMap(({ statements }) => statements)
}

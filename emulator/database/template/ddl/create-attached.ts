// Statements for the objects of a table: constraints, indexes, triggers, rules, policies, statistics. Pure.
import type {
  ConstraintRecord,
  FiringRecord,
  IndexRecord,
  PolicyRecord,
  StatisticsRecord,
} from '../../catalog/attached.ts'
import { quoteIdentifier, type Sql, verbatim } from '../../sql.ts'
import { grantee, optionList, type Qualify } from './create-object.ts'

/** Renders the constraint as an element of `create table` or of `alter table … add`. */
export function constraintText(constraint: ConstraintRecord): string {
  return `constraint ${quoteIdentifier(constraint.name)} ${constraint.definition}`
}

export function addConstraint(constraint: ConstraintRecord, qualify: Qualify): Sql {
  return verbatim(`alter table ${qualify(constraint.table)} add ${constraintText(constraint)}`)
}

/** Sets properties of a constraint's index that the constraint's definition does not contain. */
export function alterConstraintIndex(
  constraint: ConstraintRecord,
  qualify: Qualify,
): readonly Sql[] {
  const { clustered, indexOptions, name, table } = constraint
  return [
    ...(indexOptions === undefined
      ? []
      : [verbatim(`alter index ${qualify(name)} set (${optionList(indexOptions)})`)]),
    ...(clustered ? [clusterOn(table, name, qualify)] : []),
  ]
}

export function createIndex(index: IndexRecord, qualify: Qualify): readonly Sql[] {
  const targets = Object.entries(index.statisticsTargets ?? {})
  return [
    verbatim(index.definition),
    ...targets.map(([column, target]) =>
      verbatim(
        `alter index ${qualify(index.name)} alter column ${column} set statistics ${target}`,
      ),
    ),
    ...(index.clustered ? [clusterOn(index.table, index.name, qualify)] : []),
  ]
}

function clusterOn(table: string, index: string, qualify: Qualify): Sql {
  return verbatim(`alter table ${qualify(table)} cluster on ${quoteIdentifier(index)}`)
}

export function createStatistics(statistics: StatisticsRecord, qualify: Qualify): readonly Sql[] {
  const { definition, name, target } = statistics
  return [
    verbatim(definition),
    ...(target === undefined
      ? []
      : [verbatim(`alter statistics ${qualify(name)} set statistics ${target}`)]),
  ]
}

/** Creates a trigger and sets its firing state. A partition's copy of a trigger has a record of its own. */
export function createTrigger(trigger: FiringRecord, qualify: Qualify): readonly Sql[] {
  return createFiring('trigger', trigger, qualify)
}

export function createRule(rule: FiringRecord, qualify: Qualify): readonly Sql[] {
  return createFiring('rule', rule, qualify)
}

function createFiring(
  kind: 'trigger' | 'rule',
  record: FiringRecord,
  qualify: Qualify,
): readonly Sql[] {
  const create = record.definition === undefined ? [] : [verbatim(record.definition)]
  if (record.firing === 'origin') return create
  const change = record.firing === 'disabled' ? 'disable' : `enable ${record.firing}`
  return [
    ...create,
    verbatim(
      `alter table only ${qualify(record.table)} ${change} ${kind} ${quoteIdentifier(record.name)}`,
    ),
  ]
}

export function createPolicy(policy: PolicyRecord, qualify: Qualify): Sql {
  const using = policy.using === undefined ? '' : ` using (${policy.using})`
  const check = policy.check === undefined ? '' : ` with check (${policy.check})`
  return verbatim(
    `create policy ${quoteIdentifier(policy.name)} on ${qualify(policy.table)} as ${policy.permissive ? 'permissive' : 'restrictive'} for ${policy.command} to ${policy.roles.map(grantee).join(', ')}${using}${check}`,
  )
}

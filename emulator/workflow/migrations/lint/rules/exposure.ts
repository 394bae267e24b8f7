// Finds statements that may show rows to callers who should not see them. These are policies that are always true, grants to
// anon, and functions and views with their owner's rights.
import type { TreeFields } from '../../../../database/sql-parser.ts'
import { constantText, fieldsOf, namesOf, nodesOf, textOf } from '../../../../database/sql-tree.ts'
import { isAlwaysTrue } from '../../../../insight/explain/policies/always-true.ts'
import {
  alwaysTruePolicy,
  definerWithoutSearchPath,
  EVERYBODY,
  grantToAnon,
  viewSkipsPolicies,
} from '../../../../insight/explain/policies/exposure.ts'
import {
  commandsOf,
  type LintStatement,
  optionsOf,
  type Problem,
  rolesOf,
  tableOf,
} from '../problem.ts'

export function exposureProblems({ fields, kind }: LintStatement): readonly Problem[] {
  switch (kind) {
    case 'CreatePolicyStmt':
    case 'AlterPolicyStmt':
      return openPolicy(kind, fields)
    case 'GrantStmt':
      return openGrant(fields)
    case 'AlterDefaultPrivilegesStmt':
      return openGrant(fieldsOf(fields, 'action') ?? {})
    case 'CreateFunctionStmt':
      return definerFunction(namesOf(fields['funcname']).at(-1) ?? '', optionsOf(fields, 'options'))
    case 'AlterFunctionStmt':
      return definerFunction(
        namesOf(fieldsOf(fields, 'func')?.['objname']).at(-1) ?? '',
        optionsOf(fields, 'actions'),
      )
    case 'ViewStmt':
      return ownersView(fields)
    case 'AlterTableStmt':
      return commandsOf(fields).flatMap((command) => rowSecurityOff(tableOf(fields), command))
    default:
      return []
  }
}

function openPolicy(kind: string, fields: TreeFields): readonly Problem[] {
  // A restrictive policy that is always true gives no access, because restrictive policies only reduce it.
  if (kind === 'CreatePolicyStmt' && fields['permissive'] !== true) return []
  const roles = rolesOf(fields, 'roles')
  if (roles.length > 0 && roles.every((role) => role === 'service_role')) return []
  const clauses = [
    ...(isAlwaysTrue(fields['qual']) ? ['USING (true)'] : []),
    ...(isAlwaysTrue(fields['with_check']) ? ['WITH CHECK (true)'] : []),
  ]
  if (clauses.length === 0) return []
  const name = textOf(fields, 'policy_name') ?? ''
  return [alwaysTruePolicy(name, tableOf(fields, 'table'), roles, clauses)]
}

function openGrant(fields: TreeFields): readonly Problem[] {
  const roles = rolesOf(fields, 'grantees').filter((role) => EVERYBODY.has(role))
  if (fields['is_grant'] !== true || roles.length === 0) return []
  const privileges = nodesOf(fields, 'privileges', 'AccessPriv').map(
    (privilege) => textOf(privilege, 'priv_name')?.toUpperCase() ?? '',
  )
  const granted = privileges.length === 0 ? 'ALL' : privileges.join(', ')
  const onlyReads =
    privileges.length > 0 &&
    privileges.every((one) => one === 'SELECT' || one === 'USAGE' || one === 'EXECUTE')
  const grant = `The statement grants ${granted} to ${roles.join(' and ')}`
  return [grantToAnon(grant, onlyReads)]
}

function definerFunction(
  name: string,
  options: ReadonlyMap<string, TreeFields>,
): readonly Problem[] {
  const security = fieldsOf(options.get('security') ?? {}, 'arg')
  const isDefiner = security !== undefined && fieldsOf(security, 'Boolean')?.['boolval'] === true
  const set = fieldsOf(fieldsOf(options.get('set') ?? {}, 'arg') ?? {}, 'VariableSetStmt')
  if (!isDefiner || (set !== undefined && textOf(set, 'name') === 'search_path')) return []
  return [definerWithoutSearchPath(name)]
}

function ownersView(fields: TreeFields): readonly Problem[] {
  const option = optionsOf(fields, 'options').get('security_invoker')
  const value = option === undefined ? undefined : optionValue(option)
  if (option !== undefined && !['false', 'off', '0', 'no'].includes(value ?? 'true')) return []
  const name = tableOf(fields, 'view')
  const safer = `CREATE VIEW ${name} WITH (security_invoker = true) AS …`
  return [viewSkipsPolicies(name, 'its tables', safer)]
}

function optionValue(option: TreeFields): string | undefined {
  const argument = fieldsOf(option, 'arg')
  if (argument === undefined) return undefined
  const text = fieldsOf(argument, 'String')
  if (text !== undefined) return textOf(text, 'sval')?.toLowerCase()
  const integer = fieldsOf(argument, 'Integer')
  if (integer !== undefined) return String(integer['ival'] ?? 0)
  return constantText(argument)
}

function rowSecurityOff(table: string, command: TreeFields): readonly Problem[] {
  if (textOf(command, 'subtype') !== 'AT_DisableRowSecurity') return []
  return [
    {
      rule: 'row-security-off',
      severity: 'error',
      message: `The step turns row-level security of ${table} off, so grants alone decide who can access its rows.`,
      safer: 'Keep row-level security on, and change the policies.',
    },
  ]
}

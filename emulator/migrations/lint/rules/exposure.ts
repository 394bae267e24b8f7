// Finds statements that open rows to callers who should perhaps not see them: policies that are always true, grants to anon,
// functions and views that act with their owner's rights.
import type { TreeFields } from '../../../database/sql-parser.ts'
import {
  constantText,
  fieldsOf,
  isFields,
  listOf,
  namesOf,
  nodesOf,
  textOf,
} from '../../../database/sql-tree.ts'
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

const EVERYBODY = new Set(['anon', 'public'])

function openPolicy(kind: string, fields: TreeFields): readonly Problem[] {
  // A restrictive policy that is always true restricts nothing and opens nothing.
  if (kind === 'CreatePolicyStmt' && fields['permissive'] !== true) return []
  const roles = rolesOf(fields, 'roles')
  if (roles.length > 0 && roles.every((role) => role === 'service_role')) return []
  const clauses = [
    ...(isAlwaysTrue(fields['qual']) ? ['USING (true)'] : []),
    ...(isAlwaysTrue(fields['with_check']) ? ['WITH CHECK (true)'] : []),
  ]
  if (clauses.length === 0) return []
  const isForAll = roles.some((role) => EVERYBODY.has(role))
  const whom = isForAll
    ? 'everybody, without sign-in'
    : roles.length === 0
      ? 'the policy’s roles'
      : roles.join(', ')
  const table = tableOf(fields, 'table')
  return [
    {
      rule: 'policy-always-true',
      severity: isForAll ? 'error' : 'warning',
      message: `The policy ${textOf(fields, 'policy_name') ?? ''} opens every row of ${table} to ${whom}: ${clauses.join(', ')}.`,
      safer:
        'Name the rows, for example USING (user_id = auth.uid()), and the roles: TO authenticated.',
    },
  ]
}

function isAlwaysTrue(value: unknown): boolean {
  if (!isFields(value)) return false
  const constant = fieldsOf(value, 'A_Const')
  const bool = constant === undefined ? undefined : fieldsOf(constant, 'boolval')
  if (bool !== undefined) return bool['boolval'] === true
  const expression = fieldsOf(value, 'A_Expr')
  if (expression !== undefined && namesOf(expression['name'])[0] === '=')
    return (
      isConstant(expression['lexpr']) &&
      withoutPlaces(expression['lexpr']) === withoutPlaces(expression['rexpr'])
    )
  const either = fieldsOf(value, 'BoolExpr')
  if (either === undefined) return false
  const isOr = textOf(either, 'boolop') === 'OR_EXPR'
  const isAnd = textOf(either, 'boolop') === 'AND_EXPR'
  const terms = listOf(either, 'args')
  return (isOr && terms.some(isAlwaysTrue)) || (isAnd && terms.every(isAlwaysTrue))
}

function isConstant(value: unknown): boolean {
  return isFields(value) && fieldsOf(value, 'A_Const') !== undefined
}

function withoutPlaces(value: unknown): string {
  return JSON.stringify(value, (name, member: unknown) =>
    name === 'location' ? undefined : member,
  )
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
  return [
    {
      rule: 'grant-to-anon',
      severity: onlyReads ? 'warning' : 'error',
      message: `The statement grants ${granted} to ${roles.join(' and ')}, so callers who are not signed in have it.`,
      safer: 'Grant to authenticated, or to service_role for the application’s own server.',
    },
  ]
}

function definerFunction(
  name: string,
  options: ReadonlyMap<string, TreeFields>,
): readonly Problem[] {
  const security = fieldsOf(options.get('security') ?? {}, 'arg')
  const isDefiner = security !== undefined && fieldsOf(security, 'Boolean')?.['boolval'] === true
  const set = fieldsOf(fieldsOf(options.get('set') ?? {}, 'arg') ?? {}, 'VariableSetStmt')
  if (!isDefiner || (set !== undefined && textOf(set, 'name') === 'search_path')) return []
  return [
    {
      rule: 'definer-search-path',
      severity: 'error',
      message: `The function ${name} runs with its owner’s rights and the caller’s search_path, so a caller can make it use other objects.`,
      safer: `Add SET search_path = '' or SET search_path FROM CURRENT.`,
    },
  ]
}

function ownersView(fields: TreeFields): readonly Problem[] {
  const option = optionsOf(fields, 'options').get('security_invoker')
  const value = option === undefined ? undefined : optionValue(option)
  if (option !== undefined && !['false', 'off', '0', 'no'].includes(value ?? 'true')) return []
  const name = tableOf(fields, 'view')
  return [
    {
      rule: 'view-skips-policies',
      severity: 'warning',
      message: `The view ${name} reads with its owner’s rights, so the policies of its tables do not apply to callers.`,
      safer: `CREATE VIEW ${name} WITH (security_invoker = true) AS …`,
    },
  ]
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

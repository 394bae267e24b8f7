// Moves a database's objects and rights from one project's roles to another's. Renaming the roles is faster, but on a server
// that several data directories share, a role may belong to databases of two of them.
import { ownerRoleOf, realtimeRoleOf, type SchemaName } from '../../../core/names.ts'
import { identifier, join, literal, type Sql, sql, verbatim } from '../../sql.ts'
import { databaseOf, LOGIN_KINDS, loginRoleOf } from '../connections/logins.ts'
import type { LoginSource } from './project-roles.ts'

/** Returns one row when another database uses the roles of `source`, or when the roles of `target` exist. */
export function sharedRolesQuery(
  { prefix }: LoginSource,
  source: SchemaName,
  target: SchemaName,
): Sql {
  const names = (schemaName: SchemaName) =>
    sql`(${literal(ownerRoleOf(schemaName))}, ${literal(realtimeRoleOf(schemaName))})`
  return sql`select from pg_catalog.pg_roles where rolname in ${names(target)}
union all
select from pg_catalog.pg_shdepend
join pg_catalog.pg_roles as role on role.oid = refobjid
join pg_catalog.pg_database as other on other.oid = dbid
where refclassid = 'pg_catalog.pg_authid'::pg_catalog.regclass and rolname in ${names(source)}
  and datname <> ${literal(databaseOf(prefix, source))}
limit 1`
}

/** Runs in the project's database. The roles of `target` exist. */
export function transferRolesScript(
  { prefix }: LoginSource,
  source: SchemaName,
  target: SchemaName,
): readonly Sql[] {
  const transfers = [ownerRoleOf, realtimeRoleOf].flatMap((roleOf) => {
    const [from, to] = [roleOf(source), roleOf(target)]
    return [
      transferRights(from, to),
      sql`reassign owned by ${identifier(from)} to ${identifier(to)}`,
      sql`drop owned by ${identifier(from)}`,
    ]
  })
  const logins = LOGIN_KINDS.map((kind) => identifier(loginRoleOf(prefix, source, kind)))
  return [...transfers, sql`drop owned by ${join(logins)}`]
}

// cspell:ignore defaclacl
// `reassign owned` changes owners only. Default privileges, policies and rights that name the role follow here.
function transferRights(from: string, to: string): Sql {
  const [source, target] = [literal(from).text, literal(to).text]
  return verbatim(`do $block$
declare
  source constant pg_catalog.oid := ${source}::pg_catalog.regrole;
  target constant pg_catalog.name := ${target};
  found record;
begin
  for found in
    select given.defaclnamespace as namespace, kinds.kind, acl.*
    from pg_catalog.pg_default_acl as given
    join (values ('r', 'tables'), ('S', 'sequences'), ('f', 'functions'), ('T', 'types'), ('n', 'schemas'), ('L', 'large objects'))
      as kinds (code, kind) on kinds.code = given.defaclobjtype::pg_catalog.text
    cross join lateral pg_catalog.aclexplode(given.defaclacl) as acl
    where given.defaclrole = source and acl.grantee <> source
  loop
    execute pg_catalog.format('alter default privileges for role %I %s grant %s on %s to %s %s', target,
      case when found.namespace <> 0 then 'in schema ' || found.namespace::pg_catalog.regnamespace else '' end,
      found.privilege_type, found.kind,
      case found.grantee when 0 then 'public' else pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(found.grantee)) end,
      case when found.is_grantable then 'with grant option' else '' end);
  end loop;
  for found in
    select policy.polname, policy.polrelid::pg_catalog.regclass as relation, (
      select pg_catalog.string_agg(case role when 0 then 'public' when source then pg_catalog.quote_ident(target)
        else pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(role)) end, ', ')
      from pg_catalog.unnest(policy.polroles) as role) as roles
    from pg_catalog.pg_policy as policy
    where source = any (policy.polroles)
  loop
    execute pg_catalog.format('alter policy %I on %s to %s', found.polname, found.relation, found.roles);
  end loop;
  for found in
    select 'schema' as kind, pg_catalog.quote_ident(nspname) as object, acl.*
    from pg_catalog.pg_namespace cross join lateral pg_catalog.aclexplode(nspacl) as acl
    where acl.grantee = source and nspowner <> source
    union all
    select case relkind when 'S' then 'sequence' else 'table' end, relation.oid::pg_catalog.regclass::pg_catalog.text, acl.*
    from pg_catalog.pg_class as relation cross join lateral pg_catalog.aclexplode(relacl) as acl
    where acl.grantee = source and relowner <> source
    union all
    select 'routine', routine.oid::pg_catalog.regprocedure::pg_catalog.text, acl.*
    from pg_catalog.pg_proc as routine cross join lateral pg_catalog.aclexplode(proacl) as acl
    where acl.grantee = source and proowner <> source
  loop
    execute pg_catalog.format('grant %s on %s %s to %I %s', found.privilege_type, found.kind, found.object, target,
      case when found.is_grantable then 'with grant option' else '' end);
  end loop;
end
$block$`)
}

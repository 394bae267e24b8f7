-- What the catalogues say about the schema :schema, without oids: one JSON text for each kind of object.
with space as (select oid, nspowner, nspacl from pg_namespace where nspname = :schema),
relations as (select c.* from pg_class as c join space on space.oid = c.relnamespace),
routines as (select p.* from pg_proc as p join space on space.oid = p.pronamespace),
types as (select t.* from pg_type as t join space on space.oid = t.typnamespace),
roles as (select oid, rolname, rolsuper, rolinherit, rolcanlogin, rolbypassrls, rolcreaterole from pg_roles
  where rolname in (:schema || '_owner', 'rt_' || :schema)),
found (kind, line) as (
  select 'schema', concat_ws('|', nspowner::regrole, nspacl::text, obj_description(oid, 'pg_namespace')) from space
  union all select 'role', concat_ws('|', rolname, rolsuper, rolinherit, rolcanlogin, rolbypassrls, rolcreaterole) from roles
  union all select 'member', concat_ws('|', roleid::regrole, member::regrole, inherit_option, set_option, admin_option)
    from pg_auth_members where member in (select oid from roles)
  union all select 'relation', concat_ws('|', relname, relkind, relowner::regrole, relacl::text, reloptions::text, relpersistence,
      relrowsecurity, relforcerowsecurity, relreplident, relispopulated, relchecks, relhastriggers, relhasrules, relnatts,
      reltoastrelid <> 0, relispartition, pg_get_expr(relpartbound, oid), reltuples,
      (select toast.reloptions::text from pg_class as toast where toast.oid = relations.reltoastrelid)) from relations
  union all select 'column', concat_ws('|', attrelid::regclass, attnum, attname, format_type(atttypid, atttypmod), attnotnull,
      atthasdef, attidentity, attgenerated, attacl::text, attoptions::text, attstorage, attcompression, attstattarget,
      attcollation::regcollation, attislocal, attinhcount, pg_get_expr(adbin, adrelid))
    from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attrelid in (select oid from relations)
  union all select 'constraint', concat_ws('|', conrelid::regclass, conname, contype, convalidated, condeferrable, condeferred,
      connoinherit, pg_get_constraintdef(oid))
    from pg_constraint where connamespace in (select oid from space)
  union all select 'index', concat_ws('|', pg_get_indexdef(indexrelid), indisvalid, indisclustered, indisreplident, indisprimary)
    from pg_index where indexrelid in (select oid from relations)
  union all select 'routine', concat_ws('|', oid::regprocedure, prosrc, proconfig::text, proowner::regrole, proacl::text,
      prosecdef, provolatile, proleakproof, case when prokind in ('f', 'p') then pg_get_functiondef(oid) end) from routines
  union all select 'type', concat_ws('|', typname, typtype, typowner::regrole, typacl::text, typdefault, typnotnull,
      (select string_agg(enumlabel, ',' order by enumsortorder) from pg_enum where enumtypid = types.oid)) from types
  union all select 'policy', concat_ws('|', polrelid::regclass, polname, polcmd, polpermissive, polroles::regrole[]::text,
      pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
    from pg_policy where polrelid in (select oid from relations)
  union all select 'trigger', concat_ws('|', tgrelid::regclass, tgenabled, tgisinternal, tgtype, tgfoid::regprocedure,
      case when tgisinternal then null else pg_get_triggerdef(oid) end)
    from pg_trigger where tgrelid in (select oid from relations)
  union all select 'rule', concat_ws('|', ev_class::regclass, rulename, ev_enabled, pg_get_ruledef(oid))
    from pg_rewrite where ev_class in (select oid from relations)
  union all select 'default privileges', concat_ws('|', defaclrole::regrole, defaclnamespace::regnamespace, defaclobjtype, defaclacl::text)
    from pg_default_acl where defaclrole in (select oid from roles)
  union all select 'initial privileges', concat_ws('|', objoid::regclass, privtype, initprivs::text)
    from pg_init_privs where classoid = 'pg_class'::regclass and objoid in (select oid from relations)
  union all select 'initial privileges', concat_ws('|', objoid::regnamespace, privtype, initprivs::text)
    from pg_init_privs where classoid = 'pg_namespace'::regclass and objoid in (select oid from space)
  union all select 'comment', concat_ws('|', classoid::regclass, objsubid, description)
    from pg_description where objoid in (select oid from relations union select oid from routines union select oid from types
      union select oid from pg_policy where polrelid in (select oid from relations)
      union select oid from pg_constraint where connamespace in (select oid from space))
  union all select 'dependencies', concat_ws('|', classid::regclass, refclassid::regclass, deptype, count(*))
    from pg_depend where objid in (select oid from relations union select oid from routines union select oid from types
      union select oid from space) group by classid, refclassid, deptype
  union all select 'shared dependencies', concat_ws('|', classid::regclass, refobjid::regrole, deptype, count(*))
    from pg_shdepend where refobjid in (select oid from roles) group by classid, refobjid, deptype
)
select kind, line from found order by kind, line collate "C"

-- What a server's shared catalogues say about other projects. Names of databases and roles and comments on them stay
-- readable, because psql and pg_dump read them, and so do locks, which have numbers only. Activity of others is
-- not, and only owners can read settings.

-- All databases share these catalogues. GRANT and REVOKE lock them only while they run, so the second statement could wait for
-- an emulator or a VACUUM that waits for the first. These locks last until the end, and always come in this order.
lock table
  pg_catalog.pg_db_role_setting,
  pg_catalog.pg_shseclabel,
  pg_catalog.pg_parameter_acl,
  pg_catalog.pg_replication_origin,
  pg_catalog.pg_shdepend
in share update exclusive mode;

revoke select on
  pg_catalog.pg_db_role_setting,
  pg_catalog.pg_shseclabel,
  pg_catalog.pg_parameter_acl,
  pg_catalog.pg_replication_origin,
  pg_catalog.pg_user,
  pg_catalog.pg_group,
  pg_catalog.pg_roles,
  pg_catalog.pg_shdepend,
  pg_catalog.pg_replication_slots
from public;

-- pg_dump reads the settings and labels of its database for archives (`-Fc`).
grant select on pg_catalog.pg_db_role_setting, pg_catalog.pg_shseclabel to project_owner;

-- All columns but a role's settings.
grant select (oid, rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolconnlimit,
  rolvaliduntil, rolbypassrls) on pg_catalog.pg_roles to public;

revoke execute on function
  pg_catalog.pg_safe_snapshot_blocking_pids(integer),
  pg_catalog.pg_isolation_test_session_is_blocked(integer, integer[]),
  pg_catalog.pg_get_replication_slots(),
  pg_catalog.pg_control_checkpoint(),
  pg_catalog.pg_control_system(),
  pg_catalog.pg_control_init(),
  pg_catalog.pg_control_recovery(),
  pg_catalog.pg_tablespace_databases(oid),
  pg_catalog.pg_current_wal_lsn(),
  pg_catalog.pg_current_wal_insert_lsn(),
  pg_catalog.pg_current_wal_flush_lsn(),
  pg_catalog.pg_hba_file_rules()
from public;

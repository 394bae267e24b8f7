-- Dumps omit the functions of the history, which another role owns (40-dumps.sql).
select platform.adopt('function', oid::regprocedure::text, 'pg_catalog.pg_proc'::regclass, oid)
from pg_catalog.pg_proc
where pronamespace = 'platform'::regnamespace and proowner = 'change_capture'::regrole;

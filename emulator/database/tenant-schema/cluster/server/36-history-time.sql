-- The time of recorded changes on a server: the platform's own, where the engine sets it (database/history/recorded-engine.ts).
alter table platform.row_history alter column at
  set default coalesce(nullif(pg_catalog.current_setting('tenantry.now', true), '')::timestamptz, pg_catalog.now());

-- A template with one of everything a clone has to carry.
create type mood as enum ('sad', 'ok', 'it''s fine');
create type money_amount as (amount numeric(12,2), currency text collate "C");
create domain positive as integer default 1 constraint positive_check check (value > 0) constraint positive_nn not null;
create domain email_text as text collate "C" check (value ~ '@');
create domain later_checked as text;
alter domain later_checked add constraint short check (length(value) < 10) not valid;
create function time_difference(a time, b time) returns float8 language sql immutable return extract(epoch from (a - b));
create type time_span as range (subtype = time, subtype_diff = time_difference, multirange_type_name = time_spans);
create type int_back as range (subtype = int4, subtype_opclass = int4_ops);
create sequence ticket as smallint start 7 increment by 3 minvalue 1 maxvalue 30000 cache 5 cycle;
create function double(n integer) returns integer language sql immutable as $$ select n * 2 $$;
create function in_bounds(n integer) returns boolean language plpgsql immutable as $$ begin return n between 0 and 1000000; end $$;

create table countries (code char(2) primary key, name text not null collate "C" default 'it''s \ here', weight float8 default nextval('ticket'));
create table customers (
  id bigint generated always as identity (start with 100 increment by 5 cache 2) constraint customers_pk primary key,
  "Full Name" text constraint must_have_name not null,
  email email_text unique nulls not distinct,
  mood mood not null default 'ok',
  country char(2) references countries,
  balance money_amount default row(0, 'BRL'),
  user_id uuid references auth_users (id) on delete set null,
  doubled integer generated always as (double(extract(year from '2020-01-01'::date)::int)) stored,
  upper_name text generated always as (upper("Full Name")) virtual,
  created_at timestamptz not null default now(),
  created_by uuid default auth.uid(),
  tags text[] not null default '{}',
  constraint named_check check (length("Full Name") > 0) no inherit
) with (fillfactor = 70, autovacuum_enabled = false, toast.autovacuum_enabled = false);
alter table customers alter column tags set storage external, alter column "Full Name" set compression pglz, alter column email set statistics 50, alter column country set (n_distinct = 10);
create table orders (
  id serial primary key,
  customer_id bigint not null references customers (id) on delete cascade deferrable initially deferred,
  quantity positive,
  total numeric(10,2) check (total >= 0),
  kind text,
  extra jsonb,
  primary_line integer,
  parent_id integer references orders,
  period tstzrange,
  constraint no_overlap exclude using gist (period with &&) where (kind = 'booking')
);
create table order_lines (
  order_id integer references orders on delete cascade,
  line integer,
  quantity integer not null,
  constraint order_lines_pk primary key (order_id, line) include (quantity) with (fillfactor = 60)
);
alter table orders add constraint orders_primary_line foreign key (id, primary_line) references order_lines (order_id, line) match simple on delete set null (primary_line) deferrable;
alter table orders add constraint total_in_bounds check (in_bounds(total::int)) not valid;
alter table orders add constraint quantity_bounds check (in_bounds(quantity)) ;
alter table orders add constraint not_enforced check (total < 5) not enforced;
alter table orders add constraint later_not_null not null kind not valid;
create table loners ();
create unlogged table scratch (k text primary key, v jsonb);
alter table scratch cluster on scratch_pkey;
create table typed of money_amount (amount with options not null, primary key (currency));
alter table typed alter column currency set storage external, alter column currency set statistics 12;

-- a default that reads its own table, through a function with an SQL-standard body
create table counters (name text primary key, n integer);
create function next_counter() returns integer language sql begin atomic select coalesce(max(n), 0) + 1 from counters; end;
alter table counters alter column n set default next_counter();
create function row_label(c customers) returns text language sql stable as $$ select (c)."Full Name" || ' ' || (c).mood $$;
create function all_customers(only_mood mood default 'ok') returns setof customers language sql stable security definer set search_path = proj_tpl, pg_temp as $$ select * from proj_tpl.customers where mood = only_mood $$;
create function touch() returns trigger language plpgsql as $f$ declare n int; begin select count(*) into n from proj_tpl.orders; new.extra := jsonb_build_object('touched', n, 'schema', 'proj_tpl'); return new; end $f$;
create function log_changes() returns trigger language plpgsql as $f$ begin insert into audit (note) select tg_name || count(*) from fresh; return null; end $f$;
create procedure cleanup(inout n integer default 3) language plpgsql as $$ begin delete from scratch; n := n + 1; end $$;
create function variadic_sum(variadic numbers integer[]) returns bigint language sql as $$ select sum(x) from unnest(numbers) x $$;
create function out_pair(out a int, out b text) language sql as $$ select 1, 'x' $$;
create function table_fn(lim int) returns table (id bigint, label text) language sql stable as $$ select id, "Full Name" from customers limit lim $$;
create function add_state(state bigint, v integer) returns bigint language sql immutable as $$ select coalesce(state, 0) + coalesce(v, 0) $$;
create aggregate my_sum (integer) (sfunc = add_state, stype = bigint, initcond = '0', parallel = safe, combinefunc = int8pl);
create aggregate largest (integer) (sfunc = int4larger, stype = integer, sortop = >);
create aggregate moving (integer) (sfunc = int4pl, stype = integer, sspace = 50, msfunc = int4pl, minvfunc = int4mi, mstype = integer, msspace = 100, mfinalfunc_extra, mfinalfunc_modify = shareable);
create aggregate my_count (*) (sfunc = int8inc, stype = bigint, initcond = '0');

create table audit (id bigint generated by default as identity, note text, at timestamptz default clock_timestamp());
create trigger touch before insert or update of total on orders for each row when (new.total is not null) execute function touch();
create trigger bulk after insert on orders referencing new table as fresh for each statement execute function log_changes();
create function deferred_check() returns trigger language plpgsql as $$ begin if new.quantity > 100 then raise 'too many'; end if; return null; end $$;
create constraint trigger late after insert on order_lines deferrable initially deferred for each row execute function deferred_check();
create trigger off before delete on orders for each row execute function touch();
alter table orders disable trigger off;
create trigger always_on before update on audit for each row execute function touch();
alter table audit enable always trigger always_on;

-- partitions
create table events (id bigint generated always as identity, at date not null, kind text not null default 'x', payload jsonb, constraint events_pk primary key (id, at, kind), constraint kind_short check (length(kind) < 20)) partition by range (at);
create table events_2025 partition of events for values from ('2025-01-01') to ('2026-01-01');
create table events_2026 partition of events for values from ('2026-01-01') to ('2027-01-01') partition by list (kind);
create table events_2026_a partition of events_2026 (payload default '{"a":1}') for values in ('a', 'b');
create table events_2026_rest partition of events_2026 default;
create table events_rest partition of events default;
create index events_kind on events (kind) where kind <> 'z';
create index events_2025_own on events_2025 (at desc);
create trigger touch_events before insert on events for each row when (false) execute function touch();
alter table events_2026 disable trigger touch_events;
alter table only events_2025 enable always trigger touch_events;
alter table events_2026_rest enable replica trigger touch_events;
alter table only events_2025 alter column kind set storage external;
comment on trigger touch_events on events_2025 is 'always';
create table hashed (k integer not null, v text) partition by hash (k);
create table hashed_0 partition of hashed for values with (modulus 2, remainder 0);
create table hashed_1 partition of hashed for values with (modulus 2, remainder 1);
create table event_notes (event_id bigint, event_at date, event_kind text, note text, foreign key (event_id, event_at, event_kind) references events (id, at, kind));

-- inheritance
create table vehicles (id integer primary key, wheels integer not null default 4, label text, check (wheels > 0));
create table trucks (load integer, label text not null) inherits (vehicles);
alter table trucks alter column wheels set default 6;
alter table only trucks alter column label set storage main, alter column label set compression pglz;
create table bicycles (bell text) inherits (vehicles);
alter table only vehicles alter column label set storage external;

create view rich with (security_invoker = true, security_barrier = true) as select id, "Full Name" as name, (balance).amount from customers where (balance).amount > 10;
create view richer as select r.*, o.total, row_label(c) as label from rich r join customers c using (id) join orders o on o.customer_id = r.id;
create view aardvark as select * from richer where total > 1;
create view editable as select * from customers where mood <> 'sad' with local check option;
alter view editable alter column mood set default 'sad';
create view grouped as select id, "Full Name", count(*) over () n from customers group by id;
create materialized view totals as select customer_id, sum(total) as total from orders group by 1;
create unique index totals_customer on totals (customer_id);
alter materialized view totals alter column total set statistics 33, alter column total set storage main, alter column total set compression pglz, alter column total set (n_distinct = 4);
alter materialized view totals cluster on totals_customer;
create materialized view above_totals as select * from totals where total > 0;
create materialized view unfilled as select 1 as one with no data;
create recursive view ancestors (id, parent_id) as select id, parent_id from orders union all select o.id, o.parent_id from orders o join ancestors a on a.parent_id = o.id;
create function trigger_view() returns trigger language plpgsql as $$ begin return new; end $$;
create trigger instead instead of insert on rich for each row execute function trigger_view();
create rule no_delete as on delete to audit do instead nothing;
create rule "also notify" as on insert to scratch do also insert into audit (note) values (new.k);

create index orders_kind on orders (lower(kind) desc nulls last, double(customer_id::int)) include (total) where total > 10;
alter index orders_kind alter column 1 set statistics 77;
create index orders_extra on orders using gin (extra jsonb_path_ops) with (fastupdate = off);
create unique index customers_lower on customers (lower("Full Name") text_pattern_ops);
alter table customers cluster on customers_lower;
create statistics orders_stat (dependencies, ndistinct) on customer_id, kind from orders;
alter statistics orders_stat set statistics 200;
create statistics expr_stat on lower(kind), (total * 2) from orders;

create unique index audit_id on audit (id); alter table audit alter column id set not null;
alter table audit replica identity using index audit_id;
alter table orders replica identity full;
alter table scratch replica identity nothing;

alter table customers enable row level security;
alter table orders enable row level security;
alter table orders force row level security;
create policy own_rows on customers for select to authenticated using (user_id = (select auth.uid()));
create policy everyone on customers as restrictive using (mood <> 'sad') with check (in_bounds(id::int));
create policy "through customers" on orders for all to authenticated, proj_tpl_owner using (exists (select from customers c where c.id = customer_id and c.user_id = auth.uid()));
create policy new_only on orders for insert to public with check (total > 0);
drop policy service_role_all on scratch;

-- names that need care
create type "Odd.Type" as enum ('a''b', 'c\d', 'proj_tpl');
create table "we""ird.Tab;le" (
  "sel ect" serial primary key,
  "drop" "Odd.Type" default 'a''b',
  "user" text default '$1 ${x} \',
  gone integer,
  constraint "ch""eck" check ("user" <> 'x'';')
);
alter table "we""ird.Tab;le" drop column gone;
create index "in.dex" on "we""ird.Tab;le" (("user" || 'x'));
create function "Odd Fn"("A b" "we""ird.Tab;le", c "Odd.Type"[] default '{}') returns "we""ird.Tab;le" language plpgsql as $x$ begin return "A b"; end $x$;
create policy "it's; mine" on "we""ird.Tab;le" using ("user" = current_user);
create trigger "on ""write""" before update on "we""ird.Tab;le" for each row execute function touch();
create view "V w" as select w.*, "Odd Fn"(w) as f from "we""ird.Tab;le" w;
comment on column "we""ird.Tab;le"."drop" is 'it''s \ "quoted"; -- yes';
comment on policy "it's; mine" on "we""ird.Tab;le" is 'x';
grant select ("sel ect") on "we""ird.Tab;le" to anon;
revoke all on "V w" from anon, authenticated, service_role;

-- what extensions bring
create table extended (
  id uuid primary key default uuid_generate_v4(),
  name citext unique,
  token text default encode(gen_random_bytes(4), 'hex'),
  room integer,
  during tsrange,
  path ltree,
  exclude using gist (room with =, during with &&)
);
create index extended_trgm on extended using gin ((name::text) gin_trgm_ops);
create view hashed_tokens as select crypt(token, gen_salt('bf')) as hash from extended where name = 'X';

revoke all on audit from anon, authenticated;
grant select (note), update (note) on audit to authenticated;
grant truncate on scratch to service_role with grant option;
revoke delete on countries from proj_tpl_owner;
revoke execute on procedure cleanup(integer) from public;
grant execute on procedure cleanup(integer) to service_role;
revoke usage on type mood from public;
grant usage on type mood to authenticated with grant option;
grant usage, update on sequence ticket to anon;
alter default privileges in schema proj_tpl grant trigger on tables to service_role;
alter default privileges in schema proj_tpl revoke select on tables from anon;
alter default privileges revoke execute on functions from public;
create function closed_by_default() returns int language sql as $$ select 1 $$;

comment on table orders is 'Orders; of "proj_tpl".';
comment on column orders.total is 'Sum
over lines \ here';
comment on type mood is 'how it feels';
comment on domain positive is 'more than nothing';
comment on constraint positive_check on domain positive is 'really';
comment on constraint no_overlap on orders is 'one at a time';
comment on function double(integer) is 'twice';
comment on procedure cleanup(integer) is 'swept';
comment on aggregate my_count(*) is 'counts';
comment on trigger touch on orders is 'touches';
comment on policy own_rows on customers is 'mine';
comment on rule no_delete on audit is 'kept';
comment on index orders_kind is 'by kind';
comment on sequence ticket is 'numbers';
comment on view rich is 'rich ones';
comment on materialized view totals is 'sums';
comment on statistics orders_stat is 'correlated';
comment on column rich.name is 'shown';
comment on type money_amount is 'pair';

-- A template with one of everything that expressions are written with.
create collation caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
create collation "By code" (provider = builtin, locale = 'C.UTF-8');
create collation plain (provider = libc, locale = 'C');
create collation tailored (provider = icu, locale = 'en', rules = '&a < g');
create conversion from_latin for 'LATIN1' to 'UTF8' from iso8859_1_to_utf8;
create default conversion usual_from_latin for 'LATIN1' to 'UTF8' from iso8859_1_to_utf8;
create domain name_text as text collate caseless;
create type labelled as (label text collate caseless, note text);
create type name_range as range (subtype = text, collation = caseless);

-- text search; the thesaurus comes first by name and needs another
create text search dictionary stems (template = snowball, language = 'english', stopwords = 'english');
create text search dictionary a_thesaurus (template = thesaurus, dictfile = 'thesaurus_sample', dictionary = 'proj_words.stems');
create text search dictionary "No stops" (template = simple, accept = false);
create text search configuration english_words (copy = pg_catalog.english);
alter text search configuration english_words alter mapping for asciiword, word with "No stops", a_thesaurus, stems, simple;
alter text search configuration english_words drop mapping for email, url;
create text search configuration empty_words (parser = "default");

-- casts: with and without a function, both ways, in every context
create domain color as integer check (value between 0 and 16777215);
create function color_json(color) returns json language sql immutable as $$ select to_json('#' || lpad(to_hex($1), 6, '0')) $$;
create cast (color as json) with function color_json(color) as implicit;
create function color_of(text) returns color language sql immutable as $$ select ('x' || lpad(substr($1, 2), 8, '0'))::bit(32)::int::color $$;
create cast (text as color) with function color_of(text) as assignment;
create type level as enum ('low', 'high');
create cast (level as text) with inout as implicit;
create cast (text as level) with inout as implicit;
create function level_of(integer) returns level language sql immutable as $$ select case when $1 > 9 then 'high' else 'low' end::level $$;
create cast (integer as level) with function level_of(integer) as assignment;
create domain "application/vnd.labels" as bytea;
create cast (auth_users as level) with inout;

-- what is told nowhere in the catalogue to need a cast, with names that come before the casts' functions
create domain a_level as text check (value::level = 'low');
create domain a_number as integer check (value::level is not null);
create table a_list (id integer, a level default 'low'::text, b text default 'high'::level, c level default 12, d text generated always as (id::level) stored);
create function a_first(a_list) returns level language sql stable begin atomic select ($1).b; end;
create function a_json(a_list) returns json language sql stable as $$ select to_json(($1).id) $$;
create cast (a_list as json) with function a_json(a_list);
create function a_json(a_list[]) returns json language sql stable as $$ select to_json(cardinality($1)) $$;
create cast (a_list[] as json) with function a_json(a_list[]);
create view a_view as select id::level as level, b::level as again, a_list::json as whole, array[a_list]::json as list from a_list;
create function a_shown() returns setof a_view language sql stable as 'select * from a_view';

-- operators; the second of each pair is announced by the first
create type point_xy as (x integer, y integer);
create function point_lt(point_xy, point_xy) returns boolean language sql immutable as $$ select ($1).x < ($2).x $$;
create function point_gt(point_xy, point_xy) returns boolean language sql immutable as $$ select ($1).x > ($2).x $$;
create function point_eq(point_xy, point_xy) returns boolean language sql immutable as $$ select ($1).x = ($2).x $$;
create function point_ne(point_xy, point_xy) returns boolean language sql immutable as $$ select ($1).x <> ($2).x $$;
create function point_size(point_xy) returns integer language sql immutable as $$ select ($1).x + ($1).y $$;
create operator <% (leftarg = point_xy, rightarg = point_xy, function = point_lt, commutator = >%, restrict = scalarltsel, join = scalarltjoinsel);
create operator >% (leftarg = point_xy, rightarg = point_xy, function = point_gt, commutator = <%, negator = !>%);
create operator === (leftarg = point_xy, rightarg = point_xy, function = point_eq, commutator = ===, negator = !==, restrict = eqsel, join = eqjoinsel, hashes, merges);
create operator !== (leftarg = point_xy, rightarg = point_xy, function = point_ne, negator = ===);
create operator @#@ (rightarg = point_xy, function = point_size);
create operator ~~% (leftarg = text, rightarg = text, function = texteq);
create function a_smaller(point_xy, point_xy) returns point_xy language sql immutable as $$ select case when $1 <% $2 then $1 else $2 end $$;
create function a_between(point_xy, point_xy) returns boolean language sql immutable return $1 <% $2 and not $1 === $2;
create aggregate a_smallest (point_xy) (sfunc = a_smaller, stype = point_xy, sortop = <%);

create table places (
  p point_xy, q point_xy,
  size integer generated always as (@#@ p) stored,
  least point_xy generated always as (a_smaller(p, q)) stored,
  same boolean default row(1, 2)::point_xy === row(1, 3)::point_xy,
  body text collate caseless,
  code text collate "By code" default ('x' collate plain),
  words tsvector generated always as (to_tsvector('english_words', body)) stored,
  stars text[] default ts_lexize('stems', 'stars'),
  check (p <% q), check (body > 'a' collate tailored)
);
create index places_size on places ((@#@ q)) where p >% q;
create index places_body on places (body collate plain);
create index places_words on places using gin (to_tsvector('english_words', code));
create policy smaller on places using (p <% q);
create view compared as select p === q as same, p is distinct from q as differs, body collate plain as body, to_tsvector('english_words', code) as words from places;
create table split (c text collate caseless) partition by list (c);
create table split_a partition of split for values in ('a');

comment on collation caseless is 'one case';
comment on conversion from_latin is 'older text';
comment on text search dictionary "No stops" is 'none';
comment on text search configuration english_words is 'words';
comment on cast (a_list[] as json) is 'how many';
comment on operator @#@ (none, point_xy) is 'size';
comment on operator <% (point_xy, point_xy) is 'left of';

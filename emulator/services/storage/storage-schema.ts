// Tables of the storage service in the platform's database: buckets and records of objects. The bytes of objects are in files.
import type { MigrationSet } from '../../database/system-db/system-schema.ts'

export const STORAGE_MIGRATIONS: MigrationSet = {
  layer: 'storage',
  steps: [
    `
    create table buckets (
      id text primary key,
      schema_name text not null,
      is_public integer not null,
      file_size_limit integer,
      created_at integer not null,
      updated_at integer not null
    ) strict;
    create index buckets_by_schema on buckets (schema_name, id);

    create table objects (
      id text primary key,
      bucket_id text not null references buckets (id) on delete cascade,
      object_key text not null,
      size_bytes integer not null,
      created_at integer not null,
      updated_at integer not null,
      unique (bucket_id, object_key)
    ) strict;
    `,
    // The first table of objects can be dropped, because no release wrote rows to it.
    `
    alter table buckets add column owner_id text;
    alter table buckets add column allowed_mime_types text;

    drop table objects;
    create table objects (
      id text primary key,
      bucket_id text not null references buckets (id) on delete cascade,
      object_key text not null,
      version text not null,
      owner_id text,
      size_bytes integer not null,
      etag text not null,
      mime_type text not null,
      cache_control text not null,
      user_metadata text,
      created_at integer not null,
      updated_at integer not null,
      last_accessed_at integer not null,
      unique (bucket_id, object_key)
    ) strict;
    `,
    // Index for POST /object/list (docs/wire/storage.md#records): sorted by "lower(name)", so that case variants are adjacent.
    `
    create index objects_by_folded_key
      on objects (bucket_id, lower(object_key) || char(1) || object_key, object_key);
    `,
    // Table of resumable uploads (docs/wire/storage.md#records). Its `version` becomes the version of the finished object.
    `
    create table resumable_uploads (
      version text primary key,
      bucket_id text not null references buckets (id) on delete cascade,
      object_key text not null,
      owner_id text,
      may_replace integer not null,
      length_bytes integer,
      offset_bytes integer not null,
      metadata text not null,
      is_finished integer not null,
      expires_at integer not null
    ) strict;
    create index resumable_uploads_by_bucket on resumable_uploads (bucket_id);
    create index resumable_uploads_by_expiry on resumable_uploads (expires_at);
    `,
    // Tables for S3 clients: access keys, whose secrets sign requests, and multipart uploads (docs/wire/storage.md#records).
    `
    create table s3_keys (
      access_key_id text primary key,
      secret text not null,
      schema_name text not null,
      created_at integer not null
    ) strict;
    create index s3_keys_by_schema on s3_keys (schema_name);

    create table s3_uploads (
      id text primary key,
      bucket_id text not null references buckets (id) on delete cascade,
      object_key text not null,
      owner_id text not null,
      mime_type text not null,
      cache_control text not null,
      user_metadata text,
      created_at integer not null
    ) strict;
    create index s3_uploads_by_bucket on s3_uploads (bucket_id, object_key);

    create table s3_parts (
      upload_id text not null references s3_uploads (id) on delete cascade,
      part_number integer not null,
      file_id text not null,
      size_bytes integer not null,
      md5 text not null,
      created_at integer not null,
      primary key (upload_id, part_number)
    ) strict;
    `,
    `
    alter table objects add column robots_tag text;
    `,
  ],
}

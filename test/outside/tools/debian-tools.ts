// Tools of the Debian archive: migrations and mappers in Python and Perl, and S3 programs.
import { expectSame, type OutsideTool, type ToolPlace } from './tool.ts'

const DJANGO = `
import os
from urllib.parse import unquote, urlparse
import django
from django.conf import settings
from django.core.management import call_command
url = urlparse(os.environ['DATABASE_URL'])
settings.configure(
    INSTALLED_APPS=['django.contrib.contenttypes', 'django.contrib.auth'],
    DEFAULT_AUTO_FIELD='django.db.models.AutoField',
    DATABASES={'default': {
        'ENGINE': 'django.db.backends.postgresql', 'NAME': url.path[1:], 'HOST': url.hostname, 'PORT': url.port,
        'USER': unquote(url.username), 'PASSWORD': unquote(url.password)}})
django.setup()
call_command('migrate', verbosity=0)
from django.contrib.auth.models import Group
from django.db import transaction
with transaction.atomic():
    Group.objects.create(name='north')
print(','.join(group.name for group in Group.objects.iterator()))
`

const ALEMBIC_ENVIRONMENT = `
import os
from alembic import context
from sqlalchemy import create_engine
engine = create_engine(os.environ['DATABASE_URL'].replace('postgres://', 'postgresql+psycopg2://'))
with engine.connect() as connection:
    context.configure(connection=connection)
    with context.begin_transaction():
        context.run_migrations()
`
const ALEMBIC_REVISION = `
import sqlalchemy
from alembic import op
revision = 'one'
down_revision = None
def upgrade():
    op.create_table('places', sqlalchemy.Column('name', sqlalchemy.Text, primary_key=True))
def downgrade():
    op.drop_table('places')
`

const SQITCH_PLAN = `%syntax-version=1.0.0
%project=north

places 2026-01-01T00:00:00Z Ada <ada@example.com> # Adds places.
`

const BOTO3 = `
import os
import boto3
s3 = boto3.client('s3', endpoint_url=os.environ['S3_ENDPOINT'], region_name=os.environ['AWS_REGION'])
bucket = os.environ['SCHEMA'] + '_boto'
s3.create_bucket(Bucket=bucket)
s3.put_object(Bucket=bucket, Key='a/b.txt', Body=b'hello')
print(s3.get_object(Bucket=bucket, Key='a/b.txt')['Body'].read().decode())
`

export const DEBIAN_TOOLS: readonly OutsideTool[] = [
  {
    name: 'Django',
    debian: ['python3-django', 'python3-psycopg2'],
    does: '`migrate` of `contrib.auth`, a transaction, `iterator()`',
    setting: 'none',
    run: async ({ python }) => expectSame((await python(DJANGO)).trim(), 'north'),
  },
  {
    name: 'Alembic (SQLAlchemy)',
    debian: ['python3-alembic', 'python3-psycopg2'],
    does: '`upgrade`, `downgrade`',
    setting: 'none',
    run: upgradeAndDowngrade,
  },
  {
    name: 'sqitch',
    debian: ['sqitch', 'libdbd-pg-perl'],
    does: '`deploy`',
    setting:
      'It always sends `CREATE SCHEMA` for its registry. Use another migration tool of this table',
    refusal: /permission denied/,
    run: async ({ url, schema, write, program }) => {
      write('sqitch.conf', '[core]\n\tengine = pg\n')
      write('sqitch.plan', SQITCH_PLAN)
      write('deploy/places.sql', 'create table places (name text);\n')
      const target = url.replace(/^postgres(ql)?:/, 'db:pg:')
      await program('usr/bin/sqitch', 'deploy', '--registry', schema, '--target', target)
    },
  },
  {
    name: 'rclone (S3)',
    debian: ['rclone'],
    does: 'creates a bucket, copies a file to it, lists and reads',
    setting: '`provider = Other`, the endpoint, keys and region of the project',
    run: copyWithRclone,
  },
  {
    name: 'boto3 (S3)',
    debian: ['python3-boto3'],
    does: 'creates a bucket, writes and reads an object',
    setting: '`endpoint_url`',
    run: async ({ python }) => expectSame((await python(BOTO3)).trim(), 'hello'),
  },
  {
    name: 's3cmd',
    debian: ['s3cmd'],
    does: 'lists buckets',
    setting: 'Its signature leaves out the path of the endpoint. Use rclone or an AWS client',
    refusal: /SignatureDoesNotMatch/,
    run: async ({ s3, program }) => {
      const { host, pathname } = new URL(s3.endpoint)
      const keys = [`--access_key=${s3.access_key_id}`, `--secret_key=${s3.secret_access_key}`]
      const address = [`--host=${host}${pathname}`, `--host-bucket=${host}${pathname}`, '--no-ssl']
      await program('usr/bin/s3cmd', ...keys, ...address, `--region=${s3.region}`, 'ls')
    },
  },
]

async function upgradeAndDowngrade({ write, python, query }: ToolPlace): Promise<void> {
  write('alembic/env.py', ALEMBIC_ENVIRONMENT)
  write('alembic/versions/one.py', ALEMBIC_REVISION)
  const run = (command: string, target: string) =>
    python(`
from alembic import command
from alembic.config import Config
config = Config()
config.set_main_option('script_location', 'alembic')
command.${command}(config, '${target}')
`)
  await run('upgrade', 'head')
  expectSame(await query('select count(*)::int from places'), [{ count: 0 }])
  await run('downgrade', 'base')
  expectSame(await query(`select to_regclass('places') as found`), [{ found: null }])
}

async function copyWithRclone({ s3, schema, write, program }: ToolPlace): Promise<void> {
  const remote = {
    type: 's3',
    provider: 'Other',
    endpoint: s3.endpoint,
    access_key_id: s3.access_key_id,
    secret_access_key: s3.secret_access_key,
    region: s3.region,
  }
  const lines = Object.entries(remote).map(([name, value]) => `${name} = ${value}`)
  write('rclone.conf', `[tenant]\n${lines.join('\n')}\n`)
  write('files/a/b.txt', 'hello')
  const rclone = (...args: readonly string[]) =>
    program('usr/bin/rclone', '--config=rclone.conf', '--retries=1', ...args)
  const bucket = `tenant:${schema}_rclone`
  await rclone('mkdir', bucket)
  await rclone('copy', 'files', bucket)
  expectSame(await rclone('lsf', '-R', '--files-only', bucket), 'a/b.txt\n')
  expectSame(await rclone('cat', `${bucket}/a/b.txt`), 'hello')
}
